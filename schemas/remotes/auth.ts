import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

const closed = { additionalProperties: false }

/** Whether one credential serves the whole organization, or each member connects their own. */
export const CREDENTIAL_OWNERS = ['organization', 'member'] as const
export const CredentialPer = StringEnum(CREDENTIAL_OWNERS)
export type CredentialPer = Static<typeof CredentialPer>

/** The characters of client IDs and secrets (RFC 6749, appendix A.1 and A.2). */
export const VSCHARS = '^[\\x20-\\x7e]*$'

const per = Type.Optional(
  StringEnum(CREDENTIAL_OWNERS, {
    description:
      'With `member`, each member connects their own credential, and an admin’s own takes the snapshots. Default: `organization`.',
  }),
)

/** Fixed headers that every request carries beside the credential. */
const headers = Type.Optional(
  Type.Array(
    Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 64 }),
        value: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }),
      },
      closed,
    ),
    { maxItems: 8, description: 'Fixed headers that every request carries beside the credential.' },
  ),
)

/** The parameters of an authorization request that providers added to OAuth: what they mean is theirs. */
export const AUTHORIZATION_PARAMS = [
  ...(['access_type', 'acr_values', 'audience', 'connection', 'domain_hint', 'duration', 'hd'] as const),
  ...(['include_granted_scopes', 'kc_idp_hint', 'login_hint', 'max_age', 'organization', 'owner', 'prompt'] as const),
  ...(['team', 'token_access_type', 'ui_locales'] as const),
]
export const AuthorizationParam = Type.String({ minLength: 1, maxLength: 256, pattern: VSCHARS })
const authorizationParam = Type.Optional(AuthorizationParam)

const AuthorizationParams = Type.Object(
  Object.fromEntries(AUTHORIZATION_PARAMS.map(name => [name, authorizationParam])) as Record<
    (typeof AUTHORIZATION_PARAMS)[number],
    typeof authorizationParam
  >,
  closed,
)
export type AuthorizationParams = Static<typeof AuthorizationParams>

const sendResource = Type.Optional(
  Type.Boolean({
    description:
      'Whether requests name the server by `resource` (RFC 8707). Default: true, until the authorization server refuses it in a way that Microsoft Entra does. With false, `scopes` name the access.',
  }),
)

/** The `auth` of a registration whose upstream uses OAuth. */
export const OauthRequest = Type.Object(
  {
    mode: Type.Literal('oauth'),
    client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, pattern: VSCHARS })),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8192, pattern: VSCHARS, writeOnly: true })),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 64 })),
    authorization_params: Type.Optional(AuthorizationParams),
    send_resource: sendResource,
    per,
    headers,
  },
  closed,
)

export type OauthRequest = Static<typeof OauthRequest>

/** The `auth` of a registration whose upstream issues tokens to the gateway's client itself. */
const ClientCredentialsRequest = Type.Object(
  {
    mode: Type.Literal('client_credentials'),
    client_id: Type.String({ minLength: 1, maxLength: 2048, pattern: VSCHARS }),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8192, pattern: VSCHARS, writeOnly: true })),
    private_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 16_384, writeOnly: true, description: 'PKCS #8 in PEM, or a JWK.' }),
    ),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 64 })),
    send_resource: sendResource,
    headers,
  },
  closed,
)
/** The `auth` of a registration. */
export const RemoteAuthRequest = Type.Union([
  Type.Object({ mode: Type.Literal('none') }, closed),
  Type.Object(
    {
      mode: Type.Literal('bearer'),
      token: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }),
      per,
      headers,
    },
    closed,
  ),
  Type.Object(
    {
      mode: Type.Literal('header'),
      name: Type.String({ minLength: 1, maxLength: 64 }),
      value: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }),
      per,
      headers,
    },
    closed,
  ),
  OauthRequest,
  ClientCredentialsRequest,
  Type.Object({ mode: Type.Literal('assertion'), headers }, closed),
])
export type RemoteAuthRequest = Static<typeof RemoteAuthRequest>

/** The body of POST /connectors/org/:slug/credential: a token, a header value, or the secret or private key of a client. */
export const RemoteKeyRequest = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 16_384, writeOnly: true }) },
  closed,
)
export type RemoteKeyRequest = Static<typeof RemoteKeyRequest>

/** The body of POST /connectors/org/:slug/credential/authorization. */
export const RemoteAuthorizationRequest = Type.Object(
  {
    redirect_uri: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where the browser is sent after the sign-in: a loopback URI, or the callback of the dashboard.',
    }),
  },
  closed,
)
export type RemoteAuthorizationRequest = Static<typeof RemoteAuthorizationRequest>

/** A sign-in that has begun: open the URL in a browser. */
export const RemoteAuthorization = Type.Object({ authorization_url: Type.String(), state: Type.String() }, closed)
export type RemoteAuthorization = Static<typeof RemoteAuthorization>

/** The body of POST /connectors/org/callback. */
export const RemoteCallbackRequest = Type.Object(
  { search: Type.String({ maxLength: 16_384, description: 'The query of the URL that the browser was sent to.' }) },
  closed,
)
export type RemoteCallbackRequest = Static<typeof RemoteCallbackRequest>
