import { readFileSync } from 'node:fs'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isLoopback, mayBeInTheClear } from '../../lib/configuration/network.ts'
import { egress } from '../../lib/configuration/network-settings.ts'
import { type Reading, type SettingsOf, setting, settingOf } from '../../lib/configuration/setting.ts'
import { ConfigurationError, mustBe, splitList, type Variable, variable } from '../../lib/configuration/variable.ts'
import { errorCode } from '../../lib/database/database-errors.ts'
import { CONNECTOR_ID } from '../../schemas/connectors/connector.ts'

const ID = new RegExp(CONNECTOR_ID)

/**
 * Parses a variable with a JSON object by connector ID. Throws a ConfigurationError that names the wrong part, and
 * quotes no values because they may be secret.
 */
function parseByConnector<Member extends TObject>(
  source: Variable,
  text: string,
  member: Member,
): ReadonlyMap<string, Static<Member>> {
  const byConnector = Type.Record(Type.String({ pattern: CONNECTOR_ID }), member, { additionalProperties: false })
  const json = parsed(source, text)
  if (Value.Check(byConnector, json)) return new Map(Object.entries(json))
  throw mustBe(source, placeOf(Value.Errors(byConnector, json).First()?.path ?? '', Object.keys(member.properties)))
}

function parsed(source: Variable, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The cause is left out because it quotes the value.
    throw mustBe(source, 'this is not JSON')
  }
}

/** Describes the place of a JSON pointer without quoting values. */
function placeOf(path: string, members: readonly string[]): string {
  const [, connector = '', member = ''] = path.split('/')
  if (!ID.test(connector)) return 'this has a different structure'
  return wrongAt(connector, members.includes(member) ? member : undefined)
}

/** Says which connector, and which of its members, is wrong. */
function wrongAt(connector: string, member?: string): string {
  return member === undefined ? `its value for ${connector} is invalid` : `its ${member} for ${connector} is invalid`
}

const url = Type.Optional(Type.String({ minLength: 1 }))

const ConnectorOverride = Type.Object(
  {
    base_url: url,
    hosts: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z0-9_]+$' }), Type.String({ minLength: 1 }))),
    authorization_url: url,
    token_url: url,
    revocation_url: url,
    request_token_url: url,
    access_token_url: url,
    discovery_url: url,
    issuer: url,
  },
  { additionalProperties: false, minProperties: 1 },
)

/**
 * Replacement URLs of a connector: a self-managed installation, or a test double. `base_url` may have `{settings.name}`
 * in its path.
 */
export type ConnectorOverride = Readonly<Static<typeof ConnectorOverride>>

const CONNECTOR_OVERRIDES = variable(
  'CONNECTOR_OVERRIDES',
  Type.Optional(
    Type.String({
      description:
        'a JSON object of URLs by connector ID, such as {"github":{"base_url":"https://…"}}; https except for hosts in EGRESS_ALLOW and, with EGRESS_ALLOW_LOOPBACK, this machine',
    }),
  ),
  {
    doc: 'JSON by connector ID: other URLs of a connector, such as a self-managed installation or a test double. `{"github":{"base_url":"https://ghe.example/api/v3","authorization_url":"…","token_url":"…"}}`; also `revocation_url`, `request_token_url`, `access_token_url`, `discovery_url`, `issuer`, and `hosts` by the name that the connector gives them: `{"slack":{"hosts":{"files":"…"}}}`. Hosts that are not named move to the origin of `base_url`. They must be https, except for hosts in `EGRESS_ALLOW`, and for this machine if `EGRESS_ALLOW_LOOPBACK` is true',
  },
)

/**
 * Parses the overrides by connector ID. Credentials are sent to these URLs, so http is limited to allowed private
 * networks. Throws a ConfigurationError that names the wrong part.
 */
function parseOverrides({ read }: Reading): ReadonlyMap<string, ConnectorOverride> {
  const text = read(CONNECTOR_OVERRIDES)
  if (text === undefined) return new Map()
  const overrides = parseByConnector(CONNECTOR_OVERRIDES, text, ConnectorOverride)
  for (const [connector, override] of overrides)
    for (const [name, value] of urlsOf(override)) {
      const url = endpointOf(HOSTS.has(name) ? withoutPlaces(value) : value, name)
      if (url === undefined) throw mustBe(CONNECTOR_OVERRIDES, wrongAt(connector, name))
      if (url.protocol === 'https:' || mayBeInTheClear(url.hostname, read(egress))) continue
      throw isLoopback(url.hostname)
        ? new ConfigurationError(
            'CONNECTOR_OVERRIDES',
            `points ${connector} at this machine (${name}); set EGRESS_ALLOW_LOOPBACK=true to allow it`,
          )
        : mustBe(CONNECTOR_OVERRIDES, wrongAt(connector, name))
    }
  return overrides
}

