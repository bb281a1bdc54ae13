import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { NewJob } from '../../lib/jobs/queue.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type HoldName, HoldSettled, HoldUnknown, holdChannel } from './ledger.ts'
import { type MeteredCall, type MeteredHoldsOptions, withinBound } from './metered-hold.ts'

/** How long a hold waits for the next renewal: longer than a job's lease and a temporary outage of the database. */
const RENEWED_MS = 15 * 60_000

/**
 * Holds whose work outlives its call: each belongs to a job, which renews and settles it. A hold ends 60 minutes after it
 * was made at the latest; a later completion charges nothing and records its cost in `reconciliations`.
 */
export interface JobHolds {
  /**
   * Reserves an amount and adds the job that will settle it, in one transaction: neither exists without the other.
   * `toJob` can add rows of its own in that transaction. Throws what it throws, and the errors of Ledger.hold.
   */
  open(call: MeteredCall, toJob: (hold: HoldName, org: OrgDatabase) => NewJob | Promise<NewJob>): Promise<HoldName>
  /** Extends a hold by 15 minutes and returns when it expires. Throws HoldSettled and HoldUnknown. */
  renew(hold: HoldName): Promise<Date>
  /**
   * Charges the cost in micro-dollars, at most the bound of an overage, and stores what was paid for, in one transaction.
   * Returns the charge: 0 if the hold had expired or was released. A repetition stores nothing and returns the first
   * charge. Throws HoldUnknown.
   */
  complete(
    hold: HoldName,
    costMicros: number,
    store: (org: OrgDatabase, chargedMicros: number) => Promise<void>,
  ): Promise<number>
  /**
   * Releases a hold and stores why, in one transaction. One that was settled before stays as it is. Throws HoldUnknown.
   */
  release(hold: HoldName, store?: (org: OrgDatabase) => Promise<void>): Promise<void>
}

interface JobHoldsOptions
  extends Pick<Infrastructure, 'db'>,
    Pick<MeteredHoldsOptions, 'ids' | 'log' | 'ledger' | 'overageLimitFactor'> {
  enqueue(db: Kysely<Database>, job: NewJob): Promise<void>
}

export function createJobHolds({ db, ids, log, ledger, overageLimitFactor, enqueue }: JobHoldsOptions): JobHolds {
  const bound = { log, overageLimitFactor }

  async function find(org: OrgDatabase, id: string) {
    const row = await org.selectFrom('holds').where('id', '=', id).selectAll().executeTakeFirst()
    if (row === undefined) throw new HoldUnknown('Unknown hold')
    return row
  }

  function publish(
    row: { org_id: string; id: string; tool: string; amount_micros: number },
    state: HoldState,
    cost = 0,
  ) {
    const { org_id: orgId, id: holdId, tool, amount_micros: amountMicros } = row
    holdChannel.publish({ orgId, holdId, tool, amountMicros, state, costMicros: cost })
  }

  const holds: JobHolds = {
    async open({ orgId, userId, keyId, tool, estimateMicros }, toJob) {
      const name = { orgId, id: ids('hld') }
      await forOrg(db, orgId).transaction(async org => {
        await ledger.hold({ ...name, userId, keyId, tool, amountMicros: estimateMicros }, org.db)
        await enqueue(org.db, await toJob(name, org))
      })
      publish({ org_id: orgId, id: name.id, tool, amount_micros: estimateMicros }, 'pending')
      return name
    },

    renew: hold => ledger.renew(db, hold, RENEWED_MS),

    async complete(hold, costMicros, store) {
      try {
        const { charge, captured } = await forOrg(db, hold.orgId).transaction(async org => {
          const row = await find(org, hold.id)
          if (row.state === 'captured') return { charge: row.cost_micros ?? 0 }
          const { charge, reconcile } = withinBound(bound, {
            orgId: hold.orgId,
            id: hold.id,
            userId: row.user_id,
            keyId: row.key_id,
            tool: row.tool,
            estimateMicros: row.amount_micros,
            costMicros,
          })
          if (row.state !== 'pending') {
            const reconciled = org.updateTable('reconciliations').where('hold_id', '=', hold.id)
            await reconciled.set({ cost_micros: costMicros }).execute()
            await store(org, 0)
            return { charge: 0 }
          }
          await ledger.capture(org.db, hold, charge)
          await reconcile(org)
          await store(org, charge)
          return { charge, captured: row }
        })
        if (captured !== undefined) publish(captured, 'captured', charge)
        return charge
      } catch (error) {
        // The hold was settled between the two statements; its new state is final.
        if (error instanceof HoldSettled) return holds.complete(hold, costMicros, store)
        throw error
      }
    },

    async release(hold, store = async () => {}) {
      const org = forOrg(db, hold.orgId)
      try {
        await org.transaction(async org => {
          await ledger.release(org.db, hold)
          await store(org)
        })
        publish(await find(org, hold.id), 'released')
      } catch (error) {
        if (!(error instanceof HoldSettled)) throw error
        await store(org)
      }
    },
  }
  return holds
}
