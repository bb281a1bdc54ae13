import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { sql } from 'kysely'
import type { Test } from 'tap'
import type { DatabaseClock } from '../lib/database/database-clock.ts'
import type { DatabaseEvents } from '../lib/database/events.ts'
import { GatewayError } from '../lib/errors/errors.ts'
import { PublicHosts } from '../lib/http/public-hosts.ts'
import { createScrubber } from '../lib/logging/scrub.ts'
import type { IdentityOptions } from '../plugins/identity/plugin.ts'
import type { OriginOptions } from '../plugins/origin/plugin.ts'
import type { Clock } from '../schemas/time.ts'
import type { AgentTokens } from '../services/identity/agent-tokens.ts'
import { type ApiKeyIdentity, type UserIdentity, verifiedIdentity } from '../services/identity/identity.ts'
import type { CallingClient } from '../services/mcp/contract.ts'

/** A bare Fastify instance, for the test of one plugin. Closed with the test. */
export function bare(t: Test, options: FastifyServerOptions = {}): FastifyInstance {
  const app = Fastify({
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    ...options,
  })
  t.teardown(() => app.close())
  return app
}

/** Events that never arrive. */
export const NO_EVENTS: DatabaseEvents = { on: () => () => {}, onReset: () => () => {} }

/** A clock that advances only on request. */
export function testClock(start = Date.UTC(2026, 10, 21)): Clock & { advance(milliseconds: number): void } {
  let now = start
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds
    },
  }
}

/** A clock as the one of the database, for leases that end when the test says so. */
export function asDatabaseClock(clock: Clock): DatabaseClock {
  return () => sql<Date>`${new Date(clock.now())}::timestamptz`
}

/** Redacts secrets that are recognizable by their form. */
export const { text: scrub } = createScrubber()

/** The origin plugin's options for requests made by `inject`, whose Host is localhost:80. */
export const localhost: OriginOptions = {
  hosts: new PublicHosts(() => ['http://localhost']),
  corsOrigins: [],
  trustsProxy: false,
  hsts: false,
}

/** A verified key holder with made-up ids. */
export function keyHolder(facts: Partial<ApiKeyIdentity> = {}): ApiKeyIdentity {
  return verifiedIdentity<ApiKeyIdentity>({
    via: 'api-key',
    userId: `usr_${'a'.repeat(32)}`,
    orgId: `org_${'a'.repeat(32)}`,
    keyId: `key_${'a'.repeat(32)}`,
    meterKey: `key_${'a'.repeat(32)}`,
    role: 'owner',
    agent: null,
    expiresAt: null,
    ...facts,
  })
}

/** A verified session with made-up ids. */
export function session(facts: Partial<UserIdentity> = {}): UserIdentity {
  const userId = `usr_${'b'.repeat(32)}`
  return verifiedIdentity<UserIdentity>({ via: 'session', userId, meterKey: userId, clientId: '', ...facts })
}

/** Identity options that accept only these keys and tokens. */
export function known({
  keys = {},
  tokens = {},
}: {
  keys?: Record<string, ApiKeyIdentity>
  tokens?: Record<string, UserIdentity>
}): IdentityOptions {
  const apiKeys: IdentityOptions['apiKeys'] = {
    cached: () => undefined,
    verify: async key => keys[key],
    rejection: () => new GatewayError('invalid_api_key', 'This API key is unknown.'),
  }
  return {
    apiKeys,
    scopes: [],
    jwts: {
      cached: () => undefined,
      async verify(token) {
        const user = tokens[token]
        if (user === undefined) throw new GatewayError('invalid_jwt', 'This token is unknown.')
        return user
      },
    },
  }
}

/** No subject is an agent's. */
export const NO_AGENTS: AgentTokens = { cached: () => undefined, of: async () => undefined }

/** A client without a name or version. */
export const QUIET_CLIENT: CallingClient = { generation: 'legacy', capabilities: {}, trace: {} }
