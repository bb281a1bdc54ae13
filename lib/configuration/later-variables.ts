/** Variables of the design that no part of this version reads; whoever sets one is told so, once, at the start. */
const LATER_VARIABLES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_BASE',
  'DASHBOARD',
  'DASHBOARD_URL',
  'METRICS_PORT',
] as const

/** The names of set variables that this version does not read. */
export function ignoredVariables(set: Readonly<Record<string, string>>): readonly string[] {
  return LATER_VARIABLES.filter(name => Object.hasOwn(set, name))
}
