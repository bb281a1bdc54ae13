import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/tables.ts'
import { forOrg } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { requireOrganization } from './members.ts'

export interface OrganizationsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
}

/** Organizations, their users and members. */
export interface Organizations {
  /** Whether there is any yet; a first start makes one. */
  any(): Promise<boolean>
  create(name: string): Promise<{ id: string }>
  /** Makes a user and his first membership; with an issuer and a subject, his sign-in points at him. */
  createUser(user: {
    orgId: string
    email: string
    role: Role
    subject?: { issuer: string; subject: string }
  }): Promise<{ id: string }>
  /** Makes a user a member, also one who was removed before. Throws invalid_request for an unknown organization or user. */
  addMember(member: { orgId: string; userId: string; role: Role }): Promise<void>
}

export function createOrganizations({ db, clock, ids, audit }: OrganizationsOptions): Organizations {
  const now = () => new Date(clock.now())

  async function insertSubject(db: Kysely<Database>, userId: string, subject: { issuer: string; subject: string }) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('user_subjects')
      .values({ ...subject, user_id: userId, created_at: now() })
      .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n)
      throw new GatewayError('invalid_request', 'This issuer and subject belong to another user already.')
  }

  async function insertMember(
    db: Kysely<Database>,
    { orgId, userId, role }: { orgId: string; userId: string; role: Role },
  ) {
    const org = forOrg(db, orgId)
    await org
      .insertInto('memberships', { user_id: userId, role, created_at: now() })
      .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
      .execute()
    await audit.record(org, { userId: null, action: 'member.add', target: userId, detail: { role } })
  }

  return {
    async any() {
      return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    async create(name) {
      const id = ids('org')
      await db.transaction().execute(async trx => {
        await trx.insertInto('organizations').values({ id, name, created_at: now() }).execute()
        await audit.record(forOrg(trx, id), { userId: null, action: 'org.create', target: id, detail: { name } })
      })
      return { id }
    },

    async createUser({ orgId, email, role, subject }) {
      const id = ids('usr')
      await db.transaction().execute(async trx => {
        await requireOrganization(trx, orgId)
        await trx.insertInto('users').values({ id, email, created_at: now() }).execute()
        if (subject !== undefined) await insertSubject(trx, id, subject)
        await insertMember(trx, { orgId, userId: id, role })
      })
      return { id }
    },

    async addMember(member) {
      await db.transaction().execute(async trx => {
        await requireOrganization(trx, member.orgId)
        const user = await trx.selectFrom('users').where('id', '=', member.userId).select('id').executeTakeFirst()
        if (user === undefined) throw new GatewayError('invalid_request', `There is no user ${member.userId}.`)
        await insertMember(trx, member)
      })
    },
  }
}
