import type { IdSource } from '../../schemas/primitives/ids.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { OrgDatabase } from '../database/tenant.ts'

/**
 * Who makes a change. The operator and jobs can act on every organization, a user only on their active one: objects of
 * other organizations do not exist for them.
 */
export type Actor = 'operator' | 'job' | { readonly userId: string; readonly orgId: string }

/** One audited change: the action, its target and its actor. */
interface AuditEntry {
  /** The row has the user's ID; for the operator and jobs it has none. */
  by: Actor
  /** `key.create`, `member.add`, … */
  action: string
  /** The ID of the changed object. */
  target: string
  /** Further details; never a secret. */
  detail: Readonly<Record<string, unknown>>
}

/** Records every change to keys, agents, members, accounts, connectors and money. */
export interface Audit {
  /** Writes on the handle of the change itself, so that both happen in one transaction. */
  record(org: OrgDatabase, entries: AuditEntry | readonly AuditEntry[]): Promise<void>
}

/**
 * The maximum number of rows per statement: a change may affect any number of rows (a member's keys), but the number of
 * statement parameters is limited.
 */
const AT_ONCE = 1_000

export function createAudit({ clock, ids }: { clock: Clock; ids: IdSource }): Audit {
  return {
    async record(org, entries) {
      const list = [entries].flat()
      for (let from = 0; from < list.length; from += AT_ONCE) {
        const rows = list.slice(from, from + AT_ONCE).map(({ by, action, target, detail }) => ({
          id: ids('aud'),
          at: new Date(clock.now()),
          user_id: typeof by === 'string' ? null : by.userId,
          action,
          target,
          detail: JSON.stringify(detail),
        }))
        await org.insertInto('audit', rows).execute()
      }
    },
  }
}