/** The members that paths are appended to. */
const HOSTS: ReadonlySet<string> = new Set(['base_url', 'hosts'])

function urlsOf({ hosts = {}, ...urls }: ConnectorOverride): (readonly [name: string, url: string])[] {
  return [...Object.entries(urls), ...Object.values(hosts).map(url => ['hosts', url] as const)]
}

/** Parses the URL of an override; undefined if it is invalid. */
function endpointOf(text: string, name: string): URL | undefined {
  const url = /^https?:\/\/[^/?#@\\\s{}]+(?:[/?][^#\\\s{}]*)?$/i.test(text) ? URL.parse(text) : null
  if (url === null || (url.search !== '' && (HOSTS.has(name) || name === 'issuer'))) return undefined
  return url
}

/**
 * Removes settings from the path. They may only be in the path: in the host, they would decide who receives a
 * credential.
 */
function withoutPlaces(text: string): string {
  return text.replace(/(?<=\/\/[^/]+\/.*)\{settings\.[A-Za-z_]\w*\}/g, 'x')
}

/** An OAuth app of the gateway's operator. */
interface PlatformClient {
  readonly id: string
  /** A getter, so that printed settings do not show it. */
  readonly secret: string
}

const OauthClient = Type.Object(
  { client_id: Type.String({ pattern: '\\S' }), client_secret: Type.String({ pattern: '\\S' }) },
  { additionalProperties: false },
)

const OAUTH_CLIENTS = variable(
  'OAUTH_CLIENTS',
  Type.Optional(
    Type.String({
      description: 'a JSON object with a client_id and a client_secret by connector ID, or the path of a file with one',
    }),
  ),
  {
    doc: 'the gateway\'s own OAuth apps for connectors with sign-in, as JSON or the path of a file: `{"github":{"client_id":"…","client_secret":"…"}}`',
    unset: "none: accounts are connected with an organization's own OAuth app, or a key",
  },
)

/** Parses the OAuth apps, or the file that the variable names, by connector ID. Throws a ConfigurationError. */
function parseOauthClients({ read }: Reading): ReadonlyMap<string, PlatformClient> {
  const text = read(OAUTH_CLIENTS)
  if (text === undefined) return new Map()
  const clients = parseByConnector(OAUTH_CLIENTS, text.startsWith('{') ? text : readText(text), OauthClient)
  return new Map(
    [...clients].map(([connector, { client_id, client_secret }]) => {
      const client = {
        id: client_id,
        get secret() {
          return client_secret
        },
      }
      return [connector, client]
    }),
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error'
    throw new ConfigurationError('OAUTH_CLIENTS', `must be JSON, or the path of a readable file (${code})`)
  }
}

/** The settings of the connectors. */
export const connectorSettings = {
  /** The IDs of the offered connectors; undefined means all. */
  connectors: setting(
    'CONNECTORS',
    Type.Optional(Type.String({ description: 'a comma-separated list of connector IDs, such as github,slack' })),
    {
      doc: 'comma-separated list of the IDs of the offered connectors',
      unset: 'all',
      // Whether these IDs exist is checked with the catalog.
      to(list, { wrong }): readonly string[] | undefined {
        if (list === undefined) return undefined
        const ids = [...new Set(splitList(list))]
        if (ids.length === 0 || !ids.every(id => ID.test(id))) throw wrong()
        return ids
      },
    },
  ),
  /** By connector ID. */
  connectorOverrides: settingOf([CONNECTOR_OVERRIDES], parseOverrides),
  /** The operator's OAuth apps, by connector ID. */
  oauthClients: settingOf([OAUTH_CLIENTS], parseOauthClients, {
    secrets: clients => Array.from(clients.values(), ({ secret }) => secret),
  }),
}

export type ConnectorSettings = SettingsOf<typeof connectorSettings>
