import type { TObject } from '@sinclair/typebox'
import type { ConnectorCategory } from '../../schemas/connectors/connector.ts'
import type { HttpTool } from './http-tool-types.ts'
import type { Template } from './template.ts'

/** Scopes, each with a sentence that explains it: the source of `scopes` and `scope_descriptions`. */
export type Scopes = Readonly<Record<string, string>>

/** The connect method for a pasted key: how a request carries it, and whether the provider can verify it. */
export interface ApiKeyMethod {
  readonly header: string
  /** The text before the key in the header, such as `Bearer `; empty if absent. */
  readonly prefix?: string
  /** Sends the pasted `user:key` as HTTP Basic (RFC 7617). */
  readonly basic?: true
  /**
   * How a key is verified before it is stored: true by the connector's identity probe; a request of its own where no
   * request names the account, or where restricted keys cannot send the one that does. A missing permission then shows
   * that the key is known. If false, a key is stored unverified. Without the identity probe, the identity is a
   * fingerprint of the key.
   */
  readonly probe: boolean | KeyProbe
  /** How every key begins, such as `re_`. Another text is rejected before it is sent. */
  readonly begins?: string
  /** What the person pastes, and where to create it. */
  readonly hint: string
}

/** The differences of a token endpoint from RFC 6749. Pointers are JSON pointers into the token answer. */
export interface TokenQuirks {
  /** The position of the token that the connector acts with, if it is not at the top: `/bot`. */
  readonly token?: string
  /** The position of the authorizing user's token: `/authed_user`. */
  readonly userToken?: string
  /** The separator of the granted scopes; a space or a comma if absent. */
  readonly grantedScopeSeparator?: string
  /** The beginning that answers may give to the scopes: `https://graph.microsoft.com/Mail.Read` for `Mail.Read`. */
  readonly grantedScopePrefix?: string
  /** Scopes that answers never contain, although they are granted. */
  readonly unreportedScopes?: readonly string[]
  /** The success flag and the error code, for errors under HTTP 200. */
  readonly errors?: { readonly ok?: string; readonly code: string }
  /** Codes that mean `invalid_grant`. */
  readonly invalidGrant?: readonly string[]
  /** Members of the answer that become settings: setting name → pointer. */
  readonly keep?: Readonly<Record<string, string>>
}

/** A request outside of tools. It may contain `{settings.name}` everywhere. */
export interface ProviderRequest {
  /** If absent, POST with a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** A path on `baseUrl`, or an absolute URL. */
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
  /** The body; at most one form. */
  readonly json?: Template
  readonly form?: Readonly<Record<string, string>>
}

/** The request that verifies a key without naming its account, on `baseUrl`. */
interface KeyProbe extends ProviderRequest {
  readonly url: `/${string}`
}

/**
 * The request that revokes a grant, best effort. In addition to settings, it may contain `{access_token}`,
 * `{refresh_token}` and `{client_id}`.
 */
export interface Revocation extends ProviderRequest {
  readonly method: 'POST' | 'DELETE'
  /** The authentication: the OAuth client with HTTP Basic, its ID and secret in the `form`, or the token itself. */
  readonly as: 'client' | 'client-post' | 'token'
}

interface OAuth2 {
  readonly type: 'oauth2'
  /**
   * The hosts of both endpoints may begin with `{settings.name}.`, a setting that the member gives: the login host of a
   * sandbox. It must have a default or be required.
   */
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** The expected `iss` of an authorization response (RFC 9207). If set, `iss` is required unless `issOptional`. */
  readonly issuer?: string
  /** Whether responses may omit `iss`, because the server does not promise it. */
  readonly issOptional?: true
  readonly pkce: 'required' | 'supported' | 'none'
  readonly clientAuth: 'basic' | 'post' | 'none' | 'private_key_jwt'
  /** Tokens are issued to the client itself, without a person (RFC 6749, section 4.4); only registered servers. */
  readonly grant?: 'client_credentials'
  readonly authorizationParams?: Readonly<Record<string, string>>
  /** Additional parameters of every token request: `resource` (RFC 8707). */
  readonly tokenParams?: Readonly<Record<string, string>>
  /** The form of token requests; `form` if absent, as in RFC 6749. */
  readonly tokenRequest?: 'form' | 'json'
  /** The separator of requested scopes; a space if absent. */
  readonly scopeSeparator?: ' ' | ','
  /** The parameter for user scopes; `user_scope` if absent. */
  readonly userScopeParam?: string
  readonly quirks?: TokenQuirks
  readonly revocation?: Revocation
  /** The second connect method: pasted keys. */
  readonly apiKey?: ApiKeyMethod
}

