/** One dollar in micro-dollars, the unit of all amounts. */
export const DOLLAR = 1_000_000

/** Micro-dollars of a cent. */
export const CENT = 10_000

/** The maximum amount, 10^9 dollars: sums of many stay exact. */
export const MOST_MICROS = 1_000_000_000 * DOLLAR

/** Whether a value is a valid amount: a positive integer of micro-dollars up to the maximum. */
export function isMicros(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MOST_MICROS
}

/** Whether a value is a valid cost: an amount, or zero. */
export function isCost(value: unknown): value is number {
  return Object.is(value, 0) || isMicros(value)
}

/** Parses dollars such as `5` or `0.25` to micro-dollars; undefined for any other text or more than six decimals. */
export function microsOfDollars(text: string): number | undefined {
  const [, dollars, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (dollars === undefined) return undefined
  const micros = Number(dollars) * DOLLAR + Number(fraction.padEnd(6, '0'))
  return micros <= MOST_MICROS ? micros : undefined
}

/** Formats micro-dollars for display: `$5.00`, `-$0.000001`. */
export function dollars(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${micros < 0 ? '-' : ''}$${digits.slice(0, -6)}.${fraction}`
}

/** The standing of an organization: `active`, `billing_hold` or `suspended`. */
export type BillingState = 'active' | 'billing_hold' | 'suspended'
