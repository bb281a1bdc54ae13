import { CONNECTOR_ID } from '../../schemas/connectors/connector.ts'
import type { ApiKeyMethod, ConnectorAuth, ConnectorDefinition, Revocation, TokenQuirks } from './connector-types.ts'
import { isPointer, PLACEHOLDER, placeholdersOf, pointersIn, settingOf } from './placeholders.ts'
import { requestsOf } from './step.ts'

/** The maximum length of a wire name without the `__`. */
const MAX_NAME = 62
/** `/connectors/org/<slug>` is the path of remote connectors. */
const REMOTE_PATH = 'org'
/** The placeholders of a revocation, in addition to settings. */
const GRANT_PLACEHOLDERS = new Set(['access_token', 'refresh_token', 'client_id'])

/** Checks what the types cannot express. Throws a TypeError. */
export function defineConnector(definition: ConnectorDefinition): ConnectorDefinition {
  checkConnector(definition)
  return Object.freeze(definition)
}

/**
 * Checks what the types of a connector cannot express: its names; that all settings, scopes and URLs exist; that its
 * pointers are valid; that accounts can be identified. Throws a TypeError.
 */
function checkConnector(definition: ConnectorDefinition): void {
  const wrong = [
    ...nameFaults(definition),
    ...urlFaults(definition),
    ...placeholderFaults(definition),
    ...pointerFaults(definition),
    ...scopeFaults(definition),
    ...identityFaults(definition),
  ]
  if (wrong.length > 0) throw new TypeError(`Connector ${definition.id} ${wrong.join('; ')}`)
}

function nameFaults({ id, tools }: ConnectorDefinition): string[] {
  const faults: string[] = []
  if (!new RegExp(CONNECTOR_ID).test(id)) faults.push('has an ID that no tool name can begin with')
  if (id === REMOTE_PATH) faults.push('has the ID that is the path of remote connectors')
  const operations = tools.map(tool => tool.operation)
  for (const [index, operation] of operations.entries()) {
    if (operations.indexOf(operation) !== index) faults.push(`has two tools named ${operation}`)
    if (id.length + operation.length > MAX_NAME) faults.push(`has a tool whose name is too long: ${operation}`)
  }
  return faults
}

function urlFaults(definition: ConnectorDefinition): string[] {
  const { baseUrl, hosts = {}, auth, oauthApp, identity, discovery, tools } = definition
  const requests = [identity?.request, discovery?.request, revocationOf(auth)]
    .map(request => request?.url)
    .filter(url => url !== undefined && !url.startsWith('/'))
  const endpoints = endpointsOf(auth)
  const named = tools.flatMap(tool => requestsOf(tool).map(({ host }) => host))
  return [
    ...named.filter(host => host !== undefined && !Object.hasOwn(hosts, host)).map(host => `has no host named ${host}`),
    ...[
      baseUrl,
      ...Object.values(hosts).map(host => host.url),
      ...endpoints,
      ...requests,
      ...(oauthApp === undefined ? [] : [oauthApp.url, oauthApp.docs]),
    ]
      .filter(url => !isAbsolute(url ?? ''))
      .map(url => `has a URL that is not an absolute http(s) URL: ${url}`),
    ...endpoints.flatMap(url => endpointFaults(url, definition)),
    ...(oauthApp !== undefined && auth.type === 'api_key' ? ['describes an OAuth app but is connected with keys'] : []),
  ]
}

/** The secret of the OAuth app is sent there: a setting may only choose a host below a fixed domain. */
const ACCOUNT_ENDPOINT = new RegExp(`^https://${PLACEHOLDER.source}(?:\\.[a-z0-9-]+){2,}(?:[:/][^{}]*)?$`)

function endpointFaults(url: string, { auth, settings }: ConnectorDefinition): string[] {
  const places = placeholdersOf(url)
  if (places.length === 0) return []
  const setting = settingOf(ACCOUNT_ENDPOINT.exec(url)?.[1] ?? '')
  const given =
    setting !== undefined && (settings?.required?.includes(setting) || settings?.properties[setting]?.default)
  return auth.type === 'oauth2' && given
    ? []
    : places.map(place => `has no value for {${place}} in the URL of an OAuth endpoint`)
}

