import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type AgentIdentity, type SignIn, verifiedIdentity } from './identity.ts'

interface AgentTokensOptions extends Pick<Infrastructure, 'db' | 'clock' | 'events'> {
  /** The issuers that share their subjects: one subject is one agent at all of them. */
  sharedIssuers: readonly string[]
}

/** The agents whose own tokens are linked (issuer and subject). */
export interface AgentTokens {
  /** What `of` returned within the last 10 s, unless it has changed. Synchronous, because every request needs it. */
  cached(signIn: SignIn): AgentIdentity | undefined
  /**
   * The agent of a verified token's subject, also a suspended or retired one; undefined if it is not linked to an agent.
   * Throws invalid_jwt if the keys of the agent are revoked, because it is retired, or if its owner is not a member. While
   * the database is down, answers from values of the last 10 minutes, or else throws the error of the database.
   */
  of(signIn: SignIn): Promise<AgentIdentity | undefined>
}

/** What is known of a subject: its agent, an agent that no token may act as any more, or that it is no agent's. */
type Found = AgentIdentity | 'revoked' | 'no agent'

export function createAgentTokens({ db, events, clock, sharedIssuers }: AgentTokensOptions): AgentTokens {
  const known = new ReadCache<Found>({ clock, max: 50_000 })

  // A new link concerns a subject that was no agent's. Those entries serve only while the database is down.
  events.on('agent', ({ orgId, id }) =>
    known.drop(found => typeof found === 'string' || (found.orgId === orgId && (id === null || found.agent.id === id))),
  )
  events.on('membership', ({ orgId, id }) =>
    known.drop(found => typeof found !== 'string' && found.orgId === orgId && (id === null || found.userId === id)),
  )
  events.onReset(() => known.recheckAll())

  async function find(signIn: SignIn): Promise<Found> {
    const { issuer, subject } = signIn
    // Across organizations, because the organization is unknown until the agent is found.
    const row = await acrossOrgs(db)
      .selectFrom('agent_sign_ins as s')
      .innerJoin('agents as a', join => join.onRef('a.org_id', '=', 's.org_id').onRef('a.id', '=', 's.agent_id'))
      .innerJoin('memberships as m', join =>
        join.onRef('m.org_id', '=', 'a.org_id').onRef('m.user_id', '=', 'a.owner_id'),
      )
      .where('s.subject', '=', subject)
      .where('s.issuer', 'in', sharedIssuers.includes(issuer) ? sharedIssuers : [issuer])
      .select(['a.org_id', 'a.id', 'a.status', 'm.user_id', 'm.role', 's.revoked_at', 'm.revoked_at as left_at'])
      .executeTakeFirst()
    if (row === undefined) return 'no agent'
    // The owner of a suspended agent may have left: its caller gets the reason.
    if (row.revoked_at !== null || (row.left_at !== null && row.status === 'active')) return 'revoked'
    return verifiedIdentity<AgentIdentity>({
      via: 'agent-token',
      userId: row.user_id,
      meterKey: row.id,
      orgId: row.org_id,
      role: row.role,
      agent: { id: row.id, status: row.status },
      signIn,
    })
  }

  return {
    cached(signIn) {
      const found = known.fresh(keyOf(signIn))
      return typeof found === 'string' ? undefined : found
    },

    async of(signIn) {
      const key = keyOf(signIn)
      const found = known.fresh(key) ?? (await known.read(key, () => retryRead(() => find(signIn), LOOKUP_DEADLINE_MS)))
      if (found === 'revoked')
        throw new GatewayError(
          'invalid_jwt',
          'Invalid token: its subject belongs to an agent that is retired, or has no owner. Use the credential of another agent.',
        )
      return found === 'no agent' ? undefined : found
    },
  }
}

function keyOf({ issuer, subject }: SignIn): string {
  return `${issuer} ${subject}`
}
