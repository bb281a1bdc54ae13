import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

/** The scope of a connected account: one member's, or the organization's. */
export const AccountScope = StringEnum(['private', 'shared'])
export type AccountScope = Static<typeof AccountScope>

/** Whether an account works, or needs a reauthorization first. */
export const AccountStatus = StringEnum(['connected', 'needs_reauth'])
export type AccountStatus = Static<typeof AccountStatus>

/** The status of a connector for one caller: an account's status, or `disconnected` without one. */
export const ConnectorStatus = StringEnum(['connected', 'needs_reauth', 'disconnected'])
export type ConnectorStatus = Static<typeof ConnectorStatus>

/** How an account was connected. */
export const AuthKind = StringEnum(['oauth2', 'oauth1a', 'api_key'])
export type AuthKind = Static<typeof AuthKind>

/**
 * The pattern of an account's alias: letters, digits, spaces and `. _ @ + -`, never the `:` that marks shared accounts.
 */
export const ALIAS_PATTERN = '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._@+-]{0,63}$'

/** The body of `PATCH /connectors/:id/accounts/:accountId`. The service validates an alias and says what is wrong. */
export const AccountChangeRequest = Type.Object(
  {
    alias: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The new alias.' })),
    scope: Type.Optional(AccountScope),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type AccountChangeRequest = Static<typeof AccountChangeRequest>
