import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { requireAuthority } from './authority.ts'
import { changeIn } from './change.ts'
import { revokeKeys } from './key-queries.ts'
import { notMember, requireMember, requireOrganization, roleOf } from './requirements.ts'
import { requireUniqueEmail } from './user-emails.ts'
import { signInsOf } from './users.ts'

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

/** A member as the other members see them. Only the operator sees sign-ins. */
interface ListedMember {
  userId: string
  email: string | null
  role: Role
  joinedAt: Date
}

/** The members of organizations. Throws invalid_request if a change does not fit the current state. */
export interface Members {
  /**
   * Adds a user as a member, also after a removal. Keys from before the removal stay revoked. Without `force`, fails if
   * another member has the email of the user.
   */
  add(member: MemberChange & { role: Role; force?: boolean }): Promise<void>
  /**
   * Changes the role of a member. Fails for the last owner. Throws not_found for anyone who is not a member, and
   * admin_required for a user who may not give or take the role.
   */
  setRole(member: MemberChange & { role: Role }): Promise<void>
  /**
   * Removes a member. Fails for the last owner. Revokes the member's own keys, removes their private accounts and revokes
   * the accounts' grants, and suspends their agents. The agents keep their keys: `agents.assign` resumes them under a new
   * owner, `agents.setStatus` after the member returns. Shared accounts stay. Throws not_found for anyone who is not a
   * member, and admin_required for a user who may not remove them; members may remove themselves.
   */
  remove(member: MemberChange): Promise<void>
  /** A page of the members, newest first. Throws invalid_request for a cursor of another list. */
  page(orgId: string, page: PageRequest): Promise<{ rows: ListedMember[]; nextCursor: string | null }>
  /** One member. Throws not_found for anyone else. */
  find(orgId: string, userId: string): Promise<ListedMember>
  /** The members of an organization, in the order in which they joined; removed ones only on request. */
  list(orgId: string, options?: { removed?: boolean }): Promise<Member[]>
}

export interface MembersOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  commands: Pick<OperatorCommands, 'setRole' | 'linkSignIn'>
  /** Removes the private accounts of a leaving member, in the transaction of the handle. */
  removeAccounts(org: OrgDatabase, userId: string, change: { by: Actor; because: string }): Promise<void>
}

export function createMembers({ db, clock, audit, commands, removeAccounts }: MembersOptions): Members {
  const now = () => new Date(clock.now())

  return {
    async add({ orgId, userId, role, by, force = false }) {
      await changeIn(db, { orgId, by }, async org => {
        const user = await lockUser(org.db, userId)
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
        const before = await requireMember(org, userId, 'not_found')
        await requireAuthority(org, by, [before, role])
        if (before === role) return
        if (before === 'owner') await requireAnotherOwner(org, userId)
        await org.updateTable('memberships').where('user_id', '=', userId).set({ role }).execute()
        await audit.record(org, { by, action: 'member.role', target: userId, detail: { role, before } })
      })
    },

    async remove({ orgId, userId, by }) {
      await changeIn(db, { orgId, by }, async org => {
        const role = await requireMember(org, userId, 'not_found')
        if (typeof by === 'string' || by.userId !== userId) await requireAuthority(org, by, [role])
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

    page(orgId, page) {
      return readPage(listed(db, orgId), { list: 'members', at: 'memberships.created_at', id: 'users.id' }, page)
    },

    async find(orgId, userId) {
      const query = listed(db, orgId).where('users.id', '=', userId)
      const found = isId('usr', userId) ? await query.executeTakeFirst() : undefined
      if (found === undefined) throw notMember(orgId, userId, 'not_found')
      return found
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

function listed(db: Kysely<Database>, orgId: string) {
  return forOrg(db, orgId)
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.revoked_at', 'is', null)
    .select(['users.id as userId', 'users.email', 'role', 'memberships.created_at as joinedAt'])
}

/** A user, locked until the transaction ends, so that no sign-in is taken from a user who becomes a member. */
export function lockUser(trx: Kysely<Database>, userId: string) {
  return trx.selectFrom('users').where('id', '=', userId).select(['id', 'email']).forKeyShare().executeTakeFirst()
}

/** Adds a member, also after a removal. The caller has checked, in the transaction of the handle, that the user is not a member. */
export async function insertMember(
  org: OrgDatabase,
  audit: Audit,
  { userId, role, by, at, detail }: { userId: string; role: Role; by: Actor; at: Date; detail?: object },
): Promise<void> {
  await org
    .insertInto('memberships', { user_id: userId, role, created_at: at })
    .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
    .execute()
  await audit.record(org, { by, action: 'member.add', target: userId, detail: { role, ...detail } })
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
