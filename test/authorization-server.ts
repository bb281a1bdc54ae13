import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { type Adapter, errors, Provider } from 'oidc-provider'
import type { Test } from 'tap'

const DAY_S = 86_400

export interface AuthorizationServer {
  readonly issuer: string
  /** The resources that it issues tokens for (RFC 8707); others are rejected as invalid_target. */
  readonly resources: Set<string>
  /** The lifetime of the access tokens that it issues from now on. */
  accessTokenSeconds: number
  /** The requested paths, in order. */
  readonly asked: string[]
  /** Signs with a new key from now on and stops publishing the old one. Clients, grants and tokens stay. */
  rotate(): Promise<void>
  /** Refuses and closes connections until it is started again on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface AuthorizationServerOptions {
  resources?: readonly string[]
  /** The signature algorithm of access tokens. */
  algorithm?: string
  /** The scope of requests without one; null if the server rejects such requests. Default: openid. */
  defaultScope?: string | null | undefined
}

/**
 * A real authorization server on loopback, closed with the test: discovery, dynamic registration, PKCE, resource
 * indicators, JWT access tokens (RFC 9068), rotating refresh tokens, and sign-in pages for any user.
 */
export async function authorizationServer(
  t: Test,
  { resources = [], algorithm = 'RS256', defaultScope = 'openid' }: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  let answer: ReturnType<Provider['callback']>
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    asked.push(url.pathname)
    // Without a requested scope it grants a default one (RFC 6749, section 3.3). oidc-provider itself would reject the
    // request.
    if (url.pathname === '/auth' && !url.searchParams.has('scope') && defaultScope !== null) {
      url.searchParams.set('scope', defaultScope)
      request.url = `${url.pathname}${url.search}`
    }
    // After a stop, the next request would fail on a kept connection.
    response.shouldKeepAlive = false
    void answer(request, response)
  })
  const start = async (port = Number(new URL(issuer).port)) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(stop)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const adapter = memory()
  const cookieKey = randomBytes(32).toString('hex')
  const made: AuthorizationServer = {
    issuer,
    resources: new Set(resources),
    accessTokenSeconds: 600,
    asked,
    async rotate() {
      answer = provider(await signingKeys(algorithm))
    },
    stop,
    start: () => start(),
  }

  function provider(keys: JWK[]): ReturnType<Provider['callback']> {
    // It prints at every start that its sign-in pages are for development only.
    const warnings = t.capture(console, 'warn')
    const oidc = new Provider(issuer, {
      adapter,
      jwks: { keys },
      cookies: { keys: [cookieKey] },
      scopes: ['openid', 'offline_access'],
      pkce: { required: () => true },
      ttl: {
        AccessToken: () => made.accessTokenSeconds,
        AuthorizationCode: 60,
        IdToken: 600,
        Interaction: 600,
        Session: DAY_S,
        RefreshToken: DAY_S,
        Grant: DAY_S,
      },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
      features: {
        devInteractions: { enabled: true },
        registration: { enabled: true },
        revocation: { enabled: true },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo(_context, resource) {
            if (!made.resources.has(resource)) throw new errors.InvalidTarget()
            return {
              scope: '',
              audience: resource,
              accessTokenFormat: 'jwt',
              accessTokenTTL: made.accessTokenSeconds,
              jwt: { sign: { alg: algorithm } },
            }
          },
        },
      },
    })
    warnings.restore()
    return oidc.callback()
  }

  await made.rotate()
  return made
}

/** Keys of both kinds: one for access tokens, and an RS256 key for ID tokens. */
async function signingKeys(algorithm: string): Promise<JWK[]> {
  const algorithms = new Set([algorithm, 'RS256'])
  return Promise.all(
    [...algorithms].map(async alg => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomBytes(8).toString('hex') }
    }),
  )
}

/** The storage of a server, which survives a rotation of its keys. */
function memory(): (model: string) => Adapter {
  const models = new Map<string, Map<string, Record<string, unknown>>>()
  return model => {
    const rows = models.get(model) ?? new Map<string, Record<string, unknown>>()
    models.set(model, rows)
    const findBy = (name: string, value: string) => [...rows.values()].find(row => row[name] === value)
    return {
      async upsert(id, payload) {
        rows.set(id, payload)
      },
      find: async id => rows.get(id),
      findByUid: async uid => findBy('uid', uid),
      findByUserCode: async userCode => findBy('userCode', userCode),
      async consume(id) {
        Object.assign(rows.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) })
      },
      async destroy(id) {
        rows.delete(id)
      },
      async revokeByGrantId(grantId) {
        for (const [id, row] of rows) if (row.grantId === grantId) rows.delete(id)
      },
    }
  }
}
