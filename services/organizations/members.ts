import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { changeIn } from './change.ts'
import { revokeKeys } from './key-queries.ts'
import { requireMember, requireOrganization, roleOf } from './requirements.ts'
import { requireUniqueEmail } from './unique-email.ts'
import { type SignIn, signInsOf } from './users.ts'

/** The member that a change affects, and who makes the change. */
interface MemberChange {
  orgId: string
  userId: string
  by: Actor
}

/** A member in the list of an organization. */
interface Member {
  userId: string
  email: string | null
  role: Role
  /** A removed member can be added again. */
  state: 'active' | 'removed'
  /** When they were first added. */
  createdAt: Date
  /** How they sign in; empty for a member who only has API keys. */
  signIns: SignIn[]
}

/** The members of organizations. Throws invalid_request if a change does not fit the current state. */
export interface Members {
  /**
   * Adds a user as a member, also after a removal. Keys from before the removal stay revoked. Without `force`, fails if
   * another member has the email of the user.
   */
  add(member: MemberChange & { role: Role; force?: boolean }): Promise<void>
  /** Changes the role of a member. Fails for the last owner. */
  setRole(member: MemberChange & { role: Role }): Promise<void>
  /**
   * Removes a member. Fails for the last owner. Revokes the member's own keys, removes their private accounts and revokes
   * the accounts' grants, and suspends their agents. The agents keep their keys: `agents.assign` resumes them under a new
   * owner, `agents.setStatus` after the member returns. Shared accounts stay.
   */
  remove(member: MemberChange): Promise<void>
  /** The members of an organization, in the order in which they joined; removed ones only on request. */
  list(orgId: string, options?: { removed?: boolean }): Promise<Member[]>
}

export interface MembersOptions {
  db: Kysely<Database>
  clock: Clock
  audit: Audit
  commands: Pick<OperatorCommands, 'setRole' | 'linkSignIn'>
  /** Removes the private accounts of a leaving member, in the transaction of the handle. */
  removeAccounts(org: OrgDatabase, userId: string, change: { by: Actor; because: string }): Promise<void>
}

export function createMembers({ db, clock, audit, commands, removeAccounts }: MembersOptions): Members {
  const now = () => new Date(clock.now())

  return {
    async add({ orgId, userId, role, by, force = false }) {
      await changeIn(db, { orgId, by }, async org => {
        // Locked, so that no sign-in is taken from a user who becomes a member.
        const found = org.db.selectFrom('users').where('id', '=', userId).select(['id', 'email']).forKeyShare()
        const user = await found.executeTakeFirst()
        if (user === undefined) throw new GatewayError('invalid_request', `There is no user ${userId}.`)
        if ((await roleOf(org, userId)) !== undefined)
          throw new GatewayError(
            'invalid_request',
            `${userId} is already a member of ${orgId}. To change their role, run: ${commands.setRole(orgId, userId, role)}`,
          )
        if (!force) {
          const [signIn] = await signInsOf(org.db, [userId])
          await requireUniqueEmail(org, user, { signIn, move: signIn !== undefined, commands })
        }
        await insertMember(org, audit, { userId, role, by, at: now() })
      })
    },

    async setRole({ orgId, userId, role, by }) {
      await changeIn(db, { orgId, by }, async org => {
        const before = await requireMember(org, userId)
        if (before === role) return
        if (before === 'owner') await requireAnotherOwner(org, userId)
        await org.updateTable('memberships').where('user_id', '=', userId).set({ role }).execute()
        await audit.record(org, { by, action: 'member.role', target: userId, detail: { role, before } })
      })
    },

    async remove({ orgId, userId, by }) {
      await changeIn(db, { orgId, by }, async org => {
        const role = await requireMember(org, userId)
        if (role === 'owner') await requireAnotherOwner(org, userId)
        const at = now()
        const because = 'member.remove'
        await org.updateTable('memberships').where('user_id', '=', userId).set({ revoked_at: at }).execute()
        await audit.record(org, { by, action: because, target: userId, detail: { role } })
        await revokeKeys(org, audit, eb => eb.and([eb('user_id', '=', userId), eb('agent_id', 'is', null)]), {
          at,
          by,
          because,
        })
        await removeAccounts(org, userId, { by, because })
        await orphanAgents(org, audit, userId, { by, because })
      })
    },

    async list(orgId, { removed = false } = {}) {
      await requireOrganization(db, orgId)
      const rows = await forOrg(db, orgId)
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .$if(!removed, query => query.where('memberships.revoked_at', 'is', null))
        .orderBy('memberships.created_at')
        .orderBy('users.id')
        .select(['users.id as userId', 'users.email', 'role', 'revoked_at', 'memberships.created_at as createdAt'])
        .execute()
      const ofUsers = Map.groupBy(
        await signInsOf(
          db,
          rows.map(({ userId }) => userId),
        ),
        ({ userId }) => userId,
      )
      return rows.map(({ revoked_at, createdAt, ...member }) => ({
        ...member,
        state: revoked_at === null ? 'active' : 'removed',
        createdAt,
        signIns: (ofUsers.get(member.userId) ?? []).map(({ issuer, subject }) => ({ issuer, subject })),
      }))
    },
  }
}

/** Adds a member, also after a removal. The caller has checked, in the transaction of the handle, that the user is not a member. */
export async function insertMember(
  org: OrgDatabase,
  audit: Audit,
  { userId, role, by, at }: { userId: string; role: Role; by: Actor; at: Date },
): Promise<void> {
  await org
    .insertInto('memberships', { user_id: userId, role, created_at: at })
    .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
    .execute()
  await audit.record(org, { by, action: 'member.add', target: userId, detail: { role } })
}

async function requireAnotherOwner(org: OrgDatabase, userId: string): Promise<void> {
  const another = await org
    .selectFrom('memberships')
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .where('revoked_at', 'is', null)
    .select('user_id')
    .limit(1)
    .executeTakeFirst()
  if (another === undefined)
    throw new GatewayError(
      'invalid_request',
      `${userId} is the last owner of ${org.orgId}. Make another member an owner first.`,
    )
}

/** Suspends the active agents of an owner who leaves. Agents that are already suspended have another reason, so a new owner does not resume them. */
async function orphanAgents(
  org: OrgDatabase,
  audit: Audit,
  ownerId: string,
  { by, because }: { by: Actor; because: string },
): Promise<void> {
  const agents = await org
    .updateTable('agents')
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'active')
    .set({ status: 'suspended', orphaned: true })
    .returning('id')
    .execute()
  const detail = { because }
  await audit.record(
    org,
    agents.map(({ id }) => ({ by, action: 'agent.suspend', target: id, detail })),
  )
}
