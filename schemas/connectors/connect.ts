import { type Static, Type } from '@sinclair/typebox'
import { AccountScope, AccountStatus } from '../organizations/account.ts'
import { orNull } from '../primitives/or-null.ts'

const closed = { additionalProperties: false }

/** How an OAuth app is registered at the provider. Texts are Markdown. */
const OauthAppGuide = Type.Object(
  {
    url: Type.String({ description: 'Where an app is registered.' }),
    docs: Type.String({ description: 'The provider’s own guide.' }),
    steps: Type.Array(Type.String()),
    notes: Type.Array(Type.String(), { description: 'What the provider accepts, reviews and limits.' }),
  },
  closed,
)

/** What a member is asked before they connect an account. The scopes are in the connector's entry. */
export const ConnectForm = Type.Object(
  {
    oauth: Type.Boolean({ description: 'Whether the provider’s own pages can be used.' }),
    oauth_configured: Type.Boolean({ description: 'Whether there is an OAuth app for them.' }),
    key: orNull(
      Type.Object({ hint: Type.String(), verified: Type.Boolean({ description: 'Whether it is tried out.' }) }, closed),
    ),
    settings: Type.Array(
      Type.Object(
        { name: Type.String(), title: Type.String(), description: Type.String(), required: Type.Boolean() },
        closed,
      ),
    ),
    callback_url: Type.String({ description: 'The redirect URI to register in an OAuth app.' }),
    app_guide: orNull(OauthAppGuide),
  },
  closed,
)
export type ConnectForm = Static<typeof ConnectForm>

/** A request to connect an account: with a pasted key, else at the provider. */
export const ConnectBody = Type.Object(
  {
    scope: Type.Optional(AccountScope),
    alias: Type.Optional(Type.String({ maxLength: 64 })),
    settings: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 500 }))),
    optional_scopes: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
    account_id: Type.Optional(Type.String({ maxLength: 100, description: 'The account to reauthorize.' })),
  },
  closed,
)
export type ConnectBody = Static<typeof ConnectBody>

/** An account that was connected just now. */
const ConnectedAccount = Type.Object(
  {
    id: Type.String(),
    connector: Type.String(),
    alias: Type.String(),
    identity: Type.String({ description: 'Who the provider says it is.' }),
    scope: AccountScope,
    status: AccountStatus,
    key_verified: Type.Optional(
      Type.Boolean({ description: 'For a pasted key: whether the provider verified it. If not, it is only stored.' }),
    ),
    granted_scopes: orNull(Type.Array(Type.String(), { description: 'Null if the provider does not report them.' })),
    missing_scopes: Type.Array(Type.String()),
  },
  closed,
)

/** Where to send the browser, or the connected account. */
export const ConnectAnswer = Type.Object({ location: orNull(Type.String()), account: orNull(ConnectedAccount) }, closed)
export type ConnectAnswer = Static<typeof ConnectAnswer>

/** What the provider granted to an account, and what its tools need in addition. */
const AccountGrant = Type.Object(
  {
    account_id: Type.String(),
    granted_scopes: orNull(Type.Array(Type.String()), {
      description: 'Null for keys, and if the provider does not report them.',
    }),
    missing: Type.Array(
      Type.Object(
        { scope: Type.String(), tools: Type.Array(Type.String(), { description: 'The titles of tools that fail.' }) },
        closed,
      ),
    ),
  },
  closed,
)
export type AccountGrant = Static<typeof AccountGrant>

/** The grants of the accounts that a caller may reauthorize. */
export const AccountGrants = Type.Object({ grants: Type.Array(AccountGrant) }, closed)
export type AccountGrants = Static<typeof AccountGrants>

/** The query of the provider’s callback, as the browser has it. */
export const CallbackBody = Type.Object({ search: Type.String({ maxLength: 16_384 }) }, closed)
export type CallbackBody = Static<typeof CallbackBody>

/** An organization’s own OAuth app. Without a secret, the stored one stays. */
export const OauthAppBody = Type.Object(
  {
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  },
  closed,
)
export type OauthAppBody = Static<typeof OauthAppBody>
