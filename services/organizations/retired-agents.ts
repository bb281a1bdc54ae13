import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Clock } from '../../schemas/time.ts'
import { changeIn } from './change.ts'
import { revokeKeys } from './revoke-keys.ts'

/**
 * How long the keys of a retired agent still answer agent_retired, so that whoever runs it is told why it stopped; the
 * keys are revoked within 60 s (decisions.md, Account routes).
 */
const TOLD_MS = 30_000
const KIND = 'agent.revoke_keys'

const Payload = Type.Object({ orgId: Type.String(), agentId: Type.String() })

/** Has the keys of an agent revoked a little later, if the transaction of this handle commits. */
export type RevokeLater = (org: OrgDatabase, agentId: string) => Promise<void>

/** Defines the job that revokes a retired agent's keys; answers how to order it. */
export function defineKeyRevocation(
  jobs: Jobs,
  { db, clock, audit }: { db: Kysely<Database>; clock: Clock; audit: Audit },
): RevokeLater {
  jobs.define(KIND, async payload => {
    Value.Assert(Payload, payload)
    const { orgId, agentId } = payload
    await changeIn(db, { orgId, by: 'job' }, async org => {
      await revokeKeys(org, audit, eb => eb('agent_id', '=', agentId), {
        at: new Date(clock.now()),
        by: 'job',
        because: 'agent.retire',
      })
    })
  })
  return (org, agentId) =>
    jobs.enqueue(org.db, {
      kind: KIND,
      payload: { orgId: org.orgId, agentId },
      runAt: new Date(clock.now() + TOLD_MS),
    })
}
