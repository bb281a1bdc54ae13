import type { Test } from 'tap'
import { authorizationServer } from '../../fixtures/authorization-server.ts'
import { type BuildOptions, build } from '../../fixtures/build.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { testIssuer } from '../../fixtures/test-issuer.ts'

/** What a client brings, and what it must show for it. */
export interface Case {
  readonly name: 'good' | 'rejected' | 'expired' | 'limited' | 'no-organization'
  readonly origin: string
  /** A session token cannot be sent as x-api-key. */
  readonly header: 'x-api-key' | 'authorization'
  readonly credential: string
}

const AUDIENCE = 'https://gateway.example/sessions'
const DAY_MS = 86_400_000

/** Gateways on loopback, with a credential for each case. They accept sessions, and offer no sign-in to MCP clients. */
export async function clientCases(t: Test): Promise<Case[]> {
  const issuer = await testIssuer(t, { audience: AUDIENCE, typ: 'JWT' })
  const session = { issuer: issuer.issuer, jwksUri: issuer.jwksUri, audience: AUDIENCE }
  const { origin, built } = await listening(t, { settings: { tokens: { ...TOKENS, session, mcp: undefined } } })
  const [member, former] = await built.directory.members('member', 'member')
  const { key: expired } = await member.key({ expiresAt: new Date(built.clock.now() + DAY_MS) })
  const { key: rejected, id } = await former.key()
  await built.services.keys.revoke(id, { by: 'operator' })
  built.clock.advance(DAY_MS + 1)
  issuer.clock = built.clock

  const limited = await listening(t, { settings: { rateLimitMax: 1 } })
  const [eager] = await limited.built.directory.members('member')
  const { key: spent } = await eager.key()
  await fetch(`${limited.origin}/connectors`, { headers: { 'x-api-key': spent } })

  const key = 'x-api-key'
  return [
    { name: 'good', origin, header: key, credential: (await member.key()).key },
    { name: 'rejected', origin, header: key, credential: rejected },
    { name: 'expired', origin, header: key, credential: expired },
    { name: 'limited', origin: limited.origin, header: key, credential: spent },
    { name: 'no-organization', origin, header: 'authorization', credential: await issuer.mint() },
  ]
}

/** A gateway that also offers sign-in, with a valid and a rejected key. */
export async function signInCases(t: Test): Promise<Case[]> {
  const { issuer } = await authorizationServer(t)
  const { origin, built } = await listening(t, {
    settings: { tokens: { ...TOKENS, session: undefined, mcp: { issuer, jwksUri: undefined, scopes: [] } } },
  })
  const [member] = await built.directory.members('member')
  const { key: rejected, id } = await member.key()
  await built.services.keys.revoke(id, { by: 'operator' })
  const { key: good } = await member.key()
  return [
    { name: 'good', origin, header: 'authorization', credential: good },
    { name: 'rejected', origin, header: 'authorization', credential: rejected },
  ]
}

const TOKENS = {
  shareSubjects: false,
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  maxLifetimeSeconds: 86_400,
  clockToleranceSeconds: 30,
} satisfies Partial<NonNullable<BuildOptions['settings']>['tokens']>

async function listening(t: Test, options: BuildOptions) {
  const built = await build(t, options)
  const port = await freePort()
  await built.app.listen({ port, host: '127.0.0.1' })
  return { origin: `http://127.0.0.1:${port}`, built }
}
