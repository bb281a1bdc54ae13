import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Kysely } from 'kysely'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { type DatabaseClock, databaseClock } from '../../lib/database/database-clock.ts'
import { withDeadline } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { isDone as isDoneByTool, type ToolResult } from '../mcp/mcp-types.ts'
import { type CallKey, createClaims } from './claims.ts'
import type { ResultLimits } from './result-quota.ts'
import { createResultQuota } from './result-quota.ts'
import { type ResultText, readResult, storeFailure, storeResult, storeUnsettled } from './stored-result.ts'

/** How long a key and its result are stored. */
const KEPT_MS = 24 * 3_600_000
/** The lease of a running call. It exceeds the longest tool deadline, so a process that holds a longer one has died. */
const LEASE_MS = 90_000
/** How long a caller waits for another process. The official clients give up at 60 s. */
const CALLER_WAITS_MS = 50_000
/** How long a caller waits until the result is stored. While the database hangs, the write continues in the background and may fail. */
const SETTLE_MS = 1_500
const POLL_FIRST_MS = 50
const POLL_MOST_MS = 1_000

/** What a route answers to a request with an idempotency key. */
interface RouteAnswer {
  status: number
  body: object
}

/** A call of a tool or a route that carries an idempotency key. */
interface KeyedCall extends CallKey {
  args: unknown
}

/** Stores an answer in a transaction; false if another process has taken over the call. */
export type StoreResult = (db: Kysely<Database>) => Promise<boolean>

/**
 * Makes the runner of a call responsible for storing its answer: a result, or a failure that the call was charged for.
 * Returns a function that stores the answer in the runner's own transaction, so that it commits together with the runner's
 * other writes.
 */
export type KeepAnswer = (answer: CallToolResult | GatewayError) => StoreResult

export interface Idempotency {
  /**
   * Runs a call once per key. A repeated call gets the first result, a concurrent one waits for it. The result is stored as
   * JSON. After a failure (`isError` or thrown), or if the tool asks for input, the next call runs. After an unsettled failure
   * it does not, and after a failure that the runner keeps, it gets that failure. Holds no database connection while `run` runs.
   * Throws idempotency_conflict for the same key with other arguments and after an unsettled failure, invalid_request for an
   * invalid key, timeout if another process still runs the call after 50 s, and a kept failure.
   */
  once<R extends ToolResult | RouteAnswer>(call: KeyedCall, run: (keep: KeepAnswer) => Promise<R>): Promise<R>
  /** Waits for the running deletions of old results. */
  close(): Promise<void>
}

export interface IdempotencyOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  /** Ends leases and results. */
  databaseNow?: DatabaseClock
  log?: Pick<Logger, 'error'>
  limits: ResultLimits
  /** Waits between two checks of a call that another process runs. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** Stores the results of calls with an idempotency key for 24 hours. */
export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { db, clock, databaseNow = databaseClock, log, limits, wait = sleep } = options
  const claims = createClaims(db, databaseNow)
  const quota = createResultQuota({ db, log, limits })
  /** The calls that this process runs. They resolve to the result, or to undefined after a failure, which only its caller gets. */
  const inFlight = new Map<string, Promise<Result | undefined>>()

  /** The end of the lease if this process runs the call; otherwise the result of the process that ran it. */
  async function claimOrWait(call: CallKey, argumentsHash: string): Promise<Date | Result> {
    const giveUpAt = clock.now() + CALLER_WAITS_MS
    for (let pause = POLL_FIRST_MS; ; pause = Math.min(2 * pause, POLL_MOST_MS)) {
      const claim = await claims.claim(call, argumentsHash, { leaseMs: LEASE_MS, keptMs: KEPT_MS })
      if (claim.state === 'ours') return claim.leaseUntil
      if (claim.argumentsHash !== argumentsHash)
        throw new GatewayError(
          'idempotency_conflict',
          'This idempotency key was already used for a different request. Use a new key for a new request.',
        )
      if (claim.state === 'done') return readResult(claim.result) as Result
      if (clock.now() >= giveUpAt)
        throw new GatewayError('timeout', 'A call with this idempotency key is still running. Retry with the same key.')
      await wait(Math.min(pause, Math.max(1, claim.leftMs)))
    }
  }

  async function finish(call: CallKey, leaseUntil: Date, result: ResultText, on = db): Promise<boolean> {
    const finished = await claims.finish(call, leaseUntil, result, on)
    if (finished) quota.stored(call.orgId, result.bytes)
    return finished
  }

  async function runOnce(call: CallKey, argumentsHash: string, run: Runner): Promise<Result> {
    const claimed = await claimOrWait(call, argumentsHash)
    if (!(claimed instanceof Date)) return claimed
    let stored: ResultText | undefined
    let leftToRunner = false
    const keep: KeepAnswer = answer => {
      const text = answer instanceof GatewayError ? storeFailure(answer) : storeResult(answer)
      leftToRunner = true
      return on => finish(call, claimed, text, on)
    }
    try {
      const result = await run(keep)
      if (!leftToRunner && isDone(result)) stored = storeResult(result)
      return result
    } catch (error) {
      if (error instanceof GatewayError && error.unsettled) stored = storeUnsettled()
      throw error
    } finally {
      if (!leftToRunner) await settle(call, claimed, stored)
    }
  }

  /** Never throws: the caller gets the tool's result even if it cannot be stored. */
  async function settle(call: CallKey, leaseUntil: Date, stored: ResultText | undefined): Promise<void> {
    const write = async () =>
      stored === undefined ? claims.release(call, leaseUntil) : finish(call, leaseUntil, stored)
    try {
      await withDeadline(write().catch(write), SETTLE_MS)
    } catch (error) {
      log?.error({ err: error, tool: call.tool }, 'cannot store the result of a call with an idempotency key')
    }
  }

  return {
    async once<R extends Result>({ orgId, holder, tool, key, args }: KeyedCall, run: (keep: KeepAnswer) => Promise<R>) {
      if (!/^[\x20-\x7e]{1,255}$/.test(key))
        throw new GatewayError('invalid_request', 'An idempotency key must have 1 to 255 printable ASCII characters.')
      const argumentsHash = hash('sha256', canonicalJson(args))
      const call = { orgId, holder, tool, key }
      const name = JSON.stringify([orgId, holder, tool, key, argumentsHash])

      for (;;) {
        const first = inFlight.get(name)
        if (first === undefined) break
        const result = await first
        if (result !== undefined) return result as R
      }
      const running = runOnce(call, argumentsHash, run)
      const settled = (result?: Result) => {
        inFlight.delete(name)
        return result !== undefined && isDone(result) ? result : undefined
      }
      inFlight.set(
        name,
        running.then(settled, () => settled()),
      )
      return running as Promise<R>
    },
    close: quota.close,
  }
}

type Result = ToolResult | RouteAnswer
type Runner = (keep: KeepAnswer) => Promise<Result>

/** Whether a result is final: not a failure, and not a question of a tool. */
function isDone(result: Result): boolean {
  return isDoneByTool(result as ToolResult)
}
