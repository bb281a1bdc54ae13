import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OrgDatabase } from '../database/tenant.ts'

/**
 * Who makes a change. The operator and jobs reach every organization, a user the one he acts in: what belongs to
 * another is as unknown to him as what does not exist.
 */
export type Actor = 'operator' | 'job' | { readonly userId: string; readonly orgId: string }

/** What was done, to what, and by whom. */
export interface AuditEntry {
  /** Whom the row names: a user by his id, the operator and jobs not at all. */
  by: Actor
  /** `key.create`, `member.add`, … */
  action: string
  /** The id of what was changed. */
  target: string
  /** What else tells the story; never a secret. */
  detail: Readonly<Record<string, unknown>>
}

/** The record of every change to keys, agents, members, accounts, connectors and money. */
export interface Audit {
  /** Writes on the handle that the change itself is made on: in its transaction, the two happen together or not at all. */
  record(org: OrgDatabase, entries: AuditEntry | readonly AuditEntry[]): Promise<void>
}

/** Rows of one statement: what a change drags along (a member's keys) has no bound, the parameters of a statement have. */
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
