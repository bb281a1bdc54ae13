import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type CryptoKey, importJWK, importPKCS8, type JWK } from 'jose'
import { type ClientAuth, PrivateKeyJwt } from 'oauth4webapi'

/** The private key of an OAuth client that authenticates with `private_key_jwt` (RFC 7523). */
interface ClientKey {
  readonly key: CryptoKey
  readonly kid?: string
}

/**
 * Returns the client authentication `private_key_jwt`. The key is imported for each request, so that it is not kept in
 * memory. Throws a TypeError for an unusable key.
 */
export function privateKeyJwt(secret: string): ClientAuth {
  return async (...request) => PrivateKeyJwt(await importClientKey(secret))(...request)
}

/**
 * Imports a private key: PKCS #8 in PEM, or a JWK. The algorithm is that of the JWK, or else follows from the key: RS256,
 * ES256, ES384, ES512 or Ed25519. Throws a TypeError, whose message contains no part of the key.
 */
export async function importClientKey(text: string): Promise<ClientKey> {
  try {
    if (!text.startsWith('{')) {
      const key = createPrivateKey(text)
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
      return { key: await importPKCS8(pem, algorithmOf(key)) }
    }
    const jwk = JSON.parse(text) as JWK
    const alg = jwk.alg ?? algorithmOf(createPrivateKey({ key: jwk as never, format: 'jwk' }))
    const key = await importJWK(jwk, alg)
    if (key instanceof Uint8Array || key.type !== 'private') throw new TypeError('not a private key')
    return { key, ...(typeof jwk.kid === 'string' && { kid: jwk.kid }) }
  } catch {
    // The errors of the libraries may quote the key.
    throw new TypeError('The private key is not usable')
  }
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ed25519') return 'Ed25519'
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? '']
  if (algorithm === undefined) throw new TypeError('an unsupported key type')
  return algorithm
}
