import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { diagnosticsChannel } from '../../lib/diagnostics-channel.ts'
import type { Logger } from '../../schemas/log.ts'

/** One finished tool call of a member in an organization. */
export interface ToolCallEvent {
  orgId: string
  userId: string
  /** The API key of the call; null for a signed-in user. */
  keyId: string | null
  agentId: string | null
  tool: string
  /** The connected account of the call; null for built-in tools. */
  accountId: string | null
  /** `ok`, `error` for a tool's own refusal, or a code of the error table. */
  outcome: string
  durationMs: number
  /** Micro-dollars. */
  costMicros: number
  /** When it ended, in milliseconds since the epoch. */
  at: number
}

/** Reports each finished call, for metrics and traces. Usage rows do not come from here. */
export const toolCallChannel = diagnosticsChannel<ToolCallEvent>('connector-gateway:tool-call')

/** A call with the id of its row. The id prevents duplicates if a batch is written again after a lost response. */
export type UsageEvent = ToolCallEvent & { id: string }

/** Creates a function that writes tool calls of any organizations. It rejects if the database is unavailable; the batch may be written again then. */
export function createUsageWriter(options: {
  db: Kysely<Database>
  log: Pick<Logger, 'warn'>
}): (events: readonly UsageEvent[]) => Promise<void> {
  const { log } = options
  const db = acrossOrgs(options.db)

  async function insert(events: readonly UsageEvent[]): Promise<void> {
    const rows = events.map(event => ({
      org_id: event.orgId,
      id: event.id,
      at: new Date(event.at),
      user_id: event.userId,
      key_id: event.keyId,
      agent_id: event.agentId,
      tool: event.tool,
      account_id: event.accountId,
      outcome: event.outcome,
      duration_ms: Math.max(0, Math.round(event.durationMs)),
      cost_micros: event.costMicros,
    }))
    // One parameter instead of eleven per row: binding those costs more per call than the call itself.
    await sql`
      insert into usage
        (org_id, id, at, user_id, key_id, agent_id, tool, account_id, outcome, duration_ms, cost_micros)
      select org_id, id, at, user_id, key_id, agent_id, tool, account_id, outcome, duration_ms, cost_micros
      from jsonb_populate_recordset(null::usage, ${JSON.stringify(rows)}::jsonb)
      on conflict (org_id, id) do nothing
    `.execute(db)
  }

  return async function write(events) {
    try {
      await insert(events)
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      if (events.length === 1) {
        log.warn(
          { err: error, tool: events[0]?.tool, orgId: events[0]?.orgId },
          'the database rejected a usage row, which is lost',
        )
        return
      }
      // An invalid row must not cost the others. Halving the batch isolates it in a few statements.
      const middle = events.length >> 1
      await write(events.slice(0, middle))
      await write(events.slice(middle))
    }
  }
}

/** Whether an error is a data exception or a constraint violation, which no retry fixes. */
function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error) ?? '')
}