function endpointsOf(auth: ConnectorAuth): string[] {
  if (auth.type === 'api_key') return []
  return auth.type === 'oauth2'
    ? [auth.authorizationUrl, auth.tokenUrl]
    : [auth.authorizationUrl, auth.requestTokenUrl, auth.accessTokenUrl]
}

function revocationOf(auth: ConnectorAuth): Revocation | undefined {
  return auth.type === 'api_key' ? undefined : auth.revocation
}

function keyProbeOf(auth: ConnectorAuth): ApiKeyMethod['probe'] | undefined {
  return auth.type === 'oauth1a' ? undefined : auth.apiKey?.probe
}

function isAbsolute(url: string): boolean {
  const parsed = URL.parse(url.replace(new RegExp(PLACEHOLDER, 'g'), 'x'))
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === ''
}

function placeholderFaults(definition: ConnectorDefinition): string[] {
  const { baseUrl, hosts = {}, headers, settings, discovery, identity, auth, tools } = definition
  const known = new Set([
    ...Object.keys(settings?.properties ?? {}),
    ...Object.keys(discovery?.settings ?? {}),
    ...Object.keys(quirksOf(auth).keep ?? {}),
  ])
  const places = [
    ...placeholdersOf([baseUrl, hosts, headers, identity, discovery?.request, keyProbeOf(auth)]),
    ...placeholdersOf(revocationOf(auth)).filter(place => !GRANT_PLACEHOLDERS.has(place)),
    // checkHttpTool checks the placeholders of arguments.
    ...placeholdersOf(tools.map(tool => [requestsOf(tool), tool.result])).filter(
      place => settingOf(place) !== undefined,
    ),
  ]
  const faults = [...new Set(places)]
    .filter(place => !known.has(settingOf(place) ?? ''))
    .map(place => {
      const setting = settingOf(place)
      return setting === undefined ? `has no value for {${place}}` : `has no setting named ${setting}`
    })
  if (discovery !== undefined && !Object.hasOwn(discovery.settings, discovery.chosenBy))
    faults.push(`is chosen by ${discovery.chosenBy}, which the discovery does not find`)
  return faults
}

function pointerFaults({ auth, errors, discovery, identity }: ConnectorDefinition): string[] {
  const quirks = quirksOf(auth)
  const pointers = [
    ...[quirks.token, quirks.userToken, quirks.errors?.ok, quirks.errors?.code, ...Object.values(quirks.keep ?? {})],
    ...[errors?.failedWhen?.pointer, ...(errors?.message ?? []), ...(errors?.code ?? [])],
    ...[discovery?.items, discovery?.where?.pointer, ...Object.values(discovery?.settings ?? {})],
    ...[identity?.label, identity?.key]
      .flatMap(template => pointersIn(template ?? ''))
      .filter(place => settingOf(place) === undefined),
  ]
  return pointers
    .filter(pointer => pointer !== undefined && !isPointer(pointer))
    .map(pointer => `reads ${pointer}, which is not a JSON pointer`)
}

function quirksOf(auth: ConnectorAuth): TokenQuirks {
  return (auth.type === 'oauth2' && auth.quirks) || {}
}

function scopeFaults({ auth, tools }: ConnectorDefinition): string[] {
  const faults: string[] = []
  for (const { operation, as, scopes = [] } of tools) {
    const known = new Set(scopesOf(auth, as))
    for (const scope of scopes)
      if (!known.has(scope)) faults.push(`has a tool ${operation} that needs the unknown scope ${scope}`)
    if (as === 'user' && quirksOf(auth).userToken === undefined)
      faults.push(`has a tool ${operation} that acts as the user, but no token of the user`)
  }
  return faults
}

function scopesOf(auth: ConnectorAuth, as: 'user' | undefined): string[] {
  if (auth.type !== 'oauth2' || auth.scopes === undefined) return []
  return Object.keys(as === 'user' ? { ...auth.userScopes } : { ...auth.scopes, ...auth.optionalScopes })
}

function identityFaults({ auth, identity }: ConnectorDefinition): string[] {
  const asked = auth.type !== 'api_key' || auth.apiKey.probe === true
  if (asked && identity === undefined) return ['has no identity probe']
  const templates =
    identity === undefined ? [] : [identity.label, ...(identity.key === undefined ? [] : [identity.key])]
  return templates.filter(text => !text.includes('{/')).map(text => `has an identity that is always the same: ${text}`)
}
