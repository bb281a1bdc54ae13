import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import type { Test } from 'tap'
import type { Clock } from '../schemas/time.ts'

/**
 * How the endpoints of an issuer can fail: connections reset, a status, no answer at all, a body that never ends,
 * a redirect to the valid answer, text that is not JSON, JSON that is not a key set, an empty set, or keys that signed nothing.
 */
export type IssuerFault =
  | 'reset'
  | 'status-500'
  | 'status-404'
  | 'hang'
  | 'endless'
  | 'redirect'
  | 'not-json'
  | 'not-a-key-set'
  | 'no-keys'
  | 'other-keys'

interface MintOptions {
  /** The key pair to sign with, by its algorithm, and the header's `alg`; 'none' leaves the token unsigned. */
  alg?: string
  /** The header's `kid`; the signing key's own by default, none if null. */
  kid?: string | null
  /** Header fields in addition to `alg`, `kid` and `typ`, or instead of them. */
  header?: Record<string, unknown>
  /** Signs instead of the issuer's key: another private key, or the bytes of a shared secret. */
  key?: CryptoKey | Uint8Array
}

interface TestIssuer {
  readonly issuer: string
  readonly jwksUri: string
  /** The clock of `iat` and `exp` (10 minutes); real time unless a test sets its app's clock. */
  clock: Clock
  /** A signed token with `iss`, `sub`, `aud`, `iat`, `exp` and `jti`; an undefined claim is omitted. */
  mint(claims?: Record<string, unknown>, options?: MintOptions): Promise<string>
  /** Replaces the keys of every algorithm. The old ones are no longer served. */
  rotate(): Promise<void>
  /** Adds a key of another algorithm, which signs if `mint` names it. */
  addAlgorithm(alg: string): Promise<void>
  /** The private half of the current signing key, to re-sign a token. */
  privateKey(alg?: string): CryptoKey
  publicJwk(alg?: string): Promise<JWK>
  /** The public half in PEM, the secret of an algorithm confusion. */
  publicPem(alg?: string): Promise<string>
  /** The number of requests for the key set, including failed ones. */
  requests(): number
  /** Makes every endpoint fail in this way; undefined repairs them. */
  fail(fault: IssuerFault | undefined): void
}

interface TestIssuerOptions {
  /** The tokens' `iss`; the endpoint's own origin by default. */
  issuer?: string
  /** The tokens' `aud`. */
  audience?: string
  algorithms?: readonly string[]
  /** The header's `typ`. */
  typ?: string
}

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** An issuer of tokens with a key set on loopback, closed with the test; its keys are created at run time. */
export async function testIssuer(t: Test, options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const { audience, algorithms = ['RS256'], typ = 'at+jwt' } = options
  const keys = new Map<string, SigningKey>()
  let fault: IssuerFault | undefined
  let requests = 0
  let serial = 0

  async function addAlgorithm(alg: string): Promise<void> {
    keys.set(alg, { kid: `${alg}-${++serial}`, ...(await generateKeyPair(alg, { extractable: true })) })
  }
  for (const alg of algorithms) await addAlgorithm(alg)

  function keyOf(alg = algorithms[0] ?? 'RS256'): SigningKey {
    const key = keys.get(alg)
    if (key === undefined) throw new Error(`This issuer has no key of ${alg}; call addAlgorithm first.`)
    return key
  }

  async function publicJwk(alg = algorithms[0] ?? 'RS256'): Promise<JWK> {
    const { kid, publicKey } = keyOf(alg)
    return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (pathname === '/jwks') requests++
    void answer(pathname, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = options.issuer ?? origin
  const jwksUri = `${origin}/jwks`
  t.teardown(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })

  async function answer(pathname: string, response: ServerResponse): Promise<void> {
    // A redirect leads to the valid answer, so that only a client that follows redirects gets it.
    const behindRedirect = pathname === '/moved/jwks'
    if (fault !== undefined && !behindRedirect && (await failed(fault, pathname, response))) return
    if (pathname === '/jwks' || behindRedirect)
      return send(response, { keys: await Promise.all([...keys.keys()].map(publicJwk)) })
    if (pathname.startsWith('/.well-known/')) return send(response, { issuer, jwks_uri: jwksUri })
    response.writeHead(404).end()
  }

  const made: TestIssuer = {
    issuer,
    jwksUri,
    clock: Date,

    async mint(claims = {}, { alg = algorithms[0] ?? 'RS256', kid, header, key } = {}) {
      const now = Math.floor(made.clock.now() / 1000)
      const defaults = { iss: issuer, sub: 'ada', aud: audience, iat: now, exp: now + 600, jti: `jti-${++serial}` }
      const named = kid === undefined && key === undefined && alg !== 'none' ? keyOf(alg).kid : kid
      const protectedHeader = { alg, typ, ...(typeof named === 'string' && { kid: named }), ...header }
      const payload = { ...defaults, ...claims } as JWTPayload
      if (protectedHeader.alg === 'none') return `${encode(protectedHeader)}.${encode(payload)}.`
      return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key ?? keyOf(alg).privateKey)
    },
    async rotate() {
      for (const alg of [...keys.keys()]) await addAlgorithm(alg)
    },
    addAlgorithm,
    privateKey: alg => keyOf(alg).privateKey,
    publicJwk,
    publicPem: alg => exportSPKI(keyOf(alg).publicKey),
    requests: () => requests,
    fail(next) {
      fault = next
    },
  }
  return made
}

/** Answers with the fault; false if the request gets the valid answer. */
async function failed(fault: IssuerFault, pathname: string, response: ServerResponse): Promise<boolean> {
  switch (fault) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'status-500':
    case 'status-404':
      response.writeHead(Number(fault.slice(-3))).end('{"error":"broken"}')
      return true
    case 'hang':
      return true
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(16 * 1024))) {}
      }
      response.on('drain', more)
      more()
      return true
    }
    case 'redirect':
      response.writeHead(302, { location: `/moved${pathname}` }).end()
      return true
    case 'not-json':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Please sign in.')
      return true
    case 'not-a-key-set':
      send(response, { keys: { kty: 'RSA' } })
      return true
    case 'no-keys':
      send(response, { keys: [] })
      return true
    case 'other-keys': {
      if (pathname !== '/jwks') return false
      const { publicKey } = await generateKeyPair('RS256', { extractable: true })
      send(response, { keys: [{ ...(await exportJWK(publicKey)), kid: 'other', alg: 'RS256', use: 'sig' }] })
      return true
    }
  }
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function encode(part: object): string {
  return base64url.encode(JSON.stringify(part))
}
