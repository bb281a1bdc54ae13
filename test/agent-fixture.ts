import type { Test } from 'tap'
import type { Settings } from '../lib/configuration/settings.ts'
import type { Role } from '../schemas/role.ts'
import { build } from './build.ts'
import { newsHeard } from './database.ts'
import { callerOfApp } from './journey-fixture.ts'
import { testIssuer } from './test-issuer.ts'

const AUDIENCE = 'gateway'

/** The app with a real issuer of sessions and one of MCP tokens, and what signs in there. */
export async function agentFixture(
  t: Test,
  { shareSubjects = false, ...settings }: Partial<Settings> & { shareSubjects?: boolean } = {},
) {
  const sessions = await testIssuer(t, { audience: AUDIENCE })
  const mcp = await testIssuer(t, { audience: 'http://localhost/mcp' })
  const tokens: Settings['tokens'] = {
    session: { issuer: sessions.issuer, jwksUri: sessions.jwksUri, audience: AUDIENCE },
    mcp: { issuer: mcp.issuer, jwksUri: mcp.jwksUri, scopes: [] },
    shareSubjects,
    algorithms: ['RS256'],
    maxLifetimeSeconds: 86_400,
  }
  const built = await build(t, { settings: { ...settings, tokens } })
  const { app, services, clock } = built
  sessions.clock = clock
  mcp.clock = clock
  const { organizations, agents, agentSignIns, database } = services
  const { db } = database

  const newOrg = async () => (await organizations.create({ name: 'Analytical Engines', by: 'operator' })).id

  async function join(orgId: string, sub: string, role: Role = 'member') {
    const subject = { issuer: sessions.issuer, subject: sub }
    const email = `${sub}@example.test`
    const { id: userId } = await organizations.createUser({ orgId, email, role, subject, by: 'operator' })
    return { userId, orgId, role, token: await sessions.mint({ sub }) }
  }

  /** An agent of a member, linked to a subject of the session issuer, and a token of it. */
  async function linked({ orgId, userId }: { orgId: string; userId: string }, subject = 'robot') {
    const { id } = await agents.create({ orgId, ownerId: userId, name: 'Robot', by: 'operator' })
    await agentSignIns.link(id, { issuer: sessions.issuer, subject, move: false }, { by: 'operator' })
    return { id, token: await sessions.mint({ sub: subject }) }
  }

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

  /** The status and code of a request with a credential. */
  async function outcome(credential: string): Promise<string> {
    const { status, body } = await ask(credential, 'GET', '/agents')
    return status === 200 ? '200' : `${status} ${body.error.code ?? body.error}`
  }

  return {
    ...built,
    sessions,
    mcp,
    db,
    newOrg,
    join,
    linked,
    ask,
    outcome,
    /** Calls tools with a credential. */
    as: (credential: string) => callerOfApp(built, { authorization: `Bearer ${credential}` }),
    /** Waits until the processes know of all changes. */
    settled: () => newsHeard(database),
    countUsers: async () => (await db.selectFrom('users').select('id').execute()).length,
  }
}
