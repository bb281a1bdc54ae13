import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { ToolOutcome } from '../tool-calls/call.ts'
import { createUsageWriter, type ToolCallEvent, toolCallChannel, type UsageEvent } from './usage-writer.ts'
import { createWriteBehind, type Schedule } from './write-behind.ts'

interface UsageOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Pick<Logger, 'warn'>
  /** Runs something later and answers how to call it off; a timer that keeps no process alive when unset. */
  schedule?: Schedule
}

/**
 * A row for every call, written behind: at most 1 s of them is lost when the process is killed. What they cost is told for
 * people to look at; what is owed is in the ledger, of which nothing is lost.
 */
interface Usage {
  /** Takes down how a call ended, and tells the channel. Calls that stand in no organization are nobody's usage. */
  record(outcome: ToolOutcome): void
  /** Writes what waits; resolves when it is written, or when the database does not take it. */
  flush(): Promise<void>
  /** Takes no more, and writes what waits. */
  close(): Promise<void>
}

/** Writes the calls it is told of in batches. */
export function createUsage({ db, clock, ids, log, schedule }: UsageOptions): Usage {
  const queue = createWriteBehind<UsageEvent>({ name: 'usage', write: createUsageWriter({ db, log }), log, schedule })

  return {
    record({ tool, identity, caller, accountId, outcome, durationMs, costMicros }) {
      if (caller === null) return
      const key = identity.via === 'api-key' ? identity : null
      const event: ToolCallEvent = {
        orgId: caller.orgId,
        userId: caller.userId,
        keyId: key?.keyId ?? null,
        agentId: key?.agent?.id ?? null,
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
