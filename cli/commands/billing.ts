import { dollars } from '../../schemas/money.ts'
import { walletEntry } from '../../services/billing/wallets.ts'
import { type Command, command, flag, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { dollarsOption, limitOption } from './option-values.ts'

export const BILLING_COMMANDS: readonly Command<OperatorServices>[] = [
  command('billing audit', {
    about:
      'recompute all balances from the ledger and list the differences; exits with 1 if there are any. Reads what is new since the last daily audit; --full reads everything',
    options: { full: flag() },
    async run({ auditLedger }: OperatorServices, { full }) {
      const { organizations, postings, holds, reconciliations, found, differences } = await auditLedger({ full })
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
    about:
      'list what was given up in the customer’s favor (expired holds, invalid costs, bounded overages), newest first (default 20 rows, at most 200)',
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

export const WALLET_COMMANDS: readonly Command<OperatorServices>[] = [
  command('wallet credit', {
    about:
      'add dollars to a wallet; this can end a billing hold, but not a suspension. Repeating it with the same --reference changes nothing',
    options: { org: required('ORG'), usd: required('N'), description: optional('TEXT'), reference: optional('TEXT') },
    async run({ wallets }: OperatorServices, { org, usd, description, reference }) {
      const { id, repeated, ...wallet } = await wallets.credit({
        orgId: org,
        amountMicros: dollarsOption('usd', usd, { from: 1 }),
        ...(description !== undefined && { description }),
        ...(reference !== undefined && { reference }),
        by: 'operator',
      })
      return { id, ...(repeated && { already_credited: true }), ...walletEntry(wallet) }
    },
  }),
  command('wallet reverse', {
    about: 'take back a credit of the operator, or --usd of it: at most what the wallet has available',
    positional: 'ID',
    options: { usd: optional('N'), reference: optional('TEXT') },
    async run({ reverseCredit }: OperatorServices, { positional, usd, reference }) {
      const amountMicros = usd === undefined ? undefined : dollarsOption('usd', usd, { from: 1 })
      const { id, orgId, takenMicros, remainingMicros, repeated } = await reverseCredit({
        posting: positional,
        amountMicros,
        reference,
        by: 'operator',
      })
      return {
        id,
        org: orgId,
        credit: positional,
        ...(repeated && { already_reversed: true }),
        taken_micros: takenMicros,
        taken: dollars(takenMicros),
        remaining_micros: remainingMicros,
        remaining: dollars(remainingMicros),
      }
    },
  }),
  command('wallet show', {
    about: 'show the balance of an organization, the amount held for running calls, and the billing standing',
    options: { org: required('ORG') },
    async run({ wallets }: OperatorServices, { org }) {
      return walletEntry(await wallets.balance(org))
    },
  }),
  command('wallet list', {
    about: 'list the latest credits and charges, newest first (default 20 rows, at most 200)',
    options: { org: required('ORG'), limit: optional('N') },
    async run({ listPostings }: OperatorServices, { org, limit }) {
      const list = await listPostings({ orgId: org, limit: limitOption(limit) })
      return {
        postings: list.map(({ id, at, kind, amountMicros, description, keyId, holdId, reference }) => ({
          id,
          at: at.toISOString(),
          kind,
          amount_micros: amountMicros,
          amount: dollars(amountMicros),
          description,
          key_id: keyId,
          hold_id: holdId,
          reference,
        })),
      }
    },
  }),
]
