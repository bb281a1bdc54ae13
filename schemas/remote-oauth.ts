import type { ClientSource } from './remote.ts'

/** The authorization server of an upstream and this service's client there, as they were found at the registration. */
export interface RemoteOauth {
  readonly v: 1
  /** What tokens are asked for: the canonical URI of the upstream (RFC 8707), as its metadata says it. */
  readonly resource: string
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Whether the server says that every authorization response has `iss` (RFC 9207). */
  readonly issParameter: boolean
  readonly clientSource: ClientSource
  readonly clientId: string
  readonly clientAuth: 'basic' | 'post' | 'none'
  /** What an authorization asks for; empty: no scope parameter is sent. */
  readonly scopes: readonly string[]
}
