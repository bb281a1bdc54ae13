import { type Kysely, type Selectable, sql } from 'kysely'
import { databaseClock, leaseEnd } from '../../lib/database/database-clock.ts'
import type { GenerationsTable } from '../../lib/database/media-tables.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { ErrorCode } from '../../lib/errors/errors.ts'
import type { MediaPrice } from '../../schemas/tools/media.ts'

/** The organization and ID of a generation. */
export interface GenerationName {
  orgId: string
  /** `gen_…` */
  id: string
}

/** What was asked for, with the price of that time. */
export interface StoredRequest {
  args: Record<string, unknown>
  prompt: string
  n: number
  images: readonly string[]
  price: MediaPrice
  /** The most that the caller pays, if they set a limit. */
  maxMicros?: number
}

/** How a generation ended. */
export type GenerationResult =
  | {
      artifacts: readonly { id: string; media_type: string; bytes: number; expires_at: string }[]
      warnings: readonly string[]
    }
  | { code: ErrorCode; message: string; retryAfter?: number | undefined; unsettled?: boolean }

/** A generation as its job sees it. */
export interface Generation extends GenerationName {
  userId: string
  keyId: string | null
  agentId: string | null
  holdId: string
  model: string
  state: GenerationsTable['state']
  /** Null after the end. */
  request: StoredRequest | null
  operation: unknown
  result: GenerationResult | null
  estimateMicros: number
  costMicros: number | null
  cancelRequested: boolean
  createdAt: Date
}

/** How long a process may be silent before another one continues its work. */
const LEASE_MS = 30_000
/** How long an idempotency key identifies a call. */
const KEY_KEPT_MS = 24 * 3_600_000

/** The rows of generations. */
export function createGenerationRows(db: Kysely<Database>) {
  const rowOf = ({ orgId, id }: GenerationName, on = db) =>
    forOrg(on, orgId).updateTable('generations').where('id', '=', id)
  const lease = leaseEnd(databaseClock, LEASE_MS)

  async function find(orgId: string, where: { id: string } | { digest: string }): Promise<Generation | undefined> {
    const query = forOrg(db, orgId).selectFrom('generations').selectAll()
    const row = await ('id' in where
      ? query.where('id', '=', where.id)
      : query
          .where('idempotency_digest', '=', where.digest)
          .where('created_at', '>', sql<Date>`now() - ${KEY_KEPT_MS} * interval '1 millisecond'`)
    ).executeTakeFirst()
    return row && toGeneration(row)
  }

  return {
    find: ({ orgId, id }: GenerationName) => find(orgId, { id }),
    /** The generation of an earlier call with the same idempotency key. */
    findByDigest: (orgId: string, digest: string) => find(orgId, { digest }),

    /** Adds a generation to whose work this process holds the lease. */
    async insert(
      org: OrgDatabase,
      row: Pick<Generation, 'id' | 'userId' | 'keyId' | 'agentId' | 'holdId' | 'model' | 'estimateMicros'> & {
        digest: string | null
        request: StoredRequest
      },
    ): Promise<void> {
      const { digest } = row
      if (digest !== null)
        await org
          .updateTable('generations')
          .set({ idempotency_digest: null })
          .where('idempotency_digest', '=', digest)
          .where('created_at', '<=', sql<Date>`now() - ${KEY_KEPT_MS} * interval '1 millisecond'`)
          .execute()
      await org
        .insertInto('generations', {
          id: row.id,
          user_id: row.userId,
          key_id: row.keyId,
          agent_id: row.agentId,
          idempotency_digest: digest,
          hold_id: row.holdId,
          model: row.model,
          state: 'created',
          request: JSON.stringify(row.request),
          operation: null,
          result: null,
          estimate_micros: row.estimateMicros,
          cost_micros: null,
          lease_until: lease,
        })
        .execute()
    },

    /** Takes the lease, if no process holds it. Returns the generation if it is not at its end. */
    async take(name: GenerationName): Promise<Generation | undefined> {
      const row = await rowOf(name)
        .set({ lease_until: lease })
        .where('state', 'not in', ['done', 'failed'])
        .where(eb => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', sql<Date>`now()`)]))
        .returningAll()
        .executeTakeFirst()
      return row && toGeneration(row)
    },

    async renewLease(name: GenerationName): Promise<void> {
      await rowOf(name).set({ lease_until: lease }).where('lease_until', 'is not', null).execute()
    },

    async releaseLease(name: GenerationName): Promise<void> {
      await rowOf(name).set({ lease_until: null }).execute()
    },

    /** Records that the provider may get the request from now on. Returns false if another process has ended the work. */
    async submitting(name: GenerationName): Promise<boolean> {
      const { numUpdatedRows } = await rowOf(name)
        .set({ state: 'submitting' })
        .where('state', '=', 'created')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Records the provider's name of the work, which any process can follow from now on. */
    async running(name: GenerationName, operation: unknown): Promise<void> {
      await rowOf(name)
        .set({ state: 'running', operation: JSON.stringify(operation), lease_until: null })
        .where('state', '=', 'submitting')
        .execute()
    },

    async requestCancel(name: GenerationName): Promise<void> {
      await rowOf(name).set({ cancel_requested: true }).where('state', 'not in', ['done', 'failed']).execute()
    },

    /** Ends a generation, in the transaction that settles its hold. The first end counts. */
    async end(
      org: OrgDatabase,
      { id }: GenerationName,
      end: { costMicros: number | null; result: GenerationResult; keepsKey: boolean },
    ): Promise<void> {
      await org
        .updateTable('generations')
        .where('id', '=', id)
        .where('state', 'not in', ['done', 'failed'])
        .set({
          state: end.costMicros === null ? 'failed' : 'done',
          cost_micros: end.costMicros,
          result: JSON.stringify(end.result),
          request: null,
          lease_until: null,
          finished_at: sql<Date>`now()`,
          ...(!end.keepsKey && { idempotency_digest: null }),
        })
        .execute()
    },
  }
}

export type GenerationRows = ReturnType<typeof createGenerationRows>

function toGeneration(row: Selectable<GenerationsTable>): Generation {
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))
  return {
    orgId: row.org_id,
    id: row.id,
    userId: row.user_id,
    keyId: row.key_id,
    agentId: row.agent_id,
    holdId: row.hold_id,
    model: row.model,
    state: row.state,
    request: parsed(row.request),
    operation: parsed(row.operation),
    result: parsed(row.result),
    estimateMicros: row.estimate_micros,
    costMicros: row.cost_micros,
    cancelRequested: row.cancel_requested,
    createdAt: row.created_at,
  }
}
