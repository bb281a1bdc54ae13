import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Kysely } from 'kysely'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { withDeadline } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { ResultLimits } from '../../schemas/limits.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { isDone, type ToolResult } from '../mcp/contract.ts'
import { type CallKey, createClaims } from './claims.ts'
import { createResultQuota } from './result-quota.ts'
import { type ResultText, readResult, storeResult, storeUnsettled } from './stored-result.ts'

/** A key and its result are kept this long (decisions.md, Money). */
const KEPT_MS = 24 * 3_600_000
/** Longer than any tool may take: a process that has not answered by then has died. */
const LEASE_MS = 90_000
/** Official clients give up at 60 s: who waits for another process is told before. */
const PATIENCE_MS = 50_000
/** How long the caller waits for his result to be kept; on a frozen database it is written later, or not. */
const SETTLE_MS = 1_500
const POLL_FIRST_MS = 50
const POLL_MOST_MS = 1_000

/** A call of a tool that carries an idempotency key. */
interface KeyedCall extends CallKey {
  args: unknown
}

/** Stores a result in a transaction; false when another process has taken the call since. */
export type StoreResult = (db: Kysely<Database>) => Promise<boolean>

/**
 * Leaves it to the runner of a call to keep its result, from then on: answers what does so in a transaction of his, so
 * that it is kept with what else is written there or not at all.
 */
export type KeepResult = (result: CallToolResult) => StoreResult

export interface Idempotency {
  /**
   * Runs a call once per key: a repeated one gets the first one's result, a concurrent one waits for it, and after a
   * failure (`isError` or thrown), and where the tool asks for input, the next one runs, but for a failure that is
   * unsettled. Nothing of the database is held while `run` runs. Throws idempotency_conflict on the same key with other
   * arguments and after an unsettled failure, invalid_request on a key that is none, timeout when another process is still
   * at it after 50 s.
   */
  once(call: KeyedCall, run: (keep: KeepResult) => Promise<ToolResult>): Promise<ToolResult>
  /** Waits until no results are being dropped. */
  close(): Promise<void>
}

export interface IdempotencyOptions {
  db: Kysely<Database>
  clock: Clock
  log?: Pick<Logger, 'error'>
  limits: ResultLimits
  /** Waits between two looks at a call that another process runs. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** Keeps what calls with a key answered, for 24 h. */
export function createIdempotency({ db, clock, log, limits, wait = sleep }: IdempotencyOptions): Idempotency {
  const claims = createClaims(db)
  const quota = createResultQuota({ db, log, limits })
  /** What this process is at: resolves to the result, or to undefined after a failure, which is the failed one's alone. */
  const inFlight = new Map<string, Promise<ToolResult | undefined>>()

  /** The lease's end when the call is ours to run; else the result of whoever ran it. */
  async function claimOrWait(call: CallKey, argumentsHash: string): Promise<number | ToolResult> {
    const patience = clock.now() + PATIENCE_MS
    for (let pause = POLL_FIRST_MS; ; pause = Math.min(2 * pause, POLL_MOST_MS)) {
      const now = clock.now()
      const leaseUntil = now + LEASE_MS
      const claim = await claims.claim(call, argumentsHash, { now, leaseUntil, keptSince: now - KEPT_MS })
      if (claim.state === 'ours') return leaseUntil
      if (claim.argumentsHash !== argumentsHash)
        throw new GatewayError(
          'idempotency_conflict',
          'This idempotency key was used for a call of this tool with other arguments. Use a new key for a new call.',
        )
      if (claim.state === 'done') return readResult(claim.result)
      if (clock.now() >= patience)
        throw new GatewayError(
          'timeout',
          'A call with this idempotency key is still running. Ask again with the same key.',
        )
      await wait(Math.min(pause, Math.max(1, claim.leaseUntil - clock.now())))
    }
  }

  async function finish(call: CallKey, leaseUntil: number, result: ResultText, on = db): Promise<boolean> {
    const finished = await claims.finish(call, leaseUntil, result, on)
    if (finished) quota.stored(call.orgId, result.bytes)
    return finished
  }

  async function runOnce(call: CallKey, argumentsHash: string, run: Runner): Promise<ToolResult> {
    const claimed = await claimOrWait(call, argumentsHash)
    if (typeof claimed !== 'number') return claimed
    let stored: ResultText | undefined
    let leftToRunner = false
    const keep: KeepResult = result => {
      const text = storeResult(result)
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

  /** Never throws: the caller gets what the tool answered, whatever becomes of the row. */
  async function settle(call: CallKey, leaseUntil: number, stored: ResultText | undefined): Promise<void> {
    const write = async () =>
      stored === undefined ? claims.release(call, leaseUntil) : finish(call, leaseUntil, stored)
    try {
      await withDeadline(write().catch(write), SETTLE_MS)
    } catch (error) {
      log?.error({ err: error, tool: call.tool }, 'the result of a call with an idempotency key could not be kept')
    }
  }

  return {
    async once({ orgId, holder, tool, key, args }, run) {
      if (!/^[\x20-\x7e]{1,255}$/.test(key))
        throw new GatewayError('invalid_request', 'An idempotency key has 1 to 255 printable ASCII characters.')
      const argumentsHash = hash('sha256', canonicalJson(args))
      const call = { orgId, holder, tool, key }
      const name = JSON.stringify([orgId, holder, tool, key, argumentsHash])

      for (;;) {
        const first = inFlight.get(name)
        if (first === undefined) break
        const result = await first
        if (result !== undefined) return result
      }
      const running = runOnce(call, argumentsHash, run)
      const settled = (result?: ToolResult) => {
        inFlight.delete(name)
        return result !== undefined && isDone(result) ? result : undefined
      }
      inFlight.set(
        name,
        running.then(settled, () => settled()),
      )
      return running
    },
    close: quota.close,
  }
}

type Runner = Parameters<Idempotency['once']>[1]
