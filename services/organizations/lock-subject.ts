import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { SignIn } from '../identity/identity.ts'

/** Whom a subject belongs to: users or an agent, never both. */
interface Holders {
  users: { issuer: string; userId: string }[]
  agents: { issuer: string; id: string; orgId: string; agentId: string }[]
}

/**
 * Whom this subject belongs to, here and at the issuers that share their subjects with this one. Locks the subject until
 * the transaction ends: two concurrent first tokens, or a token and the operator, must not give it to two holders.
 */
export async function lockSubject(
  trx: Kysely<Database>,
  { issuer, subject }: SignIn,
  sharedIssuers: readonly string[],
): Promise<Holders> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(trx)
  const issuers = sharedIssuers.includes(issuer) ? sharedIssuers : [issuer]
  const users = await trx
    .selectFrom('user_subjects')
    .where('issuer', 'in', issuers)
    .where('subject', '=', subject)
    .orderBy('issuer')
    .select(['issuer', 'user_id as userId'])
    .execute()
  // An agent of any organization.
  const agents = await acrossOrgs(trx)
    .selectFrom('agent_sign_ins')
    .where('issuer', 'in', issuers)
    .where('subject', '=', subject)
    .orderBy('issuer')
    .select(['issuer', 'id', 'org_id as orgId', 'agent_id as agentId'])
    .execute()
  return { users, agents }
}

/** Locks a subject to give it to a user. Throws invalid_request if it belongs to an agent. */
export async function lockUserSubject(
  trx: Kysely<Database>,
  signIn: SignIn,
  sharedIssuers: readonly string[],
): Promise<Holders['users']> {
  const { users, agents } = await lockSubject(trx, signIn, sharedIssuers)
  const [agent] = agents
  if (agent !== undefined)
    throw new GatewayError(
      'invalid_request',
      `This issuer and subject belong to agent ${agent.agentId} of ${agent.orgId}. The operator can unlink them.`,
    )
  return users
}
