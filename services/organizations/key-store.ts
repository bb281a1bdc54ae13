import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import { hashApiKey } from '../identity/api-keys.ts'
import { keyHint, mintApiKey } from '../identity/key-format.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Policies } from '../policies/policies.ts'
import { requireOwn } from './authority.ts'
import { type Change, changeIn, changeOf } from './change.ts'
import { type PepperUse, pepperUse, revokeKeys } from './key-queries.ts'
import {
  changesOf,
  type KeyRow,
  type KeyUpdate,
  keyRow,
  type ListedKey,
  listedKeys,
  replacedSecret,
  requireFuture,
  requireNotRevoked,
  requireOwnAgent,
} from './key-rows.ts'
import { requireMember, requireMicros, requireOrganization, requireVisibleName } from './requirements.ts'

interface KeyStoreOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  environment: GatewayEnvironment
  /** New keys use the first one. */
  peppers: KeyRing
  policies: Pick<Policies, 'set'>
}

/** A key to create. */
interface NewKey {
  orgId: string
  /** The member that the key acts as. For an agent's key, the owner of the agent. */
  userId: string
  agentId?: string
  name?: string
  /** When the key expires; never if absent. */
  expiresAt?: Date
  /** What the key may spend per month (UTC), in micro-dollars; unlimited if absent. */
  monthlyCapMicros?: number
  by: Actor
}

/**
 * Creates, changes and lists API keys. Changes throw not_found for an unknown id, and for a member the key of another one.
 */
export interface KeyStore {
  /**
   * Creates a key. Only this result contains the secret. Throws invalid_request for a user who is not a member, a retired
   * agent, an expiry in the past, and an invalid cap. In a transaction, pass its handle.
   */
  create(key: NewKey, on?: Kysely<Database>): Promise<{ id: string; key: string }>
  /**
   * Replaces the secret of a key, which keeps its id, cap and spending. The replaced secret stays valid for
   * `overlapSeconds`; the one that an earlier rotation replaced becomes invalid. Only this result contains the secret.
   * Throws invalid_request for a key that is revoked or expired.
   */
  rotate(
    id: string,
    rotation: Change & { overlapSeconds: number },
    on?: Kysely<Database>,
  ): Promise<{ id: string; key: string; previousExpiresAt: Date | null }>
  /** Changes the name, the expiry, the cap or the policy of a key, effective immediately. Throws invalid_request for a revoked key. */
  update(id: string, update: KeyUpdate, change: Change): Promise<void>
  /** Revokes a key permanently, also its replaced secret; false if it was already revoked. */
  revoke(id: string, change: Change): Promise<boolean>
  /** The keys of an organization, including revoked and expired ones, oldest first. */
  list(orgId: string): Promise<ListedKey[]>
  /** A page of the keys of an organization, or of one member, newest first. */
  page(
    of: { orgId: string; userId?: string | undefined; agentId?: string | undefined },
    page: PageRequest,
  ): Promise<{ rows: ListedKey[]; nextCursor: string | null }>
  /** One key; undefined if the organization has none with this id. */
  find(orgId: string, id: string): Promise<ListedKey | undefined>
  /** Counts the active keys of this environment per pepper: first the configured peppers, then the missing ones. */
  pepperUse(): Promise<PepperUse[]>
}

