import type { Logger } from '../../schemas/log.ts'
import type { ClaimedJob, Queue } from './queue.ts'

/** How long a job is a runner's without a sign of life. */
export const LEASE_MS = 60_000
const RENEW_MS = LEASE_MS / 3
/** Jobs of one process at a time. */
const CONCURRENCY = 4

export interface RunnerOptions {
  queue: Queue
  log: Logger
  /** Runs a job to its end and never rejects; the signal aborts when the job is another's or the runner stops. */
  run(job: ClaimedJob, signal: AbortSignal): Promise<void>
}

/** Runs a few jobs at a time and holds on to their leases meanwhile. */
export interface Runner {
  /** Claims and begins what is due of these kinds; answers what was begun. */
  claim(kinds: string[]): Promise<Promise<void>[]>
  /** Aborts what runs, and what is begun from now on. */
  stop(): void
  /** Resolves when all that has begun has ended. */
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
      log.warn({ err: error }, 'the leases of jobs could not be renewed')
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
