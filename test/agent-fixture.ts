import type { Test } from 'tap'
import type { Settings } from '../lib/configuration/settings.ts'
import { newsHeard } from './database.ts'
import { callerOfApp } from './journey-fixture.ts'
import { sessionFixture } from './session-fixture.ts'
import { testIssuer } from './test-issuer.ts'

/** The app with a real issuer of sessions and one of MCP tokens, and what signs in there. */
export async function agentFixture(
  t: Test,
  { shareSubjects = false, ...settings }: Partial<Settings> & { shareSubjects?: boolean } = {},
) {
  const mcp = await testIssuer(t, { audience: 'http://localhost/mcp' })
  const tokens = { mcp: { issuer: mcp.issuer, jwksUri: mcp.jwksUri, scopes: [] }, shareSubjects }
  const fixture = await sessionFixture(t, { settings, tokens })
  const { sessions, ask, services, clock } = fixture
  mcp.clock = clock
  const { agents, agentSignIns, database } = services
  const { db } = database

  /** An agent of a member, linked to a subject of the session issuer, and a token of it. */
  async function linked({ orgId, userId }: { orgId: string; userId: string }, subject = 'robot') {
    const { id } = await agents.create({ orgId, ownerId: userId, name: 'Robot', by: 'operator' })
    await agentSignIns.link(id, { issuer: sessions.issuer, subject, move: false }, { by: 'operator' })
    return { id, token: await sessions.mint({ sub: subject }) }
  }

  /** The status and code of a request with a credential. */
  async function outcome(credential: string): Promise<string> {
    const { status, body } = await ask(credential, 'GET', '/agents')
    return status === 200 ? '200' : `${status} ${body.error.code ?? body.error}`
  }

  return {
    ...fixture,
    ...{ mcp, db, linked, outcome },
    /** Calls tools with a credential. */
    as: (credential: string) => callerOfApp(fixture, { authorization: `Bearer ${credential}` }),
    /** Waits until the processes know of all changes. */
    settled: () => newsHeard(database),
    countUsers: async () => (await db.selectFrom('users').select('id').execute()).length,
  }
}
