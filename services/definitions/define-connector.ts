import type { TObject } from '@sinclair/typebox'
import type { ConnectorCategory } from '../../schemas/connector.ts'
import { checkConnector } from './check-connector.ts'
import type { HttpTool, Template } from './http-tool.ts'

/** A grant and the sentence that explains it: gives both `scopes` and `scope_descriptions`. */
export type Scopes = Readonly<Record<string, string>>

/** The door for a pasted key: where it goes in a request, and whether the provider can be asked about it. */
export interface ApiKeyMethod {
  readonly header: string
  /** What stands before the key in the header: `Bearer `; nothing when absent. */
  readonly prefix?: string
  /** Sent as HTTP Basic (RFC 7617) of the key as it is pasted, `user:key`. */
  readonly basic?: true
  /** False: a key is stored unverified, its identity a fingerprint. */
  readonly probe: boolean
  /** What the person pastes, and where it is made. */
  readonly hint: string
}

/** What an authorization server does otherwise than RFC 6749. Pointers are JSON pointers into the token answer. */
export interface TokenQuirks {
  /** Where the token that the connector acts with stands, when not at the top: `/bot`. */
  readonly token?: string
  /** Where the token of the authorizing user stands: `/authed_user`. */
  readonly userToken?: string
  /** What separates the granted scopes; a space or a comma when absent. */
  readonly grantedScopeSeparator?: string
  /** Errors come under HTTP 200: whether it went well, and the code of what did not. */
  readonly errors?: { readonly ok?: string; readonly code: string }
  /** Codes that mean `invalid_grant`. */
  readonly invalidGrant?: readonly string[]
  /** Members that are kept with the credential: setting name → pointer. */
  readonly keep?: Readonly<Record<string, string>>
}

/** One request to the provider that no tool makes; `{settings.name}` in all of it. */
export interface ProviderRequest {
  /** POST when absent and there is a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** On `baseUrl`, or an absolute URL. */
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
  /** The body, as one or the other. */
  readonly json?: Template
  readonly form?: Readonly<Record<string, string>>
}

/** How a grant is given back, best effort; `{access_token}`, `{refresh_token}` and `{client_id}` beside the settings. */
export interface Revocation extends ProviderRequest {
  readonly method: 'POST' | 'DELETE'
  /** Who asks: the OAuth client with HTTP Basic, or the bearer of the token himself. */
  readonly as: 'client' | 'token'
}

interface OAuth2 {
  readonly type: 'oauth2'
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** What stands in `iss` of an authorization response (RFC 9207); checked where it comes, and where it must. */
  readonly issuer?: string
  /** Responses may come without `iss`: the server does not say that all have it. */
  readonly issOptional?: true
  readonly pkce: 'required' | 'supported' | 'none'
  readonly clientAuth: 'basic' | 'post' | 'none'
  readonly authorizationParams?: Readonly<Record<string, string>>
  /** Sent with every token request beside what RFC 6749 has: `resource` (RFC 8707). */
  readonly tokenParams?: Readonly<Record<string, string>>
  /** What separates requested scopes, a space when absent. */
  readonly scopeSeparator?: ' ' | ','
  /** The parameter that user scopes are asked for by, `user_scope` when absent. */
  readonly userScopeParam?: string
  readonly quirks?: TokenQuirks
  readonly revocation?: Revocation
  /** A second door, for pasted keys. */
  readonly apiKey?: ApiKeyMethod
}

/** The spec's exclusions as types: a summary or scopes, and no scopes on a pasted key. */
export type ConnectorAuth =
  | (OAuth2 & {
      readonly scopes: Scopes
      /** Asked for beside `scopes`; a connection stands without them. */
      readonly optionalScopes?: Scopes
      readonly userScopes?: Scopes
      readonly accessSummary?: never
    })
  | (OAuth2 & { readonly accessSummary: string; readonly scopes?: never })
  | {
      readonly type: 'oauth1a'
      readonly requestTokenUrl: string
      readonly authorizationUrl: string
      readonly accessTokenUrl: string
      readonly authorizationParams?: Readonly<Record<string, string>>
      readonly accessSummary: string
      readonly revocation?: Revocation
    }
  | { readonly type: 'api_key'; readonly apiKey: ApiKeyMethod }

