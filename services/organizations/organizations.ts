import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import type { BillingState } from '../../schemas/billing/money.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { changeIn } from './change.ts'
import { insertMember } from './members.ts'
import { requireIssuer } from './sign-ins.ts'
import { parseEmail, requireUniqueEmail } from './user-emails.ts'
import type { Users } from './users.ts'

/** Opens the wallet of a new organization. */
export interface OpensWallets {
  /** Creates the wallet, in the transaction that creates the organization. */
  open(org: OrgDatabase, opening: { by: Actor }): Promise<void>
}

export interface OrganizationsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  commands: Pick<OperatorCommands, 'addMember' | 'linkSignIn'>
  users: Pick<Users, 'make'>
  wallets: OpensWallets
  /** The billing states of all organizations, by id. */
  standings: { states(): Promise<ReadonlyMap<string, BillingState>> }
}

/** An organization in the operator's list. */
interface Organization {
  id: string
  name: string
  /** The number of members, without removed ones. */
  members: number
  createdAt: Date
  standing: BillingState
}

/** Organizations, and the users that the operator creates in them. */
export interface Organizations {
  /** Whether any organization exists. The bootstrap creates one if none does. */
  any(): Promise<boolean>
  count(): Promise<number>
  /** Creates an organization. Only for the operator, because users have access only to their own organizations. */
  create(organization: { name: string; by: 'operator' }): Promise<{ id: string }>
  /**
   * Creates an organization of a signed-in user, who becomes its owner. Throws invalid_request for an invalid name, and if
   * the user owns 10 organizations.
   */
  found(organization: { name: string; founder: string }): Promise<{ id: string }>
  /**
   * Stops all metered calls until `resume`, even if balance is added; false if already suspended. Only for the operator.
   * Throws invalid_request if the organization does not exist.
   */
  suspend(orgId: string, suspension: { by: 'operator' }): Promise<boolean>
  /** Ends a suspension; false if the organization is not suspended. */
  resume(orgId: string, resumption: { by: 'operator' }): Promise<boolean>
  /** Renames an organization; false if it has this name already. Throws invalid_request if it does not exist. */
  rename(orgId: string, change: { name: string; by: 'operator' }): Promise<boolean>
  /** All organizations, oldest first. */
  list(): Promise<Organization[]>
  /**
   * Creates a user with a first membership. With an issuer and a subject, that sign-in belongs to the user. Throws
   * invalid_request if the email or the issuer has the wrong form, if the sign-in belongs to another user, and without
   * `force` if another member has the email.
   */
  createUser(user: {
    orgId: string
    email: string
    role: Role
    subject?: SignIn
    by: Actor
    force?: boolean
  }): Promise<{ id: string }>
}

export function createOrganizations(options: OrganizationsOptions): Organizations {
  const { db, clock, ids, audit, commands, users, wallets, standings } = options
  const now = () => new Date(clock.now())

  /** Suspends or resumes an organization; false if nothing changes. */
  function setSuspended(orgId: string, suspend: boolean, by: 'operator'): Promise<boolean> {
    return changeIn(db, { orgId, by }, async org => {
      const { numUpdatedRows } = await org.db
        .updateTable('organizations')
        .where('id', '=', orgId)
        .where('suspended_at', suspend ? 'is' : 'is not', null)
        .set({ suspended_at: suspend ? now() : null })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await audit.record(org, { by, action: suspend ? 'org.suspend' : 'org.resume', target: orgId, detail: {} })
      return true
    })
  }

  return {
    async any() {
      return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    async count() {
      const counting = db.selectFrom('organizations').select(eb => eb.fn.countAll<number>().as('count'))
      return (await counting.executeTakeFirstOrThrow()).count
    },

    async create({ name, by }) {
      const id = ids('org')
      await db.transaction().execute(async trx => {
        await trx.insertInto('organizations').values({ id, name, created_at: now() }).execute()
        const org = forOrg(trx, id)
        await audit.record(org, { by, action: 'org.create', target: id, detail: { name } })
        await wallets.open(org, { by })
      })
      return { id }
    },

    async found({ name, founder }) {
      const id = ids('org')
      const by = { userId: founder, orgId: id }
      await db.transaction().execute(async trx => {
        await requireFewOwned(trx, founder)
        await trx
          .insertInto('organizations')
          .values({ id, name: nameOf(name), created_at: now() })
          .execute()
        const org = forOrg(trx, id)
        // First, because audit rows refer to the membership of their user.
        await insertMember(org, audit, { userId: founder, role: 'owner', by, at: now() })
        await audit.record(org, { by, action: 'org.create', target: id, detail: { name: nameOf(name) } })
        await wallets.open(org, { by })
      })
      return { id }
    },

    suspend: (orgId, { by }) => setSuspended(orgId, true, by),
    resume: (orgId, { by }) => setSuspended(orgId, false, by),

    rename(orgId, { name, by }) {
      return changeIn(db, { orgId, by }, async org => {
        const query = org.db.selectFrom('organizations').where('id', '=', orgId).select('name as before')
        const { before } = await query.executeTakeFirstOrThrow()
        if (before === name) return false
        await org.db.updateTable('organizations').where('id', '=', orgId).set({ name }).execute()
        await audit.record(org, { by, action: 'org.rename', target: orgId, detail: { name, before } })
        return true
      })
    },

    async list() {
      const states = await standings.states()
      const list = await acrossOrgs(db)
        .selectFrom('organizations as o')
        .leftJoin('memberships as m', join => join.onRef('m.org_id', '=', 'o.id').on('m.revoked_at', 'is', null))
        .groupBy('o.id')
        .orderBy('o.created_at')
        .orderBy('o.id')
        .select(eb => ['o.id', 'o.name', eb.fn.count<number>('m.user_id').as('members'), 'o.created_at as createdAt'])
        .execute()
      return list.flatMap(organization => {
        const standing = states.get(organization.id)
        // An organization that was created between the two queries is in the next list.
        return standing === undefined ? [] : { ...organization, standing }
      })
    },

    async createUser({ orgId, email: text, role, subject, by, force = false }) {
      const email = parseEmail(text)
      if (subject !== undefined) requireIssuer(subject.issuer)
      return changeIn(db, { orgId, by }, async org => {
        const { id, made } = await users.make(org.db, { email, subject })
        if (!made)
          throw new GatewayError(
            'invalid_request',
            `This issuer and subject already belong to user ${id}. Add that user as a member: ${commands.addMember(orgId, id, role)}`,
          )
        if (!force) await requireUniqueEmail(org, { id, email }, { signIn: subject, move: false, commands })
        await insertMember(org, audit, { userId: id, role, by, at: now() })
        return { id }
      })
    },
  }
}

/** The most organizations that a user may own to create another. */
const MAX_OWNED = 10
const MAX_NAME = 100

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > MAX_NAME || hasHidden(name))
    throw new GatewayError(
      'invalid_request',
      `The name of an organization is 1 to ${MAX_NAME} visible characters on one line.`,
    )
  return name
}

/** Locks the user, so that two requests at once count each other. */
async function requireFewOwned(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx.selectFrom('users').where('id', '=', userId).select('id').forUpdate().execute()
  const owned = acrossOrgs(trx).selectFrom('memberships').where('user_id', '=', userId).where('role', '=', 'owner')
  const { count } = await owned
    .where('revoked_at', 'is', null)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_OWNED)
    throw new GatewayError('invalid_request', `You own ${count} organizations. Ask the operator if you need another.`)
}
