import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { diagnosticsChannel } from '../../lib/diagnostics-channel.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { RegisteredNames } from '../local-issuer/registered-names.ts'

/** One finished tool call of a member in an organization. */
export interface ToolCallEvent {
  orgId: string
  userId: string
  /** The API key of the call; null for a signed-in user. */
  keyId: string | null
  agentId: string | null
  /** The name of the client, or its OAuth client ID; null if neither is known. */
  client: string | null
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

/** What a job charged for. */
interface JobCharge extends Pick<ToolCallEvent, 'userId' | 'keyId' | 'agentId' | 'tool' | 'costMicros'> {
  /** The ID of the work: `gen_…` */
  workId: string
  /** When the work was asked for. */
  at: Date
}

/** The usage row of a job's work, `use_…`: of the call that started it, and of its charge. */
export function usageIdOf(workId: string): string {
  return `use${workId.slice(workId.indexOf('_'))}`
}

/** Writes the charge of a job into the usage row of its call. The call writes the rest, before or after. */
export async function writeJobCharge(org: OrgDatabase, charge: JobCharge): Promise<void> {
  const { workId, at, userId, keyId, agentId, tool, costMicros } = charge
  const named = { id: usageIdOf(workId), at, user_id: userId, key_id: keyId, agent_id: agentId, tool }
  await org
    .insertInto('usage', {
      ...named,
      client: null,
      account_id: null,
      outcome: 'ok',
      duration_ms: 0,
      cost_micros: costMicros,
    })
    .onConflict(conflict => conflict.columns(['org_id', 'id']).doUpdateSet({ cost_micros: costMicros }))
    .execute()
}

/** A call as its row. The id prevents duplicates if a batch is written again after a lost response. */
export interface UsageEvent extends ToolCallEvent {
  id: string
  /** What a failed call said, without arguments and credentials. */
  message: string | null
  /** Whether the tool got mended arguments. */
  mended: boolean
  /** The OAuth client that gave no name. It may have registered one. */
  unnamedClient: string | undefined
}

/** Creates a function that writes tool calls of any organizations. It rejects if the database is unavailable; the batch may be written again then. */
export function createUsageWriter(options: {
  db: Kysely<Database>
  log: Pick<Logger, 'warn'>
  /** The names of clients that said none; absent if clients do not register here. */
  registeredNames?: RegisteredNames | undefined
}): (events: readonly UsageEvent[]) => Promise<void> {
  const { log, registeredNames } = options
  const db = acrossOrgs(options.db)

  async function insert(events: readonly UsageEvent[]): Promise<void> {
    const names = await registeredNames?.([...new Set(events.flatMap(event => event.unnamedClient ?? []))])
    const rows = events.map(event => ({
      org_id: event.orgId,
      id: event.id,
      at: new Date(event.at),
      user_id: event.userId,
      key_id: event.keyId,
      agent_id: event.agentId,
      client: names?.get(event.unnamedClient ?? '') ?? event.client,
      tool: event.tool,
      account_id: event.accountId,
      outcome: event.outcome,
      duration_ms: Math.max(0, Math.round(event.durationMs)),
      cost_micros: event.costMicros,
      message: event.message,
      mended: event.mended,
    }))
    // One parameter instead of twelve per row: binding those costs more per call than the call itself.
    await sql`
      insert into usage
        (org_id, id, at, user_id, key_id, agent_id, client, tool, account_id, outcome, duration_ms, cost_micros, message,
         mended)
      select org_id, id, at, user_id, key_id, agent_id, client, tool, account_id, outcome, duration_ms, cost_micros, message,
        mended
      from jsonb_populate_recordset(null::usage, ${JSON.stringify(rows)}::jsonb)
      on conflict (org_id, id) do update set
        at = excluded.at, client = excluded.client, outcome = excluded.outcome, duration_ms = excluded.duration_ms,
        message = excluded.message, mended = excluded.mended, cost_micros = greatest(usage.cost_micros, excluded.cost_micros)
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
