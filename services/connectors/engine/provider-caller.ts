import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createOauth1Signer } from '../../../lib/http/oauth1.ts'
import { redactedJson } from '../../../lib/redaction/redactor.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { redactorOf } from '../../credentials/redactor.ts'
import type { ConnectorDefinition, ProviderRequest, SettingsDiscovery } from '../../definitions/connector-types.ts'
import { fillPointers, readPointer } from '../../definitions/placeholders.ts'
import { compileClassifier } from './answer/classify-answer.ts'
import { readAnswer } from './answer/provider-answer.ts'
import { egressFailure, providerError, unreadableAnswer } from './answer/provider-error.ts'
import { authorize } from './request/authorize.ts'
import { compileBody, compileHeaders, type PreparedRequest } from './request/build-request.ts'
import { fillUrl } from './request/fill-url.ts'
import { compileInterpolation } from './request/template.ts'

/** The credential and settings for a request outside of a tool. The account may not exist yet. */
interface ProviderContext {
  readonly connector: ConnectorDefinition
  readonly credential: Credential
  /** The settings known so far. */
  readonly settings: AccountSettings
  /** The OAuth app; required only for OAuth 1.0a. */
  readonly client?: Pick<OauthClient, 'id' | 'secret'> | undefined
}

/** Sends requests to providers outside of tools. */
export interface ProviderCaller {
  /**
   * Returns the JSON of the answer. Throws connect_failed if the provider rejects the credential, and the upstream_…
   * errors, timeout and scope_missing like a tool.
   */
  call(request: ProviderRequest, context: ProviderContext): Promise<unknown>
  /**
   * Returns the provider's name for the account and the key that distinguishes it from others (IdentityProbe). Throws
   * what `call` throws.
   */
  identify(asking: ProviderContext): Promise<{ label: string; key: string }>
  /**
   * Returns the discovered settings (SettingsDiscovery); none if the connector declares no discovery. Throws
   * connect_failed if there is no candidate, or several without a choice, and what `call` throws.
   */
  discover(asking: ProviderContext): Promise<Record<string, string>>
}

/** The maximum size of an answer about an account, in bytes. */
const MAX_BYTES = 1024 ** 2

export function createProviderCaller({
  egress,
  clock,
  log,
}: {
  egress: Pick<Egress, 'request'>
  clock: Clock
  log?: Pick<Logger, 'warn'>
}): ProviderCaller {
  const sign = createOauth1Signer({ clock })

  async function call(request: ProviderRequest, asking: ProviderContext): Promise<unknown> {
    const { connector, credential, settings, client } = asking
    const built = buildProviderRequest(connector, request, { settings })
    const { method, url, headers, body } = built
    const secret = authorize({ connector, credential, client, request: built, sign })
    const refused = { connector, writes: false }
    const answered = await egress
      .request({
        method,
        url,
        headers,
        ...(body !== undefined && { body }),
        credential: { origin: url.origin, headers: secret },
        maxBytes: MAX_BYTES,
      })
      .catch((error: unknown) => {
        if (!(error instanceof EgressError)) throw error
        log?.warn({ err: error, connector: connector.id }, 'a request to a provider about an account failed')
        throw egressFailure(refused, error)
      })
    const redact = redactorOf(credential, ...(client === undefined ? [] : [client.secret]))
    const answer = readAnswer(answered, redact, { json: true })
    const failure = compileClassifier(connector)(answer)
    if (failure !== undefined) throw providerError(refused, failure, answer.headers, clock.now())
    if (answer.json === undefined) throw unreadableAnswer(refused, answer.status)
    return redactedJson(answer.json, redact)
  }

  return {
    call,
    async identify(asking) {
      const { name, identity } = asking.connector
      if (identity === undefined) throw new TypeError(`${name} declares no identity probe`)
      const answer = await call(identity.request, asking)
      const label = fillPointers(identity.label, answer, asking.settings)
      const key = identity.key === undefined ? label : fillPointers(identity.key, answer, asking.settings)
      if (label === undefined || key === undefined)
        throw new GatewayError('connect_failed', `${name} answered without the identity of this credential.`)
      return { label: label.slice(0, 200).toWellFormed(), key }
    },
    async discover(asking) {
      const { connector, settings } = asking
      if (connector.discovery === undefined) return {}
      return chooseCandidate(connector, connector.discovery, await call(connector.discovery.request, asking), settings)
    },
  }
}

