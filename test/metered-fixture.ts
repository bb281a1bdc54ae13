import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import type { Clock } from '../schemas/time.ts'
import { createLedger, type Ledger } from '../services/billing/ledger.ts'
import { createMetering } from '../services/billing/metering.ts'
import { createSettlements } from '../services/billing/settlements.ts'
import { createStandings } from '../services/billing/standings.ts'
import type { AnyTool } from '../services/definitions/define-tool.ts'
import { createIdempotency } from '../services/idempotency/idempotency.ts'
import { callerOfKey } from '../services/identity/caller.ts'
import type { ApiKeyIdentity } from '../services/identity/identity.ts'
import { createCallTool, type ToolOutcome } from '../services/tool-calls/call.ts'
import type { Surface } from '../services/tool-calls/surfaces.ts'
import type { ToolCall } from '../services/tool-calls/tool-call.ts'
import { testIds } from './directory.ts'
import { asDatabaseClock, keyHolder, QUIET_CLIENT, testClock } from './fixture.ts'
import { addOrganization, type KeyName, keyId } from './ledger/ledger-fixture.ts'
import { memoryLog } from './memory-log.ts'
import { commands } from './operator-commands.ts'
import { RESULT_LIMITS } from './settings.ts'

export interface ProcessOptions {
  db: Kysely<Database>
  /** The tools that can be called, as `meteredTools` makes them. */
  family: readonly AnyTool[]
  clock?: Clock
  /** Waits between two attempts of a settlement, and between two checks of a call that another process runs. */
  wait?: (milliseconds: number) => Promise<unknown>
  /** The ledger as the calls see it. */
  over?: (ledger: Ledger) => Ledger
  finished?: (outcome: ToolOutcome) => void
  deadlineMs?: number
}

/** The options of a call in addition to its name and arguments. */
interface Sent {
  key?: string
  onDisconnect?: ToolCall['onDisconnect']
}

/** The state of one process that serves metered tools, without HTTP, on a shared database. */
export function meteredProcess(options: ProcessOptions) {
  const { db, family, clock = testClock(), wait, over = (ledger: Ledger) => ledger, deadlineMs = 5_000 } = options
  const ids = testIds({ now: Date.now })
  const { log, lines } = memoryLog({ level: 'warn' })
  const ledger = over(createLedger({ db, thresholdMicros: 0, commands }))
  const metering = createMetering({
    commands,
    db,
    ids,
    log,
    ledger,
    standings: createStandings({ db, thresholdMicros: 0 }),
    settlements: createSettlements({ log, ...(wait !== undefined && { wait }) }),
    overageLimitFactor: 10,
  })
  const outcomes: ToolOutcome[] = []
  const failures: unknown[] = []
  const callTool = createCallTool({
    once: createIdempotency({
      db,
      clock,
      databaseNow: asDatabaseClock(clock),
      log,
      limits: RESULT_LIMITS,
      ...(wait !== undefined && { wait }),
    }).once,
    metering,
    finished(outcome) {
      outcomes.push(outcome)
      options.finished?.(outcome)
    },
    failed: error => void failures.push(error),
    deadlineMs,
  })
  const surface: Surface = {
    tools: new Map(family.map(tool => [tool.entry.name, tool])),
    list: undefined as never,
    accounts: new Map(),
  }

  /** Calls a tool. Returns its outcome (`ok`, `error` or a code) and the text of its result. */
  async function call(identity: ApiKeyIdentity, name: string, args: unknown = {}, { key, onDisconnect }: Sent = {}) {
    const { result, outcome } = await callTool(surface, {
      name,
      arguments: args,
      identity,
      caller: callerOfKey(identity),
      idempotencyKey: key,
      origin: 'http://localhost',
      client: QUIET_CLIENT,
      argumentsFault: null,
      onDisconnect: onDisconnect ?? (() => {}),
    })
    const [block] = result.content ?? []
    return { outcome, text: block?.type === 'text' ? block.text : '', result }
  }

  return { call, callTool, metering, outcomes, failures, lines }
}

/** Creates an organization with this balance, and the holders of its two keys. */
export async function payingOrganization(db: Kysely<Database>, micros: number) {
  const orgId = await addOrganization(db)
  const holder = (name: KeyName) => {
    const id = keyId(orgId, name) ?? ''
    return keyHolder({ orgId, userId: `usr_${orgId}`, keyId: id, meterKey: id })
  }
  const credit = (amountMicros: number) =>
    createLedger({ db, thresholdMicros: 0, commands }).credit(db, {
      orgId,
      id: testIds({ now: Date.now })('txn'),
      amountMicros,
      description: 'Credit',
    })
  if (micros > 0) await credit(micros)
  return { orgId, one: holder('one'), two: holder('two'), credit }
}

/** The wallet and the holds of an organization. */
export async function moneyOf(db: Kysely<Database>, orgId: string) {
  const { rows } = await sql<{
    balance: number
    held: number
    pending: number
    captured: number
    released: number
    expired: number
  }>`
    select
      (select balance_micros from wallets where org_id = ${orgId}) as balance,
      (select held_micros from wallets where org_id = ${orgId}) as held,
      count(*) filter (where state = 'pending')::int as pending,
      count(*) filter (where state = 'captured')::int as captured,
      count(*) filter (where state = 'released')::int as released,
      count(*) filter (where state = 'expired')::int as expired
    from holds where org_id = ${orgId}`.execute(db)
  const [money] = rows
  if (money === undefined) throw new Error('There is no such organization')
  return money
}

/** Expires every hold of an organization, as the job does after 15 minutes. */
export async function expireHolds(db: Kysely<Database>, orgId: string): Promise<void> {
  await sql`update holds set expires_at = now() where org_id = ${orgId} and state = 'pending'`.execute(db)
  const left = async () => (await moneyOf(db, orgId)).pending
  do await sql`select from gateway_expire_holds(${orgId}, 500)`.execute(db)
  while ((await left()) > 0)
}

/** The reconciliations of an organization, in order. */
export async function reconciliationsOf(db: Kysely<Database>, orgId: string) {
  const { rows } = await sql<{ reason: string; held: number; cost: number | null; tool: string }>`
    select reason, held_micros as held, cost_micros as cost, tool from reconciliations
    where org_id = ${orgId} order by at`.execute(db)
  return rows
}
