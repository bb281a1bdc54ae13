import { randomBytes } from 'node:crypto'

/** 256 bits: nobody guesses a state, nor a verifier (RFC 7636, section 7.1). */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
