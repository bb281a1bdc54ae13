import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OrgDatabase } from '../database/tenant.ts'

/** What was done, to what, and by whom. */
export interface AuditEntry {
  /** The user who did it; null for the operator at the command line and for jobs. */
  userId: string | null
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
  record(org: OrgDatabase, entry: AuditEntry): Promise<void>
}

export function createAudit({ clock, ids }: { clock: Clock; ids: IdSource }): Audit {
  return {
    async record(org, { userId, action, target, detail }) {
      await org
        .insertInto('audit', {
          id: ids('aud'),
          at: new Date(clock.now()),
          user_id: userId,
          action,
          target,
          detail: JSON.stringify(detail),
        })
        .execute()
    },
  }
}
