import { type Kysely, sql } from 'kysely'
import { type DatabaseClock, leaseEnd } from '../../lib/database/database-clock.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { keepDigits } from '../../lib/exact-numbers.ts'
import type { ResultText } from './stored-result.ts'

/** Calls with the same key are the same call. */
export interface CallKey {
  orgId: string
  /** The holder of the credential: a key id, or a user id for sessions. */
  holder: string
  tool: string
  key: string
}

/** The state of a call: this process runs it, another process runs it until the end of its lease, or it is done. */
type Claim =
  | { state: 'ours'; leaseUntil: Date }
  /** `leftMs` can be negative: the lease has ended. */
  | { state: 'running'; argumentsHash: string; leftMs: number }
  | { state: 'done'; argumentsHash: string; result: unknown }

/** How long a lease lasts, and how long a row is kept, in milliseconds. */
interface ClaimTimes {
  leaseMs: number
  keptMs: number
}

/** The rows of calls with a key. The end of its lease identifies a process, because it is later than all earlier ones. */
interface Claims {
  /** Claims the call if no process has it, if the lease on the same arguments has ended, or if its row is too old. */
  claim(call: CallKey, argumentsHash: string, times: ClaimTimes): Promise<Claim>
  /** Stores the result if the lease still belongs to this process; otherwise false. Runs on the given handle, if any. */
  finish(call: CallKey, leaseUntil: Date, result: ResultText, on?: Kysely<Database>): Promise<boolean>
  /** Releases the call if the lease still belongs to this process. The next call runs it. */
  release(call: CallKey, leaseUntil: Date): Promise<void>
}

export function createClaims(db: Kysely<Database>, now: DatabaseClock): Claims {
  return {
    async claim(call, argumentsHash, times) {
      const { orgId, holder, tool, key } = call
      const running = {
        arguments_hash: argumentsHash,
        state: 'running' as const,
        lease_until: leaseEnd(now, times.leaseMs),
        result: null,
        result_bytes: 0,
        created_at: now(),
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
                  eb('idempotency.created_at', '<=', sql<Date>`${now()} - ${times.keptMs} * interval '1 millisecond'`),
                  eb.and([
                    eb('idempotency.state', '=', 'running'),
                    eb('idempotency.lease_until', '<=', now()),
                    eb('idempotency.arguments_hash', '=', argumentsHash),
                  ]),
                ]),
              ),
          )
          .returning('lease_until')
          .executeTakeFirst()
        if (taken?.lease_until) return { state: 'ours', leaseUntil: taken.lease_until }

        const row = await rowOf(call).executeTakeFirst()
        // Released between the two statements, so it can be claimed again.
        if (row === undefined) continue
        const { arguments_hash, state, leftMs, text } = row
        // The driver's own parser would round large numbers.
        const result: unknown = text === null ? null : JSON.parse(text, keepDigits(text))
        return state === 'done'
          ? { state, argumentsHash: arguments_hash, result }
          : { state, argumentsHash: arguments_hash, leftMs: leftMs ?? 0 }
      }
    },

    async finish({ orgId, holder, tool, key }, leaseUntil, result, on = db) {
      const { numUpdatedRows } = await forOrg(on, orgId)
        .updateTable('idempotency')
        .set({ state: 'done', lease_until: null, result: result.text, result_bytes: result.bytes })
        .where(eb => eb.and({ holder, tool, key, state: 'running', lease_until: leaseUntil }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async release({ orgId, holder, tool, key }, leaseUntil) {
      await forOrg(db, orgId)
        .deleteFrom('idempotency')
        .where(eb => eb.and({ holder, tool, key, state: 'running', lease_until: leaseUntil }))
        .execute()
    },
  }

  function rowOf({ orgId, holder, tool, key }: CallKey) {
    return forOrg(db, orgId)
      .selectFrom('idempotency')
      .select([
        'arguments_hash',
        'state',
        sql<string | null>`result::text`.as('text'),
        sql<number | null>`(extract(epoch from lease_until - ${now()}) * 1000)::int`.as('leftMs'),
      ])
      .where(eb => eb.and({ holder, tool, key }))
  }
}
