import type { Logger } from '../../schemas/log.ts'
import type { ClaimedJob, Queue } from './queue.ts'

/** The lease time of a job whose runner gives no sign of life. */
export const LEASE_MS = 60_000
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

export function createRunner({ queue, log, run }: RunnerOptions): Runner {
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
