import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Database } from '../database/tables.ts'
import { type ClaimedJob, createQueue, type NewJob } from './queue.ts'
import { createRunner, LEASE_MS } from './runner.ts'

const POLL_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 3_600_000

export interface JobContext {
  id: string
  /** 1 for the first try. */
  attempt: number
  /** Aborts when the runner drains, or lost the job to another: work that can be resumed ends early. */
  signal: AbortSignal
  log: Logger
}

/** Does one job. It may run more than once: when it throws, and when its process dies on it. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<void>

/** Background work that outlives its process: rows, leased by one runner at a time. */
export interface Jobs {
  /** Names the handler of a kind; a process claims only kinds that it knows. */
  define(kind: string, handler: JobHandler): void
  /** Runs a kind again and again, so long after each run, once among all processes. */
  every(kind: string, intervalMs: number): void
  /** Adds a job; within a transaction it comes to be with its commit. */
  enqueue(db: Kysely<Database>, job: NewJob): Promise<void>
  /** Runs all that is due by the clock, and what falls due by that; answers how many ran. */
  runDue(): Promise<number>
  /** Claims from now on, about once a second. */
  start(): void
  /** Claims nothing more and waits for what runs. */
  drain(): Promise<void>
}

export interface JobsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  /** What operators see as a lease's holder: a host and process. */
  owner: string
  /** Strikes secrets out of what is kept of a failure. */
  scrub: (text: string) => string
}

export function createJobs({ db, clock, ids, log, owner, scrub }: JobsOptions): Jobs {
  // Two containers of one name and pid must not take each other's leases for their own.
  const queue = createQueue({ db, clock, ids, owner: `${owner}/${ids('job')}`, leaseMs: LEASE_MS })
  const handlers = new Map<string, JobHandler>()
  const schedules = new Map<string, number>()
  const runner = createRunner({ queue, log, run })
  let draining = false
  let scheduled = false
  let poll: NodeJS.Timeout | undefined
  let polling: Promise<unknown> = Promise.resolve()

  /** Never rejects: what the database does not take down is run again when the lease has passed. */
  async function run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { id, kind, payload, attempts } = job
    try {
      await settle(job, await outcome(() => handlerOf(kind)(payload, { id, attempt: attempts, signal, log })))
    } catch (error) {
      log.error({ err: error, job: id, kind }, 'the end of a job could not be written down')
    }
  }

  function handlerOf(kind: string): JobHandler {
    const handler = handlers.get(kind)
    if (handler === undefined) throw new Error(`No handler is defined for jobs of kind ${kind}`)
    return handler
  }

  async function settle({ id, kind, dedupe, attempts }: ClaimedJob, failure: unknown): Promise<void> {
    const interval = dedupe === scheduleOf(kind) ? schedules.get(kind) : undefined
    if (failure !== undefined) {
      const pause = Math.min(
        FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 30),
        interval ?? LONGEST_RETRY_MS,
        LONGEST_RETRY_MS,
      )
      log.error({ err: failure, job: id, kind, attempt: attempts, retryInMs: pause }, 'a job failed')
      await queue.release(id, {
        runAt: new Date(clock.now() + pause),
        attempts,
        error: scrub(describe(failure)).slice(0, 500),
      })
    } else if (interval !== undefined) {
      await queue.release(id, { runAt: new Date(clock.now() + interval), attempts: 0, error: null })
    } else {
      await queue.remove(id)
    }
  }

  async function schedule(): Promise<void> {
    for (const kind of schedules.keys()) await queue.insertOnly({ kind, payload: {}, dedupe: scheduleOf(kind) })
    scheduled = true
  }

  async function pollOnce(): Promise<void> {
    try {
      // Once is enough: the row of a schedule is given back after each run.
      if (!scheduled) await schedule()
      // Each job keeps its own time; the next poll does not wait for it.
      void (await runner.claim([...handlers.keys()]))
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be claimed')
    }
    if (!draining) poll = setTimeout(next, POLL_MS).unref()
  }

  function next(): void {
    polling = pollOnce()
  }

  return {
    define(kind, handler) {
      handlers.set(kind, handler)
    },
    every(kind, intervalMs) {
      schedules.set(kind, intervalMs)
    },
    enqueue: (on, job) => queue.insert(on, job),
    async runDue() {
      await schedule()
      for (let count = 0; ; ) {
        const begun = await runner.claim([...handlers.keys()])
        if (begun.length === 0) return count
        count += begun.length
        await Promise.all(begun)
      }
    },
    start: next,
    async drain() {
      draining = true
      clearTimeout(poll)
      runner.stop()
      // A claim that is under way may begin more.
      await polling
      await runner.idle()
    },
  }
}

const scheduleOf = (kind: string) => `every:${kind}`

/** What a handler threw; undefined when it did not. */
async function outcome(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new Error('A job threw nothing')
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
