import { type Static, Type } from '@sinclair/typebox'
import { dollars } from '../../schemas/money.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import type { Wallet } from './wallets.ts'

/** A wallet on the wire: amounts in micro-dollars, and as a person reads them. */
export const WalletEntry = Type.Object({
  standing: StringEnum(['active', 'billing_hold', 'suspended']),
  balance_micros: Type.Integer(),
  held_micros: Type.Integer(),
  available_micros: Type.Integer(),
  threshold_micros: Type.Integer(),
  balance: Type.String(),
  held: Type.String(),
  available: Type.String(),
})

export function walletEntry(wallet: Wallet): Static<typeof WalletEntry> {
  const { standing, balanceMicros, heldMicros, availableMicros, thresholdMicros } = wallet
  return {
    standing,
    balance_micros: balanceMicros,
    held_micros: heldMicros,
    available_micros: availableMicros,
    threshold_micros: thresholdMicros,
    balance: dollars(balanceMicros),
    held: dollars(heldMicros),
    available: dollars(availableMicros),
  }
}
