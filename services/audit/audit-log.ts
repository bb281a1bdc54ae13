import { sql } from 'kysely'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Page, readPage } from '../../lib/pages/pages.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { visibleUser } from '../usage/calls.ts'
import { dayFault, daysAfter, startOf } from '../usage/days.ts'

/** One change. */
export interface AuditRow {
  id: string
  at: Date
  /** The member who made it; null for the operator and for jobs. */
  userId: string | null
  action: string
  target: string
  detail: unknown
}

/** Which changes: of a range of days in UTC, and with these values. */
interface AuditFilter {
  from?: string | undefined
  to?: string | undefined
  /** An action, `key.create`, or all of a kind, `key`. */
  action?: string | undefined
  target?: string | undefined
  userId?: string | undefined
}

/** The changes that a caller sees: those that they made, for an admin all of the organization, newest first. */
export interface AuditLog {
  /** Throws admin_required for another member's changes, and invalid_request for invalid days and cursors. */
  page(caller: Caller, filter: AuditFilter, page: PageRequest): Promise<Page<AuditRow>>
}

export function createAuditLog({ db }: Pick<Infrastructure, 'db'>): AuditLog {
  return {
    async page(caller, { from, to, action, target, userId }, page) {
      requireDay('from', from)
      requireDay('to', to)
      const user = visibleUser(caller, userId)
      const query = forOrg(db, caller.orgId)
        .selectFrom('audit')
        .$if(from !== undefined, rows => rows.where('at', '>=', startOf(from ?? '')))
        .$if(to !== undefined, rows => rows.where('at', '<', startOf(daysAfter(to ?? '', 1))))
        .$if(user !== undefined, rows => rows.where('user_id', '=', user ?? ''))
        .$if(target !== undefined, rows => rows.where('target', '=', target ?? ''))
        .$if(action !== undefined, rows =>
          rows.where(sql<boolean>`(action = ${action} or starts_with(action, ${`${action}.`}))`),
        )
        .select(['id', 'at', 'user_id as userId', 'action', 'target', 'detail'])
      return readPage(query, { list: 'audit', at: 'at', id: 'id' }, page)
    },
  }
}

function requireDay(name: string, day: string | undefined): void {
  const fault = day === undefined ? undefined : dayFault(name, day)
  if (fault !== undefined) throw new GatewayError('invalid_request', fault)
}
