import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/**
 * Checks that routes reject unknown credentials, suspended agents and users without an organization. In the fixture, the key
 * `idle` belongs to a suspended agent, and the token `a.b.c` to a user without an organization.
 */
export async function checkStrangersRefused(
  t: Test,
  app: FastifyInstance,
  routes: readonly (readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string])[],
): Promise<void> {
  for (const [method, url] of routes) {
    const answer = async (headers: Record<string, string>) => {
      const response = await app.inject({ method, url, headers })
      return { status: response.statusCode, body: response.json() }
    }
    const name = `${method} ${url}`
    t.match(await answer({}), { status: 401, body: { error: { code: 'missing_authorization' } } }, name)
    t.match(await answer({ 'x-api-key': 'x' }), { status: 401, body: { error: { code: 'invalid_api_key' } } }, name)
    t.match(await answer({ authorization: 'Bearer x.y.z' }), { status: 401, body: { error: { code: 'invalid_jwt' } } })
    t.match(await answer({ 'x-api-key': 'idle' }), { status: 403, body: { error: { code: 'agent_suspended' } } }, name)
    const orgless = await answer({ authorization: 'Bearer a.b.c' })
    t.match(orgless, { status: 400, body: { error: 'no_active_org', message: String } }, name)
  }
}
