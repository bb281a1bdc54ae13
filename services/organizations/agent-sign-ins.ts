import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { readAgent } from './agents.ts'
import { requireAuthority } from './authority.ts'
import { type Change, changeOf } from './change.ts'
import { lockSubject } from './lock-subject.ts'
import { organizationsOf, requireIssuer } from './sign-ins.ts'

/** The maximum number of sign-ins of an agent. */
const MAX_SIGN_INS = 20
/** The maximum length of a subject in a token. */
const MAX_SUBJECT = 512

/**
 * The sign-ins of agents: whose tokens are an agent's. A sign-in is one subject at all issuers that share their subjects,
 * and belongs to one agent or to one user. Every change applies within a second, at the latest after 10 s. Throws not_found
 * for an unknown agent.
 */
export interface AgentSignIns {
  /**
   * Gives a sign-in to an agent; `linked` is false if the agent has it already. With `move`, takes it from a user who is
   * not a member of any organization, such as one that its first token created; only the operator takes it from a former
   * member. Throws invalid_request if it belongs to
   * anyone else, for a retired agent, if the issuer is not a URL, and above the limit of 20 per agent.
   */
  link(id: string, signIn: SignIn & { move: boolean }, change: Change): Promise<{ id: string; linked: boolean }>
  /**
   * Removes a sign-in from an agent, by its ID or by issuer and subject. Its next token creates a user, without an
   * organization. Throws not_found if the agent lacks it.
   */
  unlink(id: string, signIn: { signInId: string } | SignIn, change: Change): Promise<SignIn>
}

interface AgentSignInsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  commands: Pick<OperatorCommands, 'linkAgent' | 'unlinkAgent' | 'unlinkSignIn'>
  /** The issuers that share their subjects. */
  sharedIssuers: readonly string[]
}

export function createAgentSignIns(options: AgentSignInsOptions): AgentSignIns {
  const { db, clock, ids, audit, sharedIssuers } = options

  return {
    async link(agentId, { issuer, subject, move }, { by }) {
      requireIssuer(issuer)
      requireSubject(subject)
      return changeOf(db, { table: 'agents', id: agentId, by }, async org => {
        await requireAuthority(org, by, [])
        if ((await readAgent(org, agentId, by)).status === 'retired')
          throw new GatewayError(
            'invalid_request',
            `Agent ${agentId} is retired, which is permanent. Create another agent.`,
          )
        const signIn = { issuer, subject }
        const { users, agents } = await lockSubject(org.db, signIn, sharedIssuers)
        const own = agents.find(one => one.agentId === agentId)
        if (own !== undefined) return { id: own.id, linked: false }
        const [other] = agents
        if (other !== undefined)
          throw inUse(by, `agent ${other.agentId}`, options.commands.unlinkAgent({ ...signIn, ...other }))
        if (users.length > 0) await takeFrom(org, users, { agentId, ...signIn, move, by })
        await requireRoom(org, agentId)
        const id = ids('asi')
        const row = { id, agent_id: agentId, issuer, subject, created_at: new Date(clock.now()) }
        await org.insertInto('agent_sign_ins', row).execute()
        await audit.record(org, { by, action: 'agent.link', target: agentId, detail: signIn })
        return { id, linked: true }
      })
    },

    async unlink(agentId, signIn, { by }) {
      return changeOf(db, { table: 'agents', id: agentId, by }, async org => {
        await readAgent(org, agentId, by)
        const removed = await org
          .deleteFrom('agent_sign_ins')
          .where('agent_id', '=', agentId)
          .where(eb =>
            'signInId' in signIn
              ? eb('id', '=', signIn.signInId)
              : eb.and([eb('issuer', '=', signIn.issuer), eb('subject', '=', signIn.subject)]),
          )
          .returning(['issuer', 'subject'])
          .executeTakeFirst()
        if (removed === undefined) throw new GatewayError('not_found', `Agent ${agentId} has no such sign-in.`)
        await audit.record(org, { by, action: 'agent.unlink', target: agentId, detail: removed })
        return removed
      })
    },
  }

  /** Takes the subject from users who are members of no organization, if the caller asks for it. */
  async function takeFrom(
    org: OrgDatabase,
    users: readonly { issuer: string; userId: string }[],
    { agentId, issuer, subject, move, by }: SignIn & { agentId: string; move: boolean; by: Actor },
  ): Promise<void> {
    for (const { userId, issuer: at } of users) {
      // Locked, so that the user does not become a member meanwhile.
      await org.db.selectFrom('users').where('id', '=', userId).select('id').forUpdate().execute()
      if ((await organizationsOf(org.db, userId)).length > 0)
        throw inUse(by, `user ${userId}`, options.commands.unlinkSignIn({ userId, issuer: at, subject }))
      // With another user, a removed member could join again: a rule or an old invitation knows only the former one.
      if (by !== 'operator' && (await wasMember(org.db, userId))) throw inUse(by, '', '')
      if (!move)
        throw inUse(
          by,
          `user ${userId}, a member of no organization`,
          options.commands.linkAgent({ agentId, issuer, subject }, { move: true }),
        )
      await org.db.deleteFrom('user_subjects').where('issuer', '=', at).where('subject', '=', subject).execute()
    }
  }
}

/** Whether a user is or was a member of any organization. */
async function wasMember(trx: Kysely<Database>, userId: string): Promise<boolean> {
  const query = acrossOrgs(trx).selectFrom('memberships').where('user_id', '=', userId).select('org_id').limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** Members learn nothing of others, who may be in another organization. */
function inUse(by: Actor, holder: string, command: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    by === 'operator'
      ? `This issuer and subject belong to ${holder}. To release them, run: ${command}`
      : 'This sign-in already belongs to another user or agent. Use another sign-in for the agent, or ask the operator to release this one.',
  )
}

function requireSubject(subject: string): void {
  if (subject === '' || subject.length > MAX_SUBJECT || /\p{Cc}/u.test(subject) || !subject.isWellFormed())
    throw new GatewayError(
      'invalid_request',
      `The subject must be 1 to ${MAX_SUBJECT} characters, exactly as in the \`sub\` of the agent's tokens.`,
    )
}

async function requireRoom(org: OrgDatabase, agentId: string): Promise<void> {
  const { count } = await org
    .selectFrom('agent_sign_ins')
    .where('agent_id', '=', agentId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_SIGN_INS)
    throw new GatewayError(
      'invalid_request',
      `An agent can have at most ${MAX_SIGN_INS} sign-ins. Remove one that is not used.`,
    )
}
