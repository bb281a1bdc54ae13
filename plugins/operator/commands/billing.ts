import { type Command, command } from '../command.ts'
import type { OperatorServices } from '../operator-services.ts'

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
]
