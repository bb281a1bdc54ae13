import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Clock } from '../../schemas/time.ts'
import { changeIn } from './change.ts'
import { revokeKeys } from './key-queries.ts'

/** How long the keys of a retired agent still answer agent_retired, so that its operator sees why it stopped. */
const REVOKE_AFTER_MS = 30_000
const KIND = 'agent.revoke_keys'

const Payload = Type.Object({ orgId: Type.String(), agentId: Type.String() })

/** Schedules the revocation of an agent's keys, if the transaction of this handle commits. */
type RevokeLater = (org: OrgDatabase, agentId: string) => Promise<void>

/** Defines the job that revokes a retired agent's keys, and rejects its tokens. Returns the function that schedules it. */
export function defineKeyRevocation(
  jobs: Jobs,
  { db, clock, audit }: { db: Kysely<Database>; clock: Clock; audit: Audit },
): RevokeLater {
  jobs.define(KIND, async payload => {
    Value.Assert(Payload, payload)
    const { orgId, agentId } = payload
    await changeIn(db, { orgId, by: 'job' }, async org => {
      const at = new Date(clock.now())
      await revokeKeys(org, audit, eb => eb('agent_id', '=', agentId), { at, by: 'job', because: 'agent.retire' })
      // The rows stay: without them, the agent's tokens would create a user.
      await org
        .updateTable('agent_sign_ins')
        .where('agent_id', '=', agentId)
        .where('revoked_at', 'is', null)
        .set({ revoked_at: at })
        .execute()
    })
  })
  return (org, agentId) =>
    jobs.enqueue(org.db, {
      kind: KIND,
      payload: { orgId: org.orgId, agentId },
      runAt: new Date(clock.now() + REVOKE_AFTER_MS),
    })
}
