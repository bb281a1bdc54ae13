/** The parts of oidc-provider that the tests use, because the package has no types. */
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

  export interface Configuration {
    adapter: (model: string) => Adapter
    jwks: { keys: JWK[] }
    cookies: { keys: string[] }
    scopes: string[]
    pkce: { required: () => boolean }
    /** In seconds. */
    ttl: Record<string, number | (() => number)>
    findAccount: (
      context: unknown,
      id: string,
    ) => { accountId: string; claims: () => { sub: string } & Record<string, unknown> }
    issueRefreshToken: (context: unknown, client: { grantTypeAllowed(type: string): boolean }) => boolean
    features: {
      devInteractions: { enabled: boolean }
      registration: { enabled: boolean }
      resourceIndicators: {
        enabled: boolean
        useGrantedResource: () => boolean
        getResourceServerInfo: (context: unknown, resource: string) => ResourceServer
      }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }

  export const errors: { InvalidTarget: new (description?: string) => Error }
}
