import type { Kysely } from 'kysely'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { IdSource } from '../../schemas/primitives/ids.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { Database } from '../database/tables.ts'
import { type ClaimedJob, createQueue, type NewJob, type Queue } from './queue.ts'

const POLL_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 3_600_000

export interface JobContext {
  id: string
  /** 1 for the first try. */
  attempt: number
  /** Aborts when the runner drains or loses the job to another: resumable work should end early. */
  signal: AbortSignal
  log: Logger
}

/** Runs one job. It may run more than once: after it throws, and after its process dies. */
type JobHandler = (payload: unknown, context: JobContext) => Promise<void>

/** Background work that survives its process: table rows, each leased by one runner at a time. */
export interface Jobs {
  /** Sets the handler of a kind. A process claims only kinds that it knows. */
  define(kind: string, handler: JobHandler): void
  /** Runs a kind repeatedly, `intervalMs` after each run, once among all processes. */
  every(kind: string, intervalMs: number): void
  /** Adds a job. Within a transaction, the job exists when it commits. */
  enqueue(db: Kysely<Database>, job: NewJob): Promise<void>
  /** Runs all due jobs, and those that become due meanwhile. Returns how many ran. */
  runDue(): Promise<number>
  /** Starts to claim jobs, about once a second. */
  start(): void
  /** Claims jobs now instead of at the next poll; call it after the commit of an added job. No effect before `start`. */
  wake(): void
  /** Stops claiming, and waits for running jobs. */
  drain(): Promise<void>
}

interface JobsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  /** The lease holder as operators see it: a host and process. */
  owner: string
  /** Redacts secrets in the stored error text. */
  scrub: (text: string) => string
}

export function createJobs({ db, clock, ids, log, owner, scrub }: JobsOptions): Jobs {
  // Two containers with the same host name and PID must not mistake each other's leases for their own.
  const queue = createQueue({ db, clock, ids, owner: `${owner}/${ids('job')}`, leaseMs: LEASE_MS })
  const handlers = new Map<string, JobHandler>()
  const schedules = new Map<string, number>()
  const runner = createRunner({ queue, log, run })
  let draining = false
  let scheduled = false
  let poll: NodeJS.Timeout | undefined
  let pausing = false
  let polling: Promise<unknown> = Promise.resolve()

  /** Never rejects. If the result cannot be stored, the job runs again when its lease expires. */
  async function run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { id, kind, payload, attempts } = job
    try {
      await settle(job, await outcome(() => handlerOf(kind)(payload, { id, attempt: attempts, signal, log })))
    } catch (error) {
      log.error({ err: error, job: id, kind }, 'cannot store the result of a job')
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
      // Once is enough: the row of a schedule is released after each run.
      if (!scheduled) await schedule()
      // Not awaited: the next poll does not wait for jobs.
      void (await runner.claim([...handlers.keys()]))
    } catch (error) {
      log.warn({ err: error }, 'cannot claim jobs')
    }
    if (draining) return
    pausing = true
    poll = setTimeout(next, POLL_MS).unref()
  }

  function next(): void {
    pausing = false
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
    wake() {
      if (!pausing || draining) return
      clearTimeout(poll)
      next()
    },
    async drain() {
      draining = true
      clearTimeout(poll)
      runner.stop()
      // A claim in flight may start more jobs.
      await polling
      await runner.idle()
    },
  }
}

/** The prefix of a repeated job's ID. */
export const SCHEDULE_PREFIX = 'every:'

const scheduleOf = (kind: string) => `${SCHEDULE_PREFIX}${kind}`

/** Returns what a handler threw; undefined if it did not throw. */
async function outcome(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new Error('A job threw undefined')
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** The lease time of a job whose runner gives no sign of life. */
const LEASE_MS = 60_000
const RENEW_MS = LEASE_MS / 3
/** The maximum number of jobs that one process runs at a time. */
const CONCURRENCY = 4

interface RunnerOptions {
  queue: Queue
  log: Logger
  /** Runs a job to its end; never rejects. The signal aborts when the job is lost or the runner stops. */
  run(job: ClaimedJob, signal: AbortSignal): Promise<void>
}

/** Runs a few jobs at a time and keeps their leases. */
interface Runner {
  /** Claims and starts due jobs of these kinds. Returns the promises of the started jobs. */
  claim(kinds: string[]): Promise<Promise<void>[]>
  /** Aborts running jobs, and those that start from now on. */
  stop(): void
  /** Resolves when all started jobs have ended. */
  idle(): Promise<void>
}

function createRunner({ queue, log, run }: RunnerOptions): Runner {
  const running = new Map<string, { done: Promise<void>; abort: AbortController }>()
  let stopped = false
  let renewal: NodeJS.Timeout | undefined

  function begin(job: ClaimedJob): Promise<void> {
    const abort = new AbortController()
    if (stopped) abort.abort()
    const done = run(job, abort.signal).finally(() => {
      running.delete(job.id)
      if (running.size === 0) clearInterval(renewal)
    })
    if (running.size === 0) renewal = setInterval(() => void renew(), RENEW_MS).unref()
    running.set(job.id, { done, abort })
    return done
  }

  async function renew(): Promise<void> {
    const held = [...running.keys()]
    try {
      const kept = await queue.renew(held)
      for (const id of held) if (!kept.has(id)) running.get(id)?.abort.abort()
    } catch (error) {
      log.warn({ err: error }, 'cannot renew the leases of jobs')
    }
  }

  return {
    async claim(kinds) {
      const claimed = await queue.claim(kinds, [...running.keys()], CONCURRENCY - running.size)
      return claimed.map(begin)
    },
    stop() {
      stopped = true
      for (const { abort } of running.values()) abort.abort()
    },
    async idle() {
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}
