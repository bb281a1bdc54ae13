import { dollars } from '../../schemas/money.ts'
import { type Command, command, optional } from './command.ts'
import { limitOption } from './limit-option.ts'
import type { OperatorServices } from './operator-services.ts'

export const BILLING_COMMANDS: readonly Command<OperatorServices>[] = [
  command('billing audit', {
    about: 'derive all money anew from the ledger, and list what differs; exits with 1 where something does',
    options: {},
    async run({ auditLedger }: OperatorServices) {
      const { organizations, postings, holds, reconciliations, found, differences } = await auditLedger()
      return {
        ok: found === 0,
        organizations,
        postings,
        holds_pending: holds.pending,
        holds_captured: holds.captured,
        holds_released: holds.released,
        holds_expired: holds.expired,
        reconciliations_of_24_hours: reconciliations,
        found,
        differences,
      }
    },
  }),
  command('billing reconciliations', {
    about: 'holds let go in the customer’s favour, the newest first; 20 rows unless said otherwise, 200 at most',
    options: { org: optional('ORG'), limit: optional('N') },
    async run({ listReconciliations }: OperatorServices, { org, limit }) {
      const list = await listReconciliations({ orgId: org, limit: limitOption(limit) })
      return {
        reconciliations: list.map(({ holdId, orgId, tool, reason, heldMicros, costMicros, at }) => ({
          hold_id: holdId,
          org: orgId,
          tool,
          reason,
          held_micros: heldMicros,
          held: dollars(heldMicros),
          cost_micros: costMicros,
          cost: costMicros === null ? null : dollars(costMicros),
          at: at.toISOString(),
        })),
      }
    },
  }),
]
