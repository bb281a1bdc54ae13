import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Actor, Audit } from '../audit/audit.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs, forOrg } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { changeIn } from './change.ts'
import { insertMember } from './members.ts'
import type { Users } from './users.ts'

export interface OrganizationsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  users: Pick<Users, 'make'>
}

/** An organization as the operator's list has it. */
export interface Organization {
  id: string
  name: string
  /** How many members it has, without removed ones. */
  members: number
  createdAt: Date
}

/** Organizations, and the users that are made for them. */
export interface Organizations {
  /** Whether there is any yet; a first start makes one. */
  any(): Promise<boolean>
  /** Makes an organization: the operator's alone, since a user reaches no other than his own. */
  create(organization: { name: string; by: 'operator' }): Promise<{ id: string }>
  /** Every organization, the oldest first. */
  list(): Promise<Organization[]>
  /**
   * Makes a user and his first membership; with an issuer and a subject, his sign-in points at him. Throws
   * invalid_request where it points at another already.
   */
  createUser(user: {
    orgId: string
    email: string
    role: Role
    subject?: { issuer: string; subject: string }
    by: Actor
  }): Promise<{ id: string }>
}

export function createOrganizations({ db, clock, ids, audit, users }: OrganizationsOptions): Organizations {
  const now = () => new Date(clock.now())

  return {
    async any() {
      return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    async create({ name, by }) {
      const id = ids('org')
      await db.transaction().execute(async trx => {
        await trx.insertInto('organizations').values({ id, name, created_at: now() }).execute()
        await audit.record(forOrg(trx, id), { by, action: 'org.create', target: id, detail: { name } })
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
        .select(eb => ['o.id', 'o.name', eb.fn.count<number>('m.user_id').as('members'), 'o.created_at as createdAt'])
        .execute()
    },

    async createUser({ orgId, email, role, subject, by }) {
      return changeIn(db, { orgId, by }, async org => {
        const { id, made } = await users.make(org.db, { email, subject })
        if (!made)
          throw new GatewayError(
            'invalid_request',
            `This issuer and subject are user ${id} already. Make him a member instead (member add).`,
          )
        await insertMember(org, audit, { userId: id, role, by, at: now() })
        return { id }
      })
    },
  }
}
