import { hash, randomBytes } from 'node:crypto'

const PREFIX = 'cgw_invite_'
const TOKEN = /^cgw_invite_[0-9a-f]{64}$/

/** Creates the token of an invitation, with 256 random bits. Logs redact texts of this form. */
export function createInvitationToken(): string {
  return PREFIX + randomBytes(32).toString('hex')
}

/** How the database has a token; undefined for text that is no token. */
export function invitationTokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined
}

/**
 * The form in which the address of an invitation is compared. Only ASCII letters lose their case: other rules, and
 * Unicode normalization, would make one address of two (the Kelvin sign becomes a `k`).
 */
export function addressKey(email: string): string {
  return email.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
}
