import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { ResultText } from './stored-result.ts'

/** What makes two calls the same call. */
export interface CallKey {
  orgId: string
  /** Who holds the credential: a key id, or a user id for sessions. */
  holder: string
  tool: string
  key: string
}

/** What the table says of a call: it is ours to run, runs elsewhere until its lease is over, or has run. */
type Claim =
  | { state: 'ours' }
  | { state: 'running'; argumentsHash: string; leaseUntil: number }
  | { state: 'done'; argumentsHash: string; result: unknown }

/** Moments in milliseconds since the epoch: `keptSince` is the age at which a row counts no longer. */
interface ClaimTimes {
  now: number
  leaseUntil: number
  keptSince: number
}

/** The rows of calls that carry a key. A lease tells processes apart by its end, which lies behind that of the one before. */
interface Claims {
  /** Takes the call when nobody has it, or its process's lease ran out on the same arguments, or its row is too old. */
  claim(call: CallKey, argumentsHash: string, times: ClaimTimes): Promise<Claim>
  /** Stores the result, where the lease still is ours; tells whether it was. Runs on a handle of its caller's, where it has one. */
  finish(call: CallKey, leaseUntil: number, result: ResultText, on?: Kysely<Database>): Promise<boolean>
  /** Lets go of the call, where the lease still is ours: the next one runs it. */
  release(call: CallKey, leaseUntil: number): Promise<void>
}

export function createClaims(db: Kysely<Database>): Claims {
  return {
    async claim(call, argumentsHash, times) {
      const { orgId, holder, tool, key } = call
      const running = {
        arguments_hash: argumentsHash,
        state: 'running' as const,
        lease_until: new Date(times.leaseUntil),
        result: null,
        result_bytes: 0,
        created_at: new Date(times.now),
      }
      for (;;) {
        const taken = await forOrg(db, orgId)
          .insertInto('idempotency', { holder, tool, key, ...running })
          .onConflict(conflict =>
            conflict
              .columns(['org_id', 'holder', 'tool', 'key'])
              .doUpdateSet(running)
              .where(eb =>
                eb.or([
                  eb('idempotency.created_at', '<=', new Date(times.keptSince)),
                  eb.and([
                    eb('idempotency.state', '=', 'running'),
                    eb('idempotency.lease_until', '<=', new Date(times.now)),
                    eb('idempotency.arguments_hash', '=', argumentsHash),
                  ]),
                ]),
              ),
          )
          .returning('state')
          .executeTakeFirst()
        if (taken !== undefined) return { state: 'ours' }

        const row = await rowOf(call).executeTakeFirst()
        // Released between the two statements: free again.
        if (row === undefined) continue
        const { arguments_hash, state, lease_until, result } = row
        return state === 'done'
          ? { state, argumentsHash: arguments_hash, result }
          : { state, argumentsHash: arguments_hash, leaseUntil: lease_until?.getTime() ?? times.now }
      }
    },

    async finish({ orgId, holder, tool, key }, leaseUntil, result, on = db) {
      const { numUpdatedRows } = await forOrg(on, orgId)
        .updateTable('idempotency')
        .set({ state: 'done', lease_until: null, result: result.text, result_bytes: result.bytes })
        .where(eb => eb.and({ holder, tool, key, state: 'running', lease_until: new Date(leaseUntil) }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async release({ orgId, holder, tool, key }, leaseUntil) {
      await forOrg(db, orgId)
        .deleteFrom('idempotency')
        .where(eb => eb.and({ holder, tool, key, state: 'running', lease_until: new Date(leaseUntil) }))
        .execute()
    },
  }

  function rowOf({ orgId, holder, tool, key }: CallKey) {
    return forOrg(db, orgId)
      .selectFrom('idempotency')
      .select(['arguments_hash', 'state', 'lease_until', 'result'])
      .where(eb => eb.and({ holder, tool, key }))
  }
}
