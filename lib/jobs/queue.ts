import { type Kysely, sql } from 'kysely'
import type { IdSource } from '../../schemas/primitives/ids.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { errorCode, UNIQUE_VIOLATION } from '../database/database-errors.ts'
import type { Database } from '../database/tables.ts'

/** A job to add. */
export interface NewJob {
  kind: string
  /** JSON. */
  payload: unknown
  /** When it becomes due; at once when absent. */
  runAt?: Date
  /** While a job with this text waits, no other is added. */
  dedupe?: string
}

/** A job leased by this runner. */
export interface ClaimedJob {
  id: string
  kind: string
  payload: unknown
  dedupe: string | null
  /** The number of tries, including this one. */
  attempts: number
}

interface QueueOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** The lease holder of claimed jobs; unique per runner. */
  owner: string
  leaseMs: number
}

/** The jobs table from the view of one runner. */
export interface Queue {
  insert(db: Kysely<Database>, job: NewJob): Promise<void>
  /** Adds the job unless one with its dedupe text waits or runs. */
  insertOnly(job: NewJob & { dedupe: string }): Promise<void>
  /** Leases up to `limit` jobs that are due, or whose lease expired. */
  claim(kinds: string[], except: string[], limit: number): Promise<ClaimedJob[]>
  /** Extends the leases. Returns the IDs that are still held. */
  renew(ids: string[]): Promise<Set<string>>
  remove(id: string): Promise<void>
  /** Releases a job, to run at another time. */
  release(id: string, next: { runAt: Date; attempts: number; error: string | null }): Promise<void>
}

export function createQueue({ db, clock, ids, owner, leaseMs }: QueueOptions): Queue {
  // Leases use only the database's clock: the clocks of two processes may differ by more than a lease.
  const leaseEnd = sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`
  const held = (id: string) => db.updateTable('jobs').where('id', '=', id).where('lease_owner', '=', owner)
  const row = (job: NewJob) => ({
    id: ids('job'),
    kind: job.kind,
    payload: JSON.stringify(job.payload),
    run_at: job.runAt ?? new Date(clock.now()),
    lease_owner: null,
    lease_until: null,
    last_error: null,
    dedupe: job.dedupe ?? null,
    created_at: new Date(clock.now()),
  })

  const queue: Queue = {
    async insert(on, job) {
      await on
        .insertInto('jobs')
        .values(row(job))
        .onConflict(conflict =>
          conflict.column('dedupe').where('dedupe', 'is not', null).where('lease_owner', 'is', null).doNothing(),
        )
        .execute()
    },

    async insertOnly(job) {
      // The ID is unique, so this is safe even if another process added and started the job in the meantime.
      await db
        .insertInto('jobs')
        .values({ ...row(job), id: job.dedupe })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },

    async claim(kinds, except, limit) {
      if (kinds.length === 0 || limit <= 0) return []
      return db
        .with(
          cte => cte('due').materialized(),
          qc =>
            qc
              .selectFrom('jobs')
              .select('id')
              .where('kind', 'in', kinds)
              .where(eb => eb('id', '!=', sql<string>`all(${except}::text[])`))
              .where(eb =>
                eb.or([
                  eb.and([eb('lease_owner', 'is', null), eb('run_at', '<=', new Date(clock.now()))]),
                  eb('lease_until', '<', sql<Date>`now()`),
                ]),
              )
              .orderBy('run_at')
              .limit(limit)
              .forUpdate()
              .skipLocked(),
        )
        .updateTable('jobs')
        .from('due')
        .whereRef('jobs.id', '=', 'due.id')
        .set(eb => ({ lease_owner: owner, lease_until: leaseEnd, attempts: eb('attempts', '+', 1) }))
        .returning(['jobs.id', 'kind', 'payload', 'dedupe', 'attempts'])
        .execute()
    },

    async renew(ids) {
      const rows = await db
        .updateTable('jobs')
        .where('id', 'in', ids)
        .where('lease_owner', '=', owner)
        .set({ lease_until: leaseEnd })
        .returning('id')
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    async remove(id) {
      await db.deleteFrom('jobs').where('id', '=', id).where('lease_owner', '=', owner).execute()
    },

    async release(id, { runAt, attempts, error }) {
      try {
        await held(id)
          .set({ lease_owner: null, lease_until: null, run_at: runAt, attempts, last_error: error })
          .execute()
      } catch (failure) {
        // Another job with the same text was added while this one ran, and replaces it.
        if (errorCode(failure) !== UNIQUE_VIOLATION) throw failure
        await queue.remove(id)
      }
    },
  }
  return queue
}
