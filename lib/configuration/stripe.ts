import type { Config } from '../../schemas/config.ts'
import { computeAll, InvalidConfiguration } from './faults.ts'
import { isLoopback, parseOrigins } from './network.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

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

/** Undefined without STRIPE_SECRET_KEY. Throws InvalidConfiguration with all variables that are wrong or missing. */
export function parseStripe(config: Config): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey } = config
  if (secretKey === undefined) {
    requireUnset(config, ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE', 'STRIPE_AUTOMATIC_TAX'])
    return undefined
  }
  const {
    webhookSecrets,
    dashboard: _,
    ...printed
  } = computeAll({
    livemode: () => livemodeOf(secretKey, config),
    webhookSecrets: () => webhookSecretsOf(config),
    apiBase: () => apiBaseOf(config),
    automaticTax: () => config.STRIPE_AUTOMATIC_TAX ?? false,
    dashboard: () => requireSet(config, 'DASHBOARD_URL'),
  })
  return Object.defineProperties(printed as StripeSettings, {
    secretKey: { get: () => secretKey },
    webhookSecrets: { get: () => webhookSecrets },
  })
}

function requireUnset(config: Config, names: readonly (keyof Config)[]): void {
  const set = names.filter(name => config[name] !== undefined)
  if (set.length > 0) throw new InvalidConfiguration(set.map(together))
}

function requireSet(config: Config, name: keyof Config): void {
  if (config[name] === undefined) throw together(name)
}

function together(name: keyof Config): ConfigurationError {
  return new ConfigurationError(name, 'must be set together with STRIPE_SECRET_KEY')
}

function livemodeOf(secretKey: string, { GATEWAY_ENV }: Config): boolean {
  const livemode = secretKey.includes('_live_')
  // A test key in production would give balance for test cards, a live key elsewhere would charge people.
  if (livemode !== (GATEWAY_ENV === 'production')) throw mustBe('STRIPE_SECRET_KEY')
  return livemode
}

function webhookSecretsOf({ STRIPE_WEBHOOK_SECRET: list }: Config): readonly string[] {
  const secrets = splitList(list ?? '')
  if (secrets.length === 0 || secrets.length > 2) throw mustBe('STRIPE_WEBHOOK_SECRET')
  if (!secrets.every(secret => /^whsec_[\w+/=-]{16,}$/.test(secret))) throw mustBe('STRIPE_WEBHOOK_SECRET')
  return secrets
}

function apiBaseOf({ STRIPE_API_BASE: text, GATEWAY_ENV }: Config): string | undefined {
  if (text === undefined) return undefined
  const [url, ...others] = parseOrigins('STRIPE_API_BASE', text)
  const inTheClear = url?.protocol === 'http:' && !isLoopback(url.hostname)
  if (url === undefined || others.length > 0 || inTheClear || GATEWAY_ENV === 'production')
    throw mustBe('STRIPE_API_BASE')
  return url.origin
}