export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const { db, clock, ids, audit, environment, peppers, policies } = options
  const [pepper] = peppers
  const now = () => new Date(clock.now())

  function newSecret() {
    const key = mintApiKey(environment)
    return { key, stored: { hash: hashApiKey(key, pepper), pepper_id: pepper.id, ...keyHint(key) } }
  }

  /** Changes a key that the actor may see. */
  function changeKey<R>(
    id: string,
    { by }: Change,
    work: (org: OrgDatabase, key: KeyRow) => Promise<R>,
    on = db,
  ): Promise<R> {
    return changeOf(on, { table: 'api_keys', id, by }, async org => {
      const key = await keyRow(org, id)
      await requireOwn(org, by, key.user_id, () => new GatewayError('not_found', `There is no key ${id}.`))
      return work(org, key)
    })
  }

  return {
    async create({ orgId, userId, agentId, name = 'API key', expiresAt, monthlyCapMicros, by }, on = db) {
      requireVisibleName(name)
      if (expiresAt !== undefined) requireFuture(expiresAt, now())
      if (monthlyCapMicros !== undefined) requireMicros('monthly_cap_micros', monthlyCapMicros, { from: 0 })
      const id = ids('key')
      const { key, stored } = newSecret()
      await changeIn(on, { orgId, by }, async org => {
        await requireMember(org, userId)
        if (agentId !== undefined) await requireOwnAgent(org, agentId, userId)
        const owner = { user_id: userId, agent_id: agentId ?? null }
        const limits = { expires_at: expiresAt ?? null, monthly_cap_micros: monthlyCapMicros ?? null }
        await org.insertInto('api_keys', { id, ...owner, name, ...stored, ...limits, created_at: now() }).execute()
        const detail = { name, userId, agentId, monthlyCapMicros }
        await audit.record(org, { by, action: 'key.create', target: id, detail })
      })
      return { id, key }
    },

    async rotate(id, { overlapSeconds, ...change }, on) {
      const { key, stored } = newSecret()
      let previousExpiresAt: Date | null = null
      const replace = async (org: OrgDatabase, before: KeyRow) => {
        requireNotRevoked(before)
        if (before.expires_at !== null && before.expires_at <= now())
          throw new GatewayError('invalid_request', `Key ${id} has expired. Create another key.`)
        const replaced = replacedSecret(before, { from: clock.now(), seconds: overlapSeconds })
        previousExpiresAt = replaced.previous_expires_at
        await org
          .updateTable('api_keys')
          .where('id', '=', id)
          .set({ ...stored, ...replaced })
          .execute()
        const detail = { overlapSeconds, last4: stored.last4, before: before.last4 }
        await audit.record(org, { by: change.by, action: 'key.rotate', target: id, detail })
      }
      await changeKey(id, change, replace, on)
      return { id, key, previousExpiresAt }
    },

    async update(id, update, change) {
      const { name, expiresAt, monthlyCapMicros, policy } = update
      if (name !== undefined) requireVisibleName(name)
      if (expiresAt != null) requireFuture(expiresAt, now())
      if (monthlyCapMicros != null) requireMicros('monthly_cap_micros', monthlyCapMicros, { from: 0 })
      await changeKey(id, change, async (org, before) => {
        requireNotRevoked(before)
        if (policy !== undefined) await policies.set(org, { layer: 'key', subject: id }, policy, change.by)
        const changes = changesOf(before, update)
        if (changes.length === 0) return
        const set = Object.assign({}, ...changes.map(({ set }) => set))
        await org.updateTable('api_keys').where('id', '=', id).set(set).execute()
        const rows = changes.map(({ action, detail }) => ({ by: change.by, action, target: id, detail }))
        await audit.record(org, rows)
      })
    },

    revoke: (id, change) =>
      changeKey(id, change, async org => {
        const revoked = await revokeKeys(org, audit, eb => eb('id', '=', id), { at: now(), by: change.by })
        return revoked > 0
      }),

    async list(orgId) {
      await requireOrganization(db, orgId)
      return listedKeys(db, orgId).orderBy('created_at').orderBy('id').execute()
    },

    page: ({ orgId, userId, agentId }, page) =>
      readPage(
        listedKeys(db, orgId)
          .$if(userId !== undefined, query => query.where('user_id', '=', userId ?? ''))
          .$if(agentId !== undefined, query => query.where('agent_id', '=', agentId ?? '')),
        { list: 'api-keys', at: 'created_at', id: 'id' },
        page,
      ),

    find: (orgId, id) => listedKeys(db, orgId).where('id', '=', id).executeTakeFirst(),

    pepperUse: () => pepperUse(db, { peppers, environment, clock }),
  }
}
