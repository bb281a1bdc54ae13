import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** Whose a connected account is: one member's, or the organization's. */
export const AccountScope = StringEnum(['private', 'shared'])
export type AccountScope = Static<typeof AccountScope>

/** Whether calls on an account can work before somebody reauthorizes it. */
export const AccountStatus = StringEnum(['connected', 'needs_reauth'])
export type AccountStatus = Static<typeof AccountStatus>

/** The door an account came through. */
export const AuthKind = StringEnum(['oauth2', 'oauth1a', 'api_key'])
export type AuthKind = Static<typeof AuthKind>

/** A label for an account: letters, digits, spaces and `. _ @ + -`, never the `:` that tells shared ones apart. */
export const ALIAS_PATTERN = '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._@+-]{0,63}$'
