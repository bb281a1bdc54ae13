import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { agentOf, keyIdOf } from '../identity/identity.ts'
import type { ToolOutcome } from '../tool-calls/call.ts'
import { createUsageWriter, type ToolCallEvent, toolCallChannel, type UsageEvent } from './usage-writer.ts'
import { createWriteBehind, type Schedule } from './write-behind.ts'

interface UsageOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Pick<Logger, 'warn'>
  /** Schedules work and returns how to cancel it. Default: a timer that does not keep the process alive. */
  schedule?: Schedule
}

/**
 * Writes a row for every call with a delay: a killed process loses at most the calls of 1 s. The costs in the rows are for
 * information. The ledger, which loses nothing, holds the charges.
 */
interface Usage {
  /** Records a finished call and publishes it. Ignores calls without an organization. */
  record(outcome: ToolOutcome): void
  /** Writes the queued rows. Resolves when they are written or the attempt failed. */
  flush(): Promise<void>
  /** Accepts no more calls and writes the queued rows. */
  close(): Promise<void>
}

export function createUsage({ db, clock, ids, log, schedule }: UsageOptions): Usage {
  const queue = createWriteBehind<UsageEvent>({ name: 'usage', write: createUsageWriter({ db, log }), log, schedule })

  return {
    record({ tool, identity, caller, accountId, outcome, durationMs, costMicros }) {
      if (caller === null) return
      const event: ToolCallEvent = {
        orgId: caller.orgId,
        userId: caller.userId,
        keyId: keyIdOf(identity),
        agentId: agentOf(identity)?.id ?? null,
        tool,
        accountId,
        outcome,
        durationMs,
        costMicros,
        at: clock.now(),
      }
      queue.add({ ...event, id: ids('use') })
      toolCallChannel.publish(event)
    },
    flush: () => queue.flush(),
    close: () => queue.close(),
  }
}
