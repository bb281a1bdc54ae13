import { readFileSync } from 'node:fs'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../../schemas/config.ts'
import { CONNECTOR_ID } from '../../schemas/connector.ts'
import { errorCode } from '../database/database-errors.ts'
import { isAllowed } from '../egress/allow-list.ts'
import { type EgressSettings, isLoopback } from './network.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

const ID = new RegExp(CONNECTOR_ID)

/**
 * Parses a variable with a JSON object by connector ID. Throws a ConfigurationError that names the wrong part, and
 * quotes no values because they may be secret.
 */
function parseByConnector<Member extends TObject>(
  variable: keyof Config,
  text: string,
  member: Member,
): ReadonlyMap<string, Static<Member>> {
  const byConnector = Type.Record(Type.String({ pattern: CONNECTOR_ID }), member, { additionalProperties: false })
  const json = parsed(variable, text)
  if (Value.Check(byConnector, json)) return new Map(Object.entries(json))
  throw mustBe(variable, placeOf(Value.Errors(byConnector, json).First()?.path ?? '', Object.keys(member.properties)))
}

function parsed(variable: keyof Config, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The cause is left out because it quotes the value.
    throw mustBe(variable, 'this is not JSON')
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

/**
 * Parses CONNECTORS. Whether these IDs exist is checked later (`requireKnownConnectors`). Throws a ConfigurationError.
 */
export function parseConnectors(list: string): readonly string[] {
  const ids = [...new Set(splitList(list))]
  const syntax = new RegExp(CONNECTOR_ID)
  if (ids.length === 0 || !ids.every(id => syntax.test(id))) throw mustBe('CONNECTORS')
  return ids
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

/**
 * Parses CONNECTOR_OVERRIDES by connector ID. Credentials are sent to these URLs, so http is limited to allowed private
 * networks. Throws a ConfigurationError that names the wrong part.
 */
export function parseOverrides(text: string, egress: () => EgressSettings): ReadonlyMap<string, ConnectorOverride> {
  const overrides = parseByConnector('CONNECTOR_OVERRIDES', text, ConnectorOverride)
  const inTheClear = (hostname: string) =>
    (egress().loopback && isLoopback(hostname)) || isAllowed(egress().allow, hostname)
  for (const [connector, override] of overrides)
    for (const [name, value] of urlsOf(override)) {
      const url = endpointOf(HOSTS.has(name) ? withoutPlaces(value) : value, name)
      if (url === undefined) throw mustBe('CONNECTOR_OVERRIDES', wrongAt(connector, name))
      if (url.protocol === 'https:' || inTheClear(url.hostname)) continue
      throw isLoopback(url.hostname)
        ? new ConfigurationError(
            'CONNECTOR_OVERRIDES',
            `points ${connector} at this machine (${name}); set EGRESS_ALLOW_LOOPBACK=true to allow it`,
          )
        : mustBe('CONNECTOR_OVERRIDES', wrongAt(connector, name))
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
export interface PlatformClient {
  readonly id: string
  /** A getter, so that printed settings do not show it. */
  readonly secret: string
}

const OauthClient = Type.Object(
  { client_id: Type.String({ pattern: '\\S' }), client_secret: Type.String({ pattern: '\\S' }) },
  { additionalProperties: false },
)

/** Parses OAUTH_CLIENTS, or the file it names, by connector ID. Throws a ConfigurationError. */
export function parseOauthClients(text: string): ReadonlyMap<string, PlatformClient> {
  const clients = parseByConnector('OAUTH_CLIENTS', text.startsWith('{') ? text : readText(text), OauthClient)
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
