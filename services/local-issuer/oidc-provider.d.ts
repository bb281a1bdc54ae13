/** The parts of oidc-provider that the local issuer and the tests use, because the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  import type { JWK } from 'jose'

  export interface ResourceServer {
    scope: string
    audience: string
    accessTokenFormat: 'jwt'
    /** In seconds. */
    accessTokenTTL: number
    jwt: { sign: { alg: string } }
  }

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>
    find(id: string): Promise<Record<string, unknown> | undefined>
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>
    findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  /** An authorization request that waits for the user. */
  export interface Interaction {
    readonly uid: string
    /** A random text that the requests of one authorization share, and nobody else knows. */
    readonly cid: string
    /** Where the browser continues. */
    readonly returnTo: string
    readonly params: Readonly<Record<string, unknown>>
    /** In seconds since the epoch. */
    readonly exp: number
    result?: Record<string, unknown>
    save(ttlSeconds: number): Promise<string>
  }

  export interface Client {
    readonly clientId: string
    readonly clientName?: string
  }

  export interface Grant {
    addOIDCScope(scopes: string): void
    addResourceScope(resource: string, scopes: string): void
    save(): Promise<string>
  }

  /** The context of a request, as Koa has it. */
  export interface Context {
    cookies: { set(name: string, value: string, options: Record<string, unknown>): void }
    status: number
    redirect(url: string): void
  }

  interface Toggle {
    enabled: boolean
  }

  export interface Configuration {
    adapter: (model: string) => Adapter
    jwks: { keys: JWK[] }
    cookies: { keys: string[]; short?: Record<string, unknown> }
    scopes: string[]
    responseTypes?: string[]
    clientAuthMethods?: string[]
    clientDefaults?: Record<string, unknown>
    extraClientMetadata?: {
      properties: string[]
      validator(context: unknown, key: string, value: unknown, metadata: Record<string, unknown>): void
    }
    enabledJWA?: Record<string, string[]>
    discovery?: Record<string, unknown>
    routes?: Record<string, string>
    pkce: { required: () => boolean }
    /** In seconds. */
    ttl: Record<string, number | (() => number)>
    findAccount: (
      context: unknown,
      id: string,
    ) => { accountId: string; claims: () => { sub: string } & Record<string, unknown> }
    issueRefreshToken: (context: unknown, client: { grantTypeAllowed(type: string): boolean }) => boolean
    expiresWithSession?: () => boolean
    interactions?: { policy?: InteractionPolicy; url(context: Context, interaction: Interaction): string }
    renderError?(context: Context, out: { error: string; error_description?: string }, error: Error): void
    fetch?(url: string, options: RequestInit): Promise<Response>
    features: {
      devInteractions: Toggle
      clientCredentials?: Toggle
      registration: Toggle & { issueRegistrationAccessToken?: boolean }
      resourceIndicators: Toggle & {
        defaultResource?: () => string | undefined
        useGrantedResource: () => boolean
        getResourceServerInfo: (context: unknown, resource: string) => ResourceServer
      }
      clientIdMetadataDocument?: Toggle & { ack: string }
      dPoP?: Toggle
      pushedAuthorizationRequests?: Toggle
      revocation?: Toggle & { allowedPolicy?: () => boolean }
      rpInitiatedLogout?: Toggle
      userinfo?: Toggle
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    /** Whether the headers X-Forwarded-* name the called URL. */
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this
    readonly Interaction: { find(uid: string): Promise<Interaction | undefined> }
    readonly Client: { find(clientId: string): Promise<Client | undefined> }
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
  }

  export class InteractionCheck {
    constructor(
      reason: string,
      description: string,
      check: (context: { oidc: { result?: Record<string, unknown> } }) => boolean,
    )
  }

  export interface InteractionPolicy {
    get(prompt: string): { checks: { add(check: InteractionCheck): void } }
  }

  export const interactionPolicy: { base(): InteractionPolicy; Check: typeof InteractionCheck }

  export const errors: {
    InvalidTarget: new (description?: string) => Error
    InvalidGrant: new (reason: string) => Error
    InvalidClientMetadata: new (description: string) => Error
  }
}