/** Returns the settings of the chosen candidate, or of the only one. Throws connect_failed if there is none. */
function chooseCandidate(
  { name }: Pick<ConnectorDefinition, 'name'>,
  { items, where, settings: places, chosenBy }: SettingsDiscovery,
  answer: unknown,
  settings: AccountSettings,
): Record<string, string> {
  const all = listAt(answer, items)
    .filter(item => where === undefined || listAt(item, where.pointer).includes(where.includes))
    .map(item => settingsOf(item, places))
    .filter(isComplete(places))
  // A provider may list a candidate once for each of its products.
  const candidates = [...new Map(all.map(settings => [JSON.stringify(settings), settings])).values()]
  const chosen = Object.hasOwn(settings, chosenBy) ? settings[chosenBy] : undefined
  const fitting =
    chosen === undefined ? candidates : candidates.filter(({ [chosenBy]: value }) => sameName(value ?? '', chosen))
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only
  throw new GatewayError('connect_failed', candidateMessage(name, chosenBy, chosen, candidates))
}

function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = readPointer(value, pointer)
  return Array.isArray(list) ? list : []
}

function settingsOf(item: unknown, places: SettingsDiscovery['settings']): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [setting, pointer] of Object.entries(places)) {
    const value = readPointer(item, pointer)
    if (typeof value === 'string' || typeof value === 'number') settings[setting] = String(value)
  }
  return settings
}

function isComplete(places: SettingsDiscovery['settings']): (settings: Record<string, string>) => boolean {
  return settings => Object.keys(places).every(name => Object.hasOwn(settings, name))
}

/** Compares site addresses as people copy them from a browser. */
function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
}

function candidateMessage(
  name: string,
  chosenBy: string,
  chosen: string | undefined,
  candidates: readonly Record<string, string>[],
): string {
  if (candidates.length === 0)
    return `This credential has access to no ${chosenBy} of ${name}. Grant it access to one, then connect again.`
  const names = candidates
    .slice(0, 20)
    .map(({ [chosenBy]: value }) => sanitizeLine(value ?? '', 100))
    .join(', ')
  const why =
    chosen === undefined ? 'has several' : `has no ${chosenBy} called ${sanitizeLine(chosen, 100)} among those`
  return `${name} ${why} that this credential can access: ${names}. Connect again with the setting ${chosenBy}.`
}

/** The values for the placeholders of a request outside of a tool. */
interface ProviderRequestScope {
  /** The settings of the account, or those known so far. */
  readonly settings: AccountSettings
  /** The values of other placeholders by name. Undefined values are left out, and rejected in the URL. */
  readonly placeholders?: Readonly<Record<string, string | undefined>>
}

/**
 * Builds a request outside of a tool, without its credential: a probe, a discovery, a revocation. Throws
 * invalid_request if the URL needs a value that is missing or invalid.
 */
export function buildProviderRequest(
  { baseUrl, headers = {} }: Pick<ConnectorDefinition, 'baseUrl' | 'headers'>,
  request: ProviderRequest,
  { settings, placeholders = {} }: ProviderRequestScope,
): PreparedRequest {
  const { json, form } = request
  const scope = { args: placeholders, settings }
  const body = json !== undefined ? compileBody({ json }) : form !== undefined ? compileBody({ form }) : undefined
  const built = body?.(scope)
  const url = fillUrl(request.url.startsWith('/') ? baseUrl.replace(/\/+$/, '') + request.url : request.url, scope)
  for (const [name, template] of Object.entries(request.query ?? {})) {
    const value = compileInterpolation(template)(scope)
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return {
    method: request.method ?? (built === undefined ? 'GET' : 'POST'),
    url,
    headers: {
      ...compileHeaders({ accept: 'application/json', ...headers })(scope),
      ...(built !== undefined && { 'content-type': built.type }),
    },
    ...(built !== undefined && { body: built.content }),
    ...(built?.form !== undefined && { form: built.form }),
  }
}
