import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { NewJob } from '../../lib/jobs/queue.ts'
import type { JobHolds } from '../billing/job-holds.ts'
import { HoldSettled } from '../billing/ledger.ts'
import type { MeteredCall } from '../billing/metered-hold.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Generation, GenerationName, GenerationRows, StoredRequest } from './generation-rows.ts'
import type { GenerationWork } from './generation-work.ts'

const KIND = 'media.generation'
/** How often a job asks for a result: at first, and later. */
const FIRST_POLL_MS = 2_000
const LATER_POLL_MS = 10_000
/** After this time, polls are rarer. */
const FIRST_POLLS_MS = 60_000
/** The maximum time of a generation. Its hold ends after 60 minutes; a later result is stored and not charged. */
const MAX_AGE_MS = 2 * 3_600_000
/** How long a shutdown waits for submissions. */
const DRAIN_MS = 15_000

/** A call that generates files. */
interface GenerateCall extends MeteredCall {
  agentId: string | null
  /** Identifies the call and its repetitions. */
  digest: string | undefined
  model: string
  request: StoredRequest
}

export interface Generations {
  /**
   * Reserves the estimate and starts the generation, or returns the one of an earlier call with the same idempotency
   * key (`repeated`).
   * Throws the errors of JobHolds.open; then nothing exists.
   */
  start(call: GenerateCall): Promise<Generation & { repeated: boolean }>
  /** Waits until the generation is at its end, at most `waitMs`. Undefined for an unknown one. */
  wait(name: GenerationName, waitMs: number, signal: AbortSignal): Promise<Generation | undefined>
  /** Asks the provider to stop, if it can. The generation may still succeed. */
  cancel(name: GenerationName): Promise<void>
  /** Waits for submissions. Those that remain have an unknown outcome. */
  close(): Promise<void>
}

interface GenerationsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'jobs'> {
  holds: JobHolds
  rows: GenerationRows
  /** Creates the steps; `ended` wakes up the calls that wait. */
  work(ended: (name: GenerationName) => void): GenerationWork
}

export function createGenerations({ db, clock, ids, jobs, holds, rows, ...options }: GenerationsOptions): Generations {
  /** The calls of this process that wait for a generation. */
  const waiting = new Map<string, Set<() => void>>()
  const submissions = new Map<Promise<void>, AbortController>()
  const work = options.work(({ id }) => {
    for (const wake of waiting.get(id) ?? []) wake()
  })

  const jobOf = ({ orgId, id }: GenerationName, afterMs: number): NewJob => ({
    kind: KIND,
    payload: { orgId, id },
    dedupe: `${KIND}:${id}`,
    runAt: new Date(clock.now() + afterMs),
  })

  async function follow(generation: Generation, signal: AbortSignal): Promise<void> {
    if (generation.state !== 'running') return work.abandon(generation)
    const age = clock.now() - generation.createdAt.getTime()
    if (age > MAX_AGE_MS) return work.expire(generation)
    await work.renewHold(generation).catch(error => {
      // A hold ends after 60 minutes. The result is stored anyway.
      if (!(error instanceof HoldSettled)) throw error
    })
    if (await work.poll(generation, signal)) return
    await rows.releaseLease(generation)
  }

  jobs.define(KIND, async (payload, { signal }) => {
    const name = payload as GenerationName
    const generation = await rows.take(name)
    if (generation !== undefined) await follow(generation, signal)
    const left = await rows.find(name)
    if (left === undefined || left.state === 'done') return
    if (left.state === 'failed') return work.releaseHold(left)
    const age = clock.now() - left.createdAt.getTime()
    await jobs.enqueue(db, jobOf(name, age < FIRST_POLLS_MS ? FIRST_POLL_MS : LATER_POLL_MS))
  })

  function submit(generation: Generation): void {
    const abort = new AbortController()
    const submission = work
      .submit(generation, abort.signal)
      // The database is unavailable: the job finds the row when its lease has ended.
      .catch(() => {})
      .finally(() => submissions.delete(submission))
    submissions.set(submission, abort)
  }

  return {
    async start({ digest, agentId, model, request, ...call }) {
      const earlier = digest === undefined ? undefined : await rows.findByDigest(call.orgId, digest)
      if (earlier !== undefined) return { ...earlier, repeated: true }
      const name = { orgId: call.orgId, id: ids('gen') }
      await holds.open(call, async ({ id: holdId }, org) => {
        const { userId, keyId, estimateMicros } = call
        const row = { ...name, userId, keyId, agentId, holdId, model, estimateMicros, request }
        await rows.insert(org, { ...row, digest: digest ?? null })
        return jobOf(name, FIRST_POLL_MS)
      })
      const generation = await rows.find(name)
      if (generation === undefined) throw new GatewayError('internal_error', 'The generation was removed.')
      submit(generation)
      return { ...generation, repeated: false }
    },

    async wait(name, waitMs, signal) {
      const until = performance.now() + waitMs
      for (;;) {
        const generation = await rows.find(name)
        const leftMs = until - performance.now()
        if (generation === undefined || isAtEnd(generation) || leftMs <= 0 || signal.aborted) return generation
        await new Promise<void>(resolve => {
          const wakers = waiting.get(name.id) ?? new Set()
          waiting.set(name.id, wakers)
          const ended = new AbortController()
          const wake = () => {
            ended.abort()
            wakers.delete(wake)
            if (wakers.size === 0) waiting.delete(name.id)
            resolve()
          }
          wakers.add(wake)
          // Another process may end it, so the row is read again after a second.
          sleep(Math.min(leftMs, 1_000), undefined, { signal: AbortSignal.any([ended.signal, signal]) }).then(
            wake,
            wake,
          )
        })
      }
    },

    cancel: rows.requestCancel,

    async close() {
      const deadline = sleep(DRAIN_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled(submissions.keys()), deadline])
      for (const abort of submissions.values()) abort.abort(new Error('The gateway is shutting down.'))
      await Promise.allSettled(submissions.keys())
    },
  }
}

/** Whether nothing changes any more. */
export function isAtEnd({ state }: Pick<Generation, 'state'>): boolean {
  return state === 'done' || state === 'failed'
}