/** Expresses exclusions of the API as types: either an access summary or scopes, and no scopes with keys only. */
export type ConnectorAuth =
  | (OAuth2 & {
      readonly scopes: Scopes
      /** Requested in addition to `scopes`; a connection works without them. */
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
      /** Whether the texts of a multipart body are signed too, which RFC 5849 excludes. Files never are. */
      readonly signsParts?: true
      readonly revocation?: Revocation
    }
  | { readonly type: 'api_key'; readonly apiKey: ApiKeyMethod }

/** The part of a connector that grants need. Remote connectors have only this part. */
export type GrantConnector = Pick<ConnectorDefinition, 'id' | 'name' | 'auth'>

/** How the provider reports errors, beyond the status. Pointers are tried in order. */
interface ProviderErrors {
  /** The sign of an error under HTTP 200: a member that is false, present or a text (`/ok`, `/errors`, `/stat`). */
  readonly failedWhen?: { readonly pointer: string; readonly is: 'false' | 'present' | { readonly text: string } }
  /** The positions of the message: a text, or lists and records of texts. */
  readonly message: readonly string[]
  /** The positions of a machine-readable code. */
  readonly code?: readonly string[]
  /** Codes that mean that the token is invalid. */
  readonly unauthorized?: readonly string[]
  /** A regular expression for messages of any status that mean the same, if the code does not tell. */
  readonly unauthorizedMessage?: string
  /** A regular expression for messages of a 401 that rejects one request, not the token. */
  readonly denied?: string
  /** Codes that mean too many calls. */
  readonly rateLimited?: readonly string[]
  /** Codes that mean a missing scope. */
  readonly scopeMissing?: readonly string[]
  /** Advice for the reader by code, one sentence each. */
  readonly advice?: Readonly<Record<string, string>>
}

/** The header that states how long to wait, in addition to `Retry-After`. */
export interface RateLimitHeaders {
  readonly reset: string
  readonly unit: 'epoch-s' | 'epoch-ms' | 'iso' | 'seconds'
  /** A 403 means a rate limit if this header is 0. */
  readonly remaining?: string
}

/** The header for an idempotency key, with which the provider executes repeated requests once. */
interface IdempotencyHeader {
  /** The header of POST requests that carries the key. */
  readonly header: string
  /** The request paths that accept it, as the tools write them; all if absent. */
  readonly paths?: readonly string[]
}

/** The request that identifies an account. */
interface IdentityProbe {
  readonly request: ProviderRequest
  /** A template over the answer's pointers and the account's settings: `{/login}`, `{/user} ({settings.site})`. */
  readonly label: string
  /** The value that distinguishes accounts, in the same form; the label if absent. */
  readonly key?: string
}

/** Settings that are discovered immediately after connecting. */
export interface SettingsDiscovery {
  readonly request: ProviderRequest
  /** The pointer to the array of candidates in the answer. */
  readonly items: string
  /** The list in a candidate that must contain a text: the scopes of one of several products. All are candidates if absent. */
  readonly where?: { readonly pointer: string; readonly includes: string }
  /** Setting → pointer in a candidate. Candidates with the same settings are one. */
  readonly settings: Readonly<Record<string, string>>
  /** The setting that chooses one of several candidates. The member must give it if there are several. */
  readonly chosenBy: string
}

/** The icon: a brand icon of simple-icons (`npm run connector:icons`), else letters drawn on a color. */
export type Icon = { readonly simpleIcon: string } | { readonly monogram: string; readonly color: string }

/**
 * What a person needs to know to register an OAuth app at the provider, from its documentation: the guides in
 * `docs/connectors/` contain it. A sentence each, in Markdown. What is not documented is left out.
 */
export interface OauthApp {
  /** Where an app is registered. */
  readonly url: string
  /** The provider's own guide. */
  readonly docs: string
  /** What to choose there, in order, besides redirect URIs and scopes. */
  readonly steps?: readonly string[]
  /** What the provider accepts as redirect URIs, if it is not any URI. */
  readonly redirectUris?: string
  /** What the provider reviews before everyone may use the app. */
  readonly review?: string
  /** What apps that were not reviewed, or are small, cannot do. */
  readonly limits?: string
  readonly notes?: readonly string[]
}

/** Another host of a provider. Only hosts with `credential` receive the account's credential. */
interface Host {
  readonly url: string
  readonly credential: boolean
  /** Set for a host that answers in XML: pointers begin at its root element, and the text of an element is `_content`. */
  readonly answers?: 'xml'
}

/** A provider as data: no HTTP, no configuration, no side effects. */
export interface ConnectorDefinition {
  /** The prefix of its tools' names. */
  readonly id: string
  readonly name: string
  readonly category: ConnectorCategory
  /** What its tools can do. */
  readonly description: string
  readonly icon: Icon
  /** The start of its tools' paths. `{settings.name}` is a setting of the account. */
  readonly baseUrl: string
  /** Other starts of paths by name, for requests with a `host`. */
  readonly hosts?: Readonly<Record<string, Host>>
  readonly auth: ConnectorAuth
  readonly oauthApp?: OauthApp
  /** Whether an organization may use its own OAuth app; true if absent. */
  readonly orgClients?: boolean
  /** Headers of every request; they may contain `{settings.name}`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The settings that each account needs in addition to its credential. All are strings; optional ones may be
   * discovered.
   */
  readonly settings?: TObject
  readonly discovery?: SettingsDiscovery
  readonly identity?: IdentityProbe
  readonly errors?: ProviderErrors
  readonly rateLimit?: RateLimitHeaders
  readonly idempotency?: IdempotencyHeader
  readonly tools: readonly HttpTool[]
}

/** Returns the connect method for pasted keys; undefined if the connector has none. */
export function apiKeyMethodOf({ auth }: Pick<ConnectorDefinition, 'auth'>): ApiKeyMethod | undefined {
  return auth.type === 'oauth1a' ? undefined : auth.apiKey
}
