import type { Test } from 'tap'
import type { Settings } from '../lib/configuration/settings.ts'
import type { Role } from '../schemas/role.ts'
import { type BuildOptions, build } from './build.ts'
import { testIssuer } from './test-issuer.ts'

const AUDIENCE = 'gateway'

interface SessionOptions extends BuildOptions {
  issuer?: Awaited<ReturnType<typeof testIssuer>>
  tokens?: Partial<Settings['tokens']>
}

/** The app with a real issuer of sessions. `shared` is the database of another app, to build a second process on it. */
export async function sessionFixture(
  t: Test,
  { issuer, tokens: ownTokens, settings, ...options }: SessionOptions = {},
) {
  const sessions = issuer ?? (await testIssuer(t, { audience: AUDIENCE }))
  const tokens: Settings['tokens'] = {
    session: { issuer: sessions.issuer, jwksUri: sessions.jwksUri, audience: AUDIENCE },
    mcp: undefined,
    shareSubjects: false,
    algorithms: ['RS256'],
    maxLifetimeSeconds: 86_400,
    ...ownTokens,
  }
  const built = await build(t, { ...options, settings: { ...settings, tokens } })
  const { app, services, clock } = built
  sessions.clock = clock
  const { organizations } = services

  /** A new token of a subject, with these claims. */
  const signIn = (sub: string, claims: Record<string, unknown> = {}) => sessions.mint({ sub, ...claims })

  /** A member of an organization who signs in as this subject. */
  async function join(orgId: string, sub: string, role: Role = 'member') {
    const subject = { issuer: sessions.issuer, subject: sub }
    const email = `${sub}@example.test`
    const { id: userId } = await organizations.createUser({ orgId, email, role, subject, by: 'operator' })
    return { userId, orgId, role, token: await signIn(sub) }
  }

  /** Sends a request with a token or an API key. */
  async function ask(
    credential: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ) {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${credential}`, ...headers },
      ...(body !== undefined && { payload: body }),
    })
    const text = response.body
    // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of many shapes
    const parsed: any = text.startsWith('{') ? JSON.parse(text) : text
    return { status: response.statusCode, headers: response.headers, body: parsed }
  }

  /** The audit rows of an organization with an action, oldest first. */
  const audited = (orgId: string, action: string) =>
    services.database.db
      .selectFrom('audit')
      .where('org_id', '=', orgId)
      .where('action', '=', action)
      .orderBy('id')
      .select(['user_id', 'target', 'detail'])
      .execute()

  const newOrg = async (name = 'Analytical Engines') => (await organizations.create({ name, by: 'operator' })).id
  return { ...built, sessions, signIn, join, ask, audited, newOrg }
}

/** An answer of account routes that rejects a request. */
export const rejected = (status: number, code: string, error: RegExp | StringConstructor = String) => ({
  status,
  body: { error, code },
})
