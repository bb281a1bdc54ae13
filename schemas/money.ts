/** One dollar in micro-dollars, the unit of all money here. */
export const DOLLAR = 1_000_000

/** The most that one amount may be, a thousand million dollars: sums of many stay exact. */
export const MOST_MICROS = 1_000_000_000 * DOLLAR

/** Whether a value is an amount that can be moved: an integer of micro-dollars above zero, none too large. */
export function isMicros(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MOST_MICROS
}

/** Whether a value is what something may cost: an amount, or zero. */
export function isCost(value: unknown): value is number {
  return Object.is(value, 0) || isMicros(value)
}

/** Micro-dollars of a decimal number of dollars, such as `5` or `0.25`; undefined for every other text and beyond a micro-dollar. */
export function microsOfDollars(text: string): number | undefined {
  const [, dollars, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (dollars === undefined) return undefined
  const micros = Number(dollars) * DOLLAR + Number(fraction.padEnd(6, '0'))
  return micros <= MOST_MICROS ? micros : undefined
}

/** Micro-dollars as a person reads them: `$5.00`, `-$0.000001`. */
export function dollars(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${micros < 0 ? '-' : ''}$${digits.slice(0, -6)}.${fraction}`
}

/** `active`, `billing_hold` or `suspended`, as spec.md has the standing of an organization. */
export type BillingState = 'active' | 'billing_hold' | 'suspended'
