import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { JWK } from 'jose'
import { ISSUER_ALGORITHM } from '../../lib/configuration/local-issuer.ts'
import { secretFile } from '../../lib/configuration/secret-file.ts'
import { randomSecret } from '../../lib/random-secret.ts'

/** What the local issuer signs with, in `<dataDir>/local-issuer.json`: tokens and cookies stay valid across restarts. */
const issuerSecrets = secretFile(
  'local-issuer',
  Type.Object({
    key: Type.Object({ kid: Type.String(), kty: Type.Literal('EC'), d: Type.String() }),
    cookieKey: Type.String({ minLength: 32 }),
  }),
  () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { d = '', x, y, crv } = privateKey.export({ format: 'jwk' })
    const kid = randomBytes(8).toString('hex')
    return { key: { kid, kty: 'EC' as const, crv, x, y, d }, cookieKey: randomSecret() }
  },
)

/** Reads or generates the secrets. Throws a ConfigurationError. */
export function readIssuerSecrets(dataDir: string): { key: JWK; cookieKey: string } {
  const { key, cookieKey } = issuerSecrets.readOrMake(dataDir)
  return { key: { ...key, alg: ISSUER_ALGORITHM, use: 'sig' }, cookieKey }
}
