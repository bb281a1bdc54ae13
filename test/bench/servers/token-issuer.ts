import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer of tokens for the callers of the benchmark. */
interface TokenIssuer {
  issuer: string
  jwksUri: string
  /** Makes a token of realistic length that is valid for an hour. */
  mint(subject: string, audience: string): Promise<string>
}

/** Starts an issuer on loopback in this process. Its keys are fetched only once, so it does not affect the measurement. */
export async function startTokenIssuer(path: string): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }] })
  const server = createServer((_request, response) => response.end(keys))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}/${path}`
  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    mint: (subject, audience) =>
      new SignJWT({ scope: 'openid profile email', client_id: 'https://client.example/metadata.json' })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'bench' })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .setJti('0123456789abcdef0123456789abcdef')
        .sign(privateKey),
  }
}
