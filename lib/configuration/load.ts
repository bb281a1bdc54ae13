import { resolve } from 'node:path'
import { type EnvSchemaData, envSchema } from 'env-schema'
import about from '../../package.json' with { type: 'json' }
import { Config } from '../../schemas/config.ts'
import { parseConnectors, parseOauthClients, parseOverrides } from './connectors.ts'
import { developmentSecrets } from './development-secrets.ts'
import { parseIssuers } from './issuers.ts'
import { parsePeppers, parseVaultKeys } from './key-ring.ts'
import { isLoopback, loopbackOrigins, parseEgress, parseOrigins, parseProxies, parsePublicOrigins } from './network.ts'
import type { Settings } from './settings.ts'
import { ConfigurationError, mustBe, mustBeSet } from './variable.ts'

/**
 * Reads the settings from an environment. Throws a ConfigurationError for the first invalid value. Has side effects
 * only in development, where it generates missing secrets in DATA_DIR.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Settings {
  const set = withoutEmpty(env)
  const config = check(set)
  const development = config.GATEWAY_ENV === 'development'
  if (development && !isLoopback(config.HOST) && !config.DEV_ON_NETWORK) {
    throw new ConfigurationError('HOST', 'must be a loopback address in development, unless DEV_ON_NETWORK is true')
  }
  const settings = {
    environment: config.GATEWAY_ENV,
    build: { name: about.name, version: about.version, commit: config.GATEWAY_COMMIT },
    listen: { host: config.HOST, port: config.PORT },
    publicOrigins: publicOriginsOf(config, development),
    corsOrigins: config.CORS_ORIGINS === undefined ? [] : originsOf('CORS_ORIGINS', config.CORS_ORIGINS),
    trustProxy: config.TRUST_PROXY === undefined ? [] : parseProxies(config.TRUST_PROXY),
    dataDir: resolve(config.DATA_DIR),
    database: databaseOf(config),
    redisUrl: urlOf('REDIS_URL', config.REDIS_URL),
    tokens: parseIssuers(config, development),
    rateLimitMax: config.RATE_LIMIT_MAX,
    maxConnections: config.MAX_CONNECTIONS,
    drainDelayMs: 1_000 * (config.DRAIN_DELAY_SECONDS ?? (development ? 0 : 5)),
    ...connectorsOf(config),
    billingThresholdMicros: config.BILLING_THRESHOLD_MICROS,
    ...quotasOf(config),
    logLevel: config.LOG_LEVEL,
    warnings: warningsOf(config, ignoredVariables(set)),
  }
  // Runs last, so that a failed start leaves nothing behind in DATA_DIR.
  const { API_KEY_PEPPERS, VAULT_KEYS } = secretsOf(config, development)
  return { ...settings, peppers: parsePeppers(API_KEY_PEPPERS), vaultKeys: parseVaultKeys(VAULT_KEYS) }
}

/** An empty variable counts as unset, as compose files and shells write it. */
function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value.trim()] as const],
    ),
  )
}

function check(set: Record<string, string>): Config {
  try {
    return envSchema<Config & EnvSchemaData>({ schema: Config, data: set, env: false })
  } catch (error) {
    const variable = variableOf(error)
    if (variable === undefined) throw error
    // The cause is left out because its text may quote the value.
    throw mustBe(variable)
  }
}

/** The variable of an env-schema validation error. */
function variableOf(error: unknown): keyof Config | undefined {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return undefined
  const path: unknown = error.errors[0]?.instancePath
  const name = typeof path === 'string' ? path.slice(1) : ''
  return Object.hasOwn(Config.properties, name) ? (name as keyof Config) : undefined
}

function secretsOf(config: Config, development: boolean): { API_KEY_PEPPERS: string; VAULT_KEYS: string } {
  const { API_KEY_PEPPERS, VAULT_KEYS } = config
  if (API_KEY_PEPPERS !== undefined && VAULT_KEYS !== undefined) return { API_KEY_PEPPERS, VAULT_KEYS }
  if (!development) throw mustBeSet(API_KEY_PEPPERS === undefined ? 'API_KEY_PEPPERS' : 'VAULT_KEYS')
  const made = developmentSecrets(resolve(config.DATA_DIR))
  return { API_KEY_PEPPERS: API_KEY_PEPPERS ?? made.API_KEY_PEPPERS, VAULT_KEYS: VAULT_KEYS ?? made.VAULT_KEYS }
}

function publicOriginsOf(config: Config, development: boolean): Settings['publicOrigins'] {
  if (config.PUBLIC_ORIGINS !== undefined) {
    const origins = parsePublicOrigins(config.PUBLIC_ORIGINS, development)
    return () => origins
  }
  if (!development) throw mustBeSet('PUBLIC_ORIGINS')
  return loopbackOrigins
}

function connectorsOf(config: Config): Pick<Settings, 'connectors' | 'connectorOverrides' | 'oauthClients' | 'egress'> {
  const { CONNECTORS, CONNECTOR_OVERRIDES, OAUTH_CLIENTS } = config
  const egress = parseEgress(config)
  return {
    connectors: CONNECTORS === undefined ? undefined : parseConnectors(CONNECTORS),
    connectorOverrides: CONNECTOR_OVERRIDES === undefined ? new Map() : parseOverrides(CONNECTOR_OVERRIDES, egress),
    oauthClients: OAUTH_CLIENTS === undefined ? new Map() : parseOauthClients(OAUTH_CLIENTS),
    egress,
  }
}

function quotasOf(config: Config): Pick<Settings, 'resultLimits' | 'memoryLimits'> {
  return {
    resultLimits: { organization: config.STORED_RESULTS_MAX_BYTES, holder: config.STORED_RESULTS_MAX_BYTES_PER_KEY },
    memoryLimits: {
      organization: { memories: config.MEMORY_MAX_COUNT, bytes: config.MEMORY_MAX_BYTES },
      member: { memories: config.MEMORY_MAX_COUNT_PER_MEMBER, bytes: config.MEMORY_MAX_BYTES_PER_MEMBER },
    },
  }
}

function originsOf(variable: keyof Config, list: string): readonly string[] {
  return parseOrigins(variable, list).map(({ origin }) => origin)
}

function databaseOf(config: Config): Settings['database'] {
  const url = urlOf('DATABASE_URL', config.DATABASE_URL)
  const directUrl = urlOf('DATABASE_DIRECT_URL', config.DATABASE_DIRECT_URL)
  if (url !== undefined) return { url, directUrl: directUrl ?? url }
  if (directUrl === undefined) return undefined
  throw new ConfigurationError('DATABASE_DIRECT_URL', 'must be set together with DATABASE_URL')
}

function urlOf(variable: keyof Config, url: string | undefined): string | undefined {
  if (url !== undefined && !URL.canParse(url)) throw mustBe(variable)
  return url
}

function warningsOf(config: Config, ignored: readonly string[]): readonly string[] {
  const warnings: string[] = []
  if (ignored.length > 0) warnings.push(`This version ignores these variables: ${ignored.join(', ')}.`)
  if (config.GATEWAY_ENV !== 'development' && config.DATABASE_URL === undefined)
    warnings.push('DATABASE_URL is not set: the embedded database is not synced to disk and serves one process.')
  return warnings
}

/** Planned variables that this version does not read. The start warns about them once. */
const LATER_VARIABLES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_BASE',
  'DASHBOARD',
  'DASHBOARD_URL',
  'METRICS_PORT',
] as const

/** The set variables that this version does not read. */
function ignoredVariables(set: Readonly<Record<string, string>>): readonly string[] {
  return LATER_VARIABLES.filter(name => Object.hasOwn(set, name))
}
