import { type Static, Type } from '@sinclair/typebox'
import type { ClientSource } from './remote.ts'
import { StringEnum } from './string-enum.ts'

/** This service as an OAuth client of others' authorization servers, in the words of RFC 7591. */
export const ClientMetadata = Type.Object({
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: StringEnum(['client_secret_basic', 'client_secret_post', 'none']),
  application_type: Type.Literal('native', { description: 'What a loopback redirect makes of it.' }),
})
export type ClientMetadata = Static<typeof ClientMetadata>

/** The same as a document that is its own client_id (OAuth Client ID Metadata Document). */
export const ClientMetadataDocument = Type.Object({ client_id: Type.String(), ...ClientMetadata.properties })

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
