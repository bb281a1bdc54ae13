import { Type } from '@sinclair/typebox'
import { GATEWAY_ENV } from '../../lib/configuration/environment.ts'
import { computeAll, InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { isLoopback, parseOrigin } from '../../lib/configuration/network.ts'
import { type Reading, type SettingsOf, settingOf } from '../../lib/configuration/setting.ts'
import { mustBe, mustBeSetWith, splitList, variable } from '../../lib/configuration/variable.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { DASHBOARD_URL } from '../dashboard/dashboard-settings.ts'

const PLAN_PRO_PRICE_MICROS = variable(
  'PLAN_PRO_PRICE_MICROS',
  Type.Integer({
    default: 20 * DOLLAR,
    minimum: DOLLAR / 2,
    maximum: 10_000 * DOLLAR,
    multipleOf: DOLLAR / 100,
    description: 'a whole number of cents in micro-dollars, from 500000 (50 cents) to 10000000000',
  }),
  {
    doc: 'the price of a month of the plan `pro`, in micro-dollars: whole cents, at least 50 ([Plans](money.md#plans)). Running subscriptions keep their price',
  },
)

const PLAN_PRO_INCLUDED_MICROS = variable(
  'PLAN_PRO_INCLUDED_MICROS',
  Type.Integer({
    default: 20 * DOLLAR,
    minimum: 0,
    maximum: 10_000 * DOLLAR,
    description: 'a whole number of micro-dollars, from 0 to 10000000000',
  }),
  { doc: 'the credits that a month of `pro` includes, in micro-dollars; 0 for none' },
)

const plans = settingOf([PLAN_PRO_PRICE_MICROS, PLAN_PRO_INCLUDED_MICROS], ({ read }) => ({
  proPriceMicros: read(PLAN_PRO_PRICE_MICROS),
  proIncludedMicros: read(PLAN_PRO_INCLUDED_MICROS),
}))

const TOPUP_MIN_MICROS = variable(
  'TOPUP_MIN_MICROS',
  Type.Integer({
    default: 5 * DOLLAR,
    minimum: DOLLAR,
    maximum: 10_000 * DOLLAR,
    multipleOf: DOLLAR / 100,
    description: 'a whole number of cents in micro-dollars, from 1000000 (a dollar) to TOPUP_MAX_MICROS',
  }),
  { doc: 'the smallest top-up, in micro-dollars: whole cents, at least a dollar' },
)

const TOPUP_MAX_MICROS = variable(
  'TOPUP_MAX_MICROS',
  Type.Integer({
    default: 10_000 * DOLLAR,
    minimum: DOLLAR,
    maximum: 999_999 * DOLLAR,
    multipleOf: DOLLAR / 100,
    description: 'a whole number of cents in micro-dollars, up to 999999000000, which is the maximum of Stripe',
  }),
  { doc: 'the largest top-up, in micro-dollars: whole cents, at most 999,999 dollars' },
)

const topupLimits = settingOf([TOPUP_MIN_MICROS, TOPUP_MAX_MICROS], ({ read }) => {
  const [minMicros, maxMicros] = [read(TOPUP_MIN_MICROS), read(TOPUP_MAX_MICROS)]
  if (minMicros > maxMicros) throw mustBe(TOPUP_MIN_MICROS)
  return { minMicros, maxMicros }
})

/** Stripe as the payment provider. */
export interface StripeSettings {
  /** Not enumerable, so that printed settings do not show it. */
  readonly secretKey: string
  /** Whether the key belongs to the live mode. */
  readonly livemode: boolean
  /** The signing secrets of the webhook; two while one is replaced. Not enumerable either. */
  readonly webhookSecrets: readonly string[]
  /** Where its API is, if not at Stripe: a test double. */
  readonly apiBase: string | undefined
  /** Whether Stripe adds the tax that it computes. */
  readonly automaticTax: boolean
}

const STRIPE_SECRET_KEY = variable(
  'STRIPE_SECRET_KEY',
  Type.Optional(
    Type.String({
      pattern: '^[sr]k_(live|test)_[0-9A-Za-z_]{8,}$',
      description: 'a secret or restricted key of Stripe: a live key in production, a test key elsewhere',
    }),
  ),
  {
    doc: 'a secret or restricted key of Stripe ([Taking payments](#taking-payments)): a live key in production, a test key elsewhere. Needs `STRIPE_WEBHOOK_SECRET` and `DASHBOARD_URL`',
    unset: 'none: the [built-in provider](money.md#payments), in production no payments',
  },
)

const STRIPE_WEBHOOK_SECRET = variable(
  'STRIPE_WEBHOOK_SECRET',
  Type.Optional(
    Type.String({
      description:
        'the signing secret of the webhook, which begins with whsec_; two separated by a comma while you replace it',
    }),
  ),
  {
    doc: 'the signing secret of the webhook, `whsec_…`; two separated by a comma while you replace it',
    unset: 'required with `STRIPE_SECRET_KEY`',
  },
)

const STRIPE_API_BASE = variable(
  'STRIPE_API_BASE',
  Type.Optional(
    Type.String({
      description:
        'the origin of a test double (scheme://host[:port], no path), https except for loopback; not in production',
    }),
  ),
  { doc: 'the origin of a test double; refused in production', unset: 'Stripe' },
)

const STRIPE_AUTOMATIC_TAX = variable(
  'STRIPE_AUTOMATIC_TAX',
  Type.Optional(Type.Boolean({ description: 'true or false' })),
  {
    doc: 'whether payment pages add the tax that Stripe computes (Stripe Tax must be set up). The wallet gets the amount without tax',
    unset: '`false`',
  },
)

/** The payments with Stripe; undefined without STRIPE_SECRET_KEY. */
const stripe = settingOf(
  [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE, STRIPE_AUTOMATIC_TAX],
  parseStripe,
  { secrets: settings => (settings === undefined ? [] : [settings.secretKey, ...settings.webhookSecrets]) },
)

/** Throws InvalidConfiguration with all variables that are wrong or missing. */
function parseStripe(reading: Reading): StripeSettings | undefined {
  const { read } = reading
  const secretKey = read(STRIPE_SECRET_KEY)
  if (secretKey === undefined) {
    const others = [STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE, STRIPE_AUTOMATIC_TAX]
    const set = others.filter(source => read<unknown>(source) !== undefined)
    if (set.length > 0) throw new InvalidConfiguration(set.map(source => mustBeSetWith(source, STRIPE_SECRET_KEY)))
    return undefined
  }
  const {
    webhookSecrets,
    dashboard: _,
    ...printed
  } = computeAll({
    livemode: () => livemodeOf(secretKey, reading),
    webhookSecrets: () => webhookSecretsOf(read(STRIPE_WEBHOOK_SECRET)),
    apiBase: () => apiBaseOf(reading),
    automaticTax: () => read(STRIPE_AUTOMATIC_TAX) ?? false,
    dashboard() {
      if (read(DASHBOARD_URL) === undefined) throw mustBeSetWith(DASHBOARD_URL, STRIPE_SECRET_KEY)
    },
  })
  return Object.defineProperties(printed as StripeSettings, {
    secretKey: { get: () => secretKey },
    webhookSecrets: { get: () => webhookSecrets },
  })
}

function livemodeOf(secretKey: string, { read }: Reading): boolean {
  const livemode = secretKey.includes('_live_')
  // A test key in production would give balance for test cards, a live key elsewhere would charge people.
  if (livemode !== (read(GATEWAY_ENV) === 'production')) throw mustBe(STRIPE_SECRET_KEY)
  return livemode
}

function webhookSecretsOf(list = ''): readonly string[] {
  const secrets = splitList(list)
  if (secrets.length === 0 || secrets.length > 2) throw mustBe(STRIPE_WEBHOOK_SECRET)
  if (!secrets.every(secret => /^whsec_[\w+/=-]{16,}$/.test(secret))) throw mustBe(STRIPE_WEBHOOK_SECRET)
  return secrets
}

function apiBaseOf({ read }: Reading): string | undefined {
  const text = read(STRIPE_API_BASE)
  if (text === undefined) return undefined
  const wrong = () => mustBe(STRIPE_API_BASE)
  const url = parseOrigin(text, wrong)
  const inTheClear = url.protocol === 'http:' && !isLoopback(url.hostname)
  if (inTheClear || read(GATEWAY_ENV) === 'production') throw wrong()
  return url.origin
}

/** The settings of payments and plans. */
export const moneySettings = {
  /** The price of the paid plan and its included credits, in micro-dollars per month. */
  plans,
  /** The payment provider; undefined: the built-in one, in production none. */
  stripe,
  /** The smallest and the largest top-up, in micro-dollars. */
  topupLimits,
}

export type MoneySettings = SettingsOf<typeof moneySettings>
