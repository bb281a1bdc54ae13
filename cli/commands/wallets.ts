import { dollars } from '../../schemas/money.ts'
import { walletEntry } from '../../services/billing/wallets.ts'
import { type Command, command, optional, required } from './command.ts'
import { dollarsOption } from './dollars-option.ts'
import { limitOption } from './limit-option.ts'
import type { OperatorServices } from './operator-services.ts'

export const WALLET_COMMANDS: readonly Command<OperatorServices>[] = [
  command('wallet credit', {
    about: 'add dollars to a wallet; a billing hold may end with it, a suspension does not',
    options: { org: required('ORG'), usd: required('N'), description: optional('TEXT') },
    async run({ wallets }: OperatorServices, { org, usd, description }) {
      const { id, ...wallet } = await wallets.credit({
        orgId: org,
        amountMicros: dollarsOption('usd', usd, { from: 1 }),
        ...(description !== undefined && { description }),
        by: 'operator',
      })
      return { id, ...walletEntry(wallet) }
    },
  }),
  command('wallet show', {
    about: 'what an organization has, what calls that run may cost of it, and where it stands',
    options: { org: required('ORG') },
    async run({ wallets }: OperatorServices, { org }) {
      return walletEntry(await wallets.balance(org))
    },
  }),
  command('wallet list', {
    about: 'what was paid in and taken last, the newest first; 20 rows unless said otherwise, 200 at most',
    options: { org: required('ORG'), limit: optional('N') },
    async run({ listPostings }: OperatorServices, { org, limit }) {
      const list = await listPostings({ orgId: org, limit: limitOption(limit) })
      return {
        postings: list.map(({ id, at, kind, amountMicros, description, keyId, holdId }) => ({
          id,
          at: at.toISOString(),
          kind,
          amount_micros: amountMicros,
          amount: dollars(amountMicros),
          description,
          key_id: keyId,
          hold_id: holdId,
        })),
      }
    },
  }),
]
