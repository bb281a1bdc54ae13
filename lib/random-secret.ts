import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a secret of 256 random bits, in 43 characters of base64url: a token, a state, a PKCE verifier (RFC 7636, section 7.1). */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The form in which a random secret is stored, SHA-256 in hexadecimal. It has 256 bits, so a plain digest tells nothing. */
export function secretDigest(secret: string): string {
  return hash('sha256', secret)
}

/** Whether two digests are equal, in a time that tells nothing about where they differ. */
export function isSameDigest(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** The S256 challenge of a PKCE verifier (RFC 7636, section 4.2). */
export function pkceChallenge(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}
