import { sql } from 'kysely'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Page, readPage } from '../../lib/pages/pages.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { askedDays, daysAfter, startOf } from './days.ts'

/** One call of a tool. */
export interface Call {
  id: string
  at: Date
  userId: string
  keyId: string | null
  agentId: string | null
  /** The name of the client, or its OAuth client ID. */
  client: string | null
  tool: string
  accountId: string | null
  /** `ok`, `error` if the tool itself refused, or a code. */
  outcome: string
  durationMs: number
  costMicros: number
  /** What a failed call said. Only its member reads it: it can name their private account. */
  message: string | null
  /** Whether the tool got mended arguments. */
  mended: boolean
}

/** Which calls: of a range of days in UTC (the last 30 without one, at most 92), and with these values. */
interface CallFilter {
  from?: string | undefined
  to?: string | undefined
  tool?: string | undefined
  /** The tools of a family, a connector or `org__<slug>`. */
  connector?: string | undefined
  userId?: string | undefined
  keyId?: string | undefined
  agentId?: string | undefined
  accountId?: string | undefined
  /** An outcome, or `failed` for all but `ok`. */
  outcome?: string | undefined
}

/** The calls that a caller sees: their own, for an admin all of the organization, newest first. */
export interface Calls {
  /** Throws admin_required for another member's calls, and invalid_request for invalid days and cursors. */
  page(caller: Caller, filter: CallFilter, page: PageRequest): Promise<Page<Call>>
}

const FAILED = 'failed'

export function createCalls({ db, clock }: Pick<Infrastructure, 'db' | 'clock'>): Calls {
  return {
    async page(caller, filter, page) {
      const { from, to } = askedDays(filter, clock.now())
      const equal = {
        tool: filter.tool,
        user_id: visibleUser(caller, filter.userId),
        key_id: filter.keyId,
        agent_id: filter.agentId,
        account_id: filter.accountId,
        outcome: filter.outcome === FAILED ? undefined : filter.outcome,
      }
      let query = forOrg(db, caller.orgId)
        .selectFrom('usage')
        .where('at', '>=', startOf(from))
        .where('at', '<', startOf(daysAfter(to, 1)))
      for (const [column, value] of Object.entries(equal))
        if (value !== undefined) query = query.where(column as keyof typeof equal, '=', value)
      if (filter.outcome === FAILED) query = query.where('outcome', '<>', 'ok')
      const { connector } = filter
      if (connector !== undefined) query = query.where(sql<boolean>`starts_with(tool, ${`${connector}__`})`)
      const columns = query.select([
        'id',
        'at',
        'user_id as userId',
        'key_id as keyId',
        'agent_id as agentId',
        'client',
        'tool',
        'account_id as accountId',
        'outcome',
        'duration_ms as durationMs',
        'cost_micros as costMicros',
        sql<string | null>`case when user_id = ${caller.userId} then message end`.as('message'),
        sql<boolean>`coalesce(mended, false)`.as('mended'),
      ])
      return readPage(columns, { list: 'usage', at: 'at', id: 'id' }, page)
    },
  }
}

/** The only user whose rows a caller sees; undefined for all. Throws admin_required for another member's. */
export function visibleUser(caller: Caller, asked: string | undefined): string | undefined {
  if (isAdmin(caller)) return asked
  if (asked !== undefined && asked !== caller.userId)
    throw new GatewayError(
      'admin_required',
      'Only an owner or an admin of the organization may see what other members did. Omit user_id for your own calls.',
    )
  return caller.userId
}
