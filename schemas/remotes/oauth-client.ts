import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'
import type { AuthorizationParams } from './auth.ts'
import type { ClientSource } from './remote.ts'

/** The gateway's metadata as an OAuth client of other authorization servers, with the names of RFC 7591. */
export const ClientMetadata = Type.Object({
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: StringEnum(['client_secret_basic', 'client_secret_post', 'none']),
  application_type: Type.Literal('native', { description: 'native, because of the loopback redirect URI.' }),
})
export type ClientMetadata = Static<typeof ClientMetadata>

/** The metadata as a document whose URL is the client_id (OAuth Client ID Metadata Document). */
export const ClientMetadataDocument = Type.Object({ client_id: Type.String(), ...ClientMetadata.properties })

/** A set of public keys (RFC 7517), here of ES256. */
export const PublicKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
})
export type PublicKeys = Static<typeof PublicKeys>

/** An upstream's authorization server and the gateway's client there, as found at the registration. */
export interface RemoteOauth {
  readonly v: 1
  /** The `resource` of token requests: the canonical URI of the upstream (RFC 8707), from its metadata. */
  readonly resource: string
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Where grants are revoked (RFC 7009); absent if the server has no such endpoint, and in older registrations. */
  readonly revocationEndpoint?: string
  /** Whether the server declares `iss` in every authorization response (RFC 9207). */
  readonly issParameter: boolean
  readonly clientSource: ClientSource
  readonly clientId: string
  readonly clientAuth: 'basic' | 'post' | 'none' | 'private_key_jwt'
  /** The requested scopes; empty: no scope parameter is sent. */
  readonly scopes: readonly string[]
  /** Further parameters of the authorization request. */
  readonly authorizationParams?: AuthorizationParams
  /** The server refuses `resource`: every request names the access by `scope`. */
  readonly withoutResource?: true
}