/** What a grant needs to know of its connector: the upstreams that organizations register have no more. */
export type GrantConnector = Pick<ConnectorDefinition, 'id' | 'name' | 'auth'>

/** How the provider says no, where a status alone does not tell. Pointers are tried in order. */
export interface ProviderErrors {
  /** Under HTTP 200: what is false, or is there, when a call failed (`/ok`, `/errors`). */
  readonly failedWhen?: { readonly pointer: string; readonly is: 'false' | 'present' }
  /** Where the message stands: a text, or lists and records of texts. */
  readonly message: readonly string[]
  /** Where a machine-readable code stands. */
  readonly code?: readonly string[]
  /** Codes that mean: this token is not good. */
  readonly unauthorized?: readonly string[]
  /** What is in the message of a 401 that refuses one thing, and not the token: a regular expression. */
  readonly denied?: string
  /** Codes that mean: too many calls. */
  readonly rateLimited?: readonly string[]
  /** Codes that mean: a scope is missing. */
  readonly scopeMissing?: readonly string[]
  /** What else a code asks of the reader: a sentence each. */
  readonly advice?: Readonly<Record<string, string>>
}

/** Where a provider says how long to wait, beside `Retry-After`. */
export interface RateLimitHeaders {
  readonly reset: string
  readonly unit: 'epoch-s' | 'epoch-ms' | 'iso' | 'seconds'
  /** A 403 is a rate limit where this header is 0. */
  readonly remaining?: string
}

/** A key by which a provider does what is sent twice once. */
export interface IdempotencyHeader {
  /** The header of POST requests that it goes in. */
  readonly header: string
  /** The paths of the requests that take it, as tools have them; all when absent. */
  readonly paths?: readonly string[]
}

/** How a provider names the account. */
export interface IdentityProbe {
  readonly request: ProviderRequest
  /** A template over the answer's pointers: `{/login}`, `{/team} ({/user})`. */
  readonly label: string
  /** What the provider tells accounts apart by, of the same form; the label when absent. */
  readonly key?: string
}

/** Settings that are found out right after connecting. */
export interface SettingsDiscovery {
  readonly request: ProviderRequest
  /** The array of candidates in the answer. */
  readonly items: string
  /** Setting → pointer in a candidate. */
  readonly settings: Readonly<Record<string, string>>
  /** The setting by which one of several is chosen; it is asked for when there are several. */
  readonly chosenBy: string
}

/** A mark of the brand: the slug of simple-icons where it has one, else letters drawn on a colour. */
export type Icon = { readonly simpleIcon: string } | { readonly monogram: string; readonly color: string }

/** A provider as data: no HTTP, no configuration, no side effect. */
export interface ConnectorDefinition {
  /** The prefix of its tools' names. */
  readonly id: string
  readonly name: string
  readonly category: ConnectorCategory
  /** What its tools can do. */
  readonly description: string
  readonly icon: Icon
  /** Where its tools' paths begin; `{settings.name}` in it is a setting of the account. */
  readonly baseUrl: string
  readonly auth: ConnectorAuth
  /** Whether an organization may bring its own OAuth app; true when absent. */
  readonly orgClients?: boolean
  /** Of every request; `{settings.name}` in them. */
  readonly headers?: Readonly<Record<string, string>>
  /** What each account needs beside its credential; strings, optional ones are found out. */
  readonly settings?: TObject
  readonly discovery?: SettingsDiscovery
  readonly identity?: IdentityProbe
  readonly errors?: ProviderErrors
  readonly rateLimit?: RateLimitHeaders
  readonly idempotency?: IdempotencyHeader
  readonly tools: readonly HttpTool[]
}

/** Checks what the types cannot (check-connector.ts). Throws a TypeError. */
export function defineConnector(definition: ConnectorDefinition): ConnectorDefinition {
  checkConnector(definition)
  return Object.freeze(definition)
}

/** The door for pasted keys, where the connector has one. */
export function apiKeyMethodOf({ auth }: Pick<ConnectorDefinition, 'auth'>): ApiKeyMethod | undefined {
  return auth.type === 'oauth1a' ? undefined : auth.apiKey
}
