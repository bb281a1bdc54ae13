import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs, forOrg } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { changeIn } from './change.ts'
import { requireOrganization } from './members.ts'
import { createMembers, insertMember, type Members } from './membership.ts'

export interface OrganizationsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
}

/** An organization as the operator's list has it. */
export interface Organization {
  id: string
  name: string
  /** How many members it has, without removed ones. */
  members: number
  createdAt: Date
}

/** Organizations, their users and members. */
export interface Organizations extends Members {
  /** Whether there is any yet; a first start makes one. */
  any(): Promise<boolean>
  create(name: string): Promise<{ id: string }>
  /** Every organization, the oldest first. */
  list(): Promise<Organization[]>
  /** Makes a user and his first membership; with an issuer and a subject, his sign-in points at him. */
  createUser(user: {
    orgId: string
    email: string
    role: Role
    subject?: { issuer: string; subject: string }
    by?: string
  }): Promise<{ id: string }>
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

  return {
    ...createMembers({ db, clock, audit }),

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

    async list() {
      return acrossOrgs(db)
        .selectFrom('organizations as o')
        .leftJoin('memberships as m', join => join.onRef('m.org_id', '=', 'o.id').on('m.revoked_at', 'is', null))
        .groupBy(['o.id', 'o.name', 'o.created_at'])
        .orderBy('o.created_at')
        .orderBy('o.id')
        .select(eb => ['o.id', 'o.name', 'o.created_at as createdAt', eb.fn.count<number>('m.user_id').as('members')])
        .execute()
    },

    async createUser({ orgId, email, role, subject, by }) {
      const id = ids('usr')
      await changeIn(db, orgId, async org => {
        await requireOrganization(org.db, orgId)
        await org.db.insertInto('users').values({ id, email, created_at: now() }).execute()
        if (subject !== undefined) await insertSubject(org.db, id, subject)
        await insertMember(org, audit, { userId: id, role, by, at: now() })
      })
      return { id }
    },
  }
}
