import { resolve } from 'node:path'
import about from '../../package.json' with { type: 'json' }
import type { Config } from '../../schemas/config.ts'
import { commandPrefix } from './command-prefix.ts'
import {
  type ConnectorOverride,
  type PlatformClient,
  parseConnectors,
  parseOauthClients,
  parseOverrides,
} from './connectors.ts'
import { parseDashboard, parseDashboardClient, parseDashboardUrl } from './dashboard.ts'
import { developmentSecrets } from './development-secrets.ts'
import { computeAll, InvalidConfiguration, once } from './faults.ts'
import { parseIssuers } from './issuers.ts'
import { type KeyRing, parsePeppers, parseVaultKeys } from './key-ring.ts'
import { parseMedia } from './media.ts'
import { membershipRuleWarnings, parseMembershipRules } from './membership-rules.ts'
import { isLoopback, loopbackOrigins, parseEgress, parseOrigins, parseProxies, parsePublicOrigins } from './network.ts'
import { readVariables, withoutEmpty } from './read-variables.ts'
import { parseS3 } from './s3.ts'
import type { ConnectorChecks, Settings } from './settings.ts'
import { similarVariables } from './similar-variables.ts'
import { parseSocial } from './social.ts'
import { parseStripe } from './stripe.ts'
import { ConfigurationError, mustBe, mustBeSet } from './variable.ts'
import { parseWeb } from './web.ts'

type SetVariables = Readonly<Record<string, string>>

/**
 * Reads the settings from an environment. Throws InvalidConfiguration with all faults. Has side effects only in
 * development and without a fault: it generates missing secrets in DATA_DIR. Without `checks`, the names of connectors
 * are not checked.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, checks?: ConnectorChecks): Settings {
  const set = withoutEmpty(env)
  const similar = similarVariables(set, LATER_VARIABLES)
  try {
    const settings = parseSettings(set, similar, checks)
    const { peppers, vaultKeys } = settings
    if (peppers !== undefined && vaultKeys !== undefined) return { ...settings, peppers, vaultKeys }
    // Runs last, so that a failed start leaves nothing behind in DATA_DIR.
    const made = computeAll({ secrets: () => parseSecrets(developmentSecrets.readOrMake(settings.dataDir)) }).secrets
    return { ...settings, peppers: peppers ?? made.peppers, vaultKeys: vaultKeys ?? made.vaultKeys }
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    const unmentioned = [...similar].filter(([name]) => !error.message.includes(`${name} is set`))
    throw new InvalidConfiguration(error.faults, unmentioned.map(didYouMean))
  }
}

/** Everything but secrets that are still to be generated. Each part reads only the variables that it depends on. */
function parseSettings(set: SetVariables, similar: ReadonlyMap<string, keyof Config>, checks?: ConnectorChecks) {
  const { config, faults } = readVariables(set)
  /** The value of a variable that only development can do without. */
  const required = (variable: 'PUBLIC_ORIGINS' | 'API_KEY_PEPPERS' | 'VAULT_KEYS') => {
    const value = config[variable]
    if (value === undefined && !isDevelopment(config))
      throw mustBeSet(variable, [...similar].find(([, meant]) => meant === variable)?.[0])
    return value
  }
  const database = once(() => databaseOf(config))
  const tokens = once(() => parseIssuers(config))
  const membershipRules = once(() => parseMembershipRules(config, tokens))
  const parts = {
    environment: () => config.GATEWAY_ENV,
    build: () => ({ name: about.name, version: about.version, commit: config.GATEWAY_COMMIT }),
    listen: () => ({ host: hostOf(config), port: config.PORT }),
    publicOrigins: () => publicOriginsOf(config, required('PUBLIC_ORIGINS')),
    dashboardUrl: () => parseDashboardUrl(config),
    dashboard: () => parseDashboard(config),
    dashboardClient: () => parseDashboardClient(config),
    corsOrigins: () => (config.CORS_ORIGINS === undefined ? [] : originsOf('CORS_ORIGINS', config.CORS_ORIGINS)),
    trustProxy: () => (config.TRUST_PROXY === undefined ? [] : parseProxies(config.TRUST_PROXY)),
    dataDir: () => resolve(config.DATA_DIR),
    database,
    redisUrl: () => urlOf('REDIS_URL', config.REDIS_URL),
    tokens,
    // Chosen by the start, which knows the port of the dashboard.
    localIssuer: () => undefined,
    membershipRules,
    organizationsByUsers: () => config.ORGANIZATIONS_BY_USERS ?? isDevelopment(config),
    rateLimitMax: () => config.RATE_LIMIT_MAX,
    maxConnections: () => config.MAX_CONNECTIONS,
    drainDelayMs: () => 1_000 * (config.DRAIN_DELAY_SECONDS ?? (isDevelopment(config) ? 0 : 5)),
    ...connectorsOf(config, checks),
    remoteRefreshMs: () => 60_000 * config.REMOTE_REFRESH_MINUTES,
    artifactsS3: () => parseS3(config),
    billingThresholdMicros: () => config.BILLING_THRESHOLD_MICROS,
    stripe: () => parseStripe(config),
    topupLimits: () => topupLimitsOf(config),
    overageLimitFactor: () => config.OVERAGE_LIMIT_FACTOR,
    plans: () => ({
      proPriceMicros: config.PLAN_PRO_PRICE_MICROS,
      proIncludedMicros: config.PLAN_PRO_INCLUDED_MICROS,
    }),
    ...quotasOf(config),
    social: () => parseSocial(config),
    logLevel: () => config.LOG_LEVEL,
    commandPrefix: () => prefixOf(config, database()),
    warnings: () => [
      ...[...similar].map(didYouMean),
      ...warningsOf(config, set),
      ...membershipRuleWarnings(membershipRules()),
    ],
    peppers: () => ringOf(required('API_KEY_PEPPERS'), parsePeppers),
    vaultKeys: () => ringOf(required('VAULT_KEYS'), parseVaultKeys),
  }
  const { generated: _, ...settings } = computeAll({ ...parts, generated: () => checkGenerated(config) }, faults)
  return settings
}

function prefixOf(config: Config, database: Settings['database']): string {
  const dataDir = resolve(config.DATA_DIR)
  return commandPrefix({ environment: config.GATEWAY_ENV, dataDir, database, cliCommand: config.CLI_COMMAND })
}

function isDevelopment(config: Config): boolean {
  return config.GATEWAY_ENV === 'development'
}

function hostOf(config: Config): string {
  if (!isLoopback(config.HOST) && isDevelopment(config) && !config.DEV_ON_NETWORK)
    throw new ConfigurationError('HOST', 'must be a loopback address in development, unless DEV_ON_NETWORK is true')
  return config.HOST
}

function ringOf(list: string | undefined, parse: (list: string) => KeyRing): KeyRing | undefined {
  return list === undefined ? undefined : parse(list)
}

function parseSecrets({ API_KEY_PEPPERS, VAULT_KEYS }: { API_KEY_PEPPERS: string; VAULT_KEYS: string }) {
  return { peppers: parsePeppers(API_KEY_PEPPERS), vaultKeys: parseVaultKeys(VAULT_KEYS) }
}

/** Checks the secrets that an earlier start generated, if this one needs them. */
function checkGenerated(config: Config): void {
  if (!isDevelopment(config) || (config.API_KEY_PEPPERS !== undefined && config.VAULT_KEYS !== undefined)) return
  const generated = developmentSecrets.read(resolve(config.DATA_DIR))
  if (generated !== undefined) parseSecrets(generated)
}

function publicOriginsOf(config: Config, list: string | undefined): Settings['publicOrigins'] {
  if (list === undefined) return loopbackOrigins
  const origins = parsePublicOrigins(list, config)
  return () => origins
}

function connectorsOf(config: Config, checks: ConnectorChecks | undefined) {
  const egress = once(() => parseEgress(config))
  return {
    media: () => parseMedia(config, egress),
    web: () => parseWeb(config, egress),
    connectors() {
      if (config.CONNECTORS === undefined) return undefined
      const ids = parseConnectors(config.CONNECTORS)
      checks?.connectors(ids)
      return ids
    },
    connectorOverrides() {
      if (config.CONNECTOR_OVERRIDES === undefined) return new Map<string, ConnectorOverride>()
      const overrides = parseOverrides(config.CONNECTOR_OVERRIDES, egress)
      checks?.overrides(overrides)
      return overrides
    },
    oauthClients() {
      if (config.OAUTH_CLIENTS === undefined) return new Map<string, PlatformClient>()
      const clients = parseOauthClients(config.OAUTH_CLIENTS)
      checks?.oauthClients(clients)
      return clients
    },
    egress,
  }
}

function quotasOf(config: Config) {
  return {
    resultLimits: () => ({
      organization: config.STORED_RESULTS_MAX_BYTES,
      holder: config.STORED_RESULTS_MAX_BYTES_PER_KEY,
    }),
    memoryLimits: () => ({
      organization: { memories: config.MEMORY_MAX_COUNT, bytes: config.MEMORY_MAX_BYTES },
      member: { memories: config.MEMORY_MAX_COUNT_PER_MEMBER, bytes: config.MEMORY_MAX_BYTES_PER_MEMBER },
    }),
  }
}

function topupLimitsOf({ TOPUP_MIN_MICROS: minMicros, TOPUP_MAX_MICROS: maxMicros }: Config) {
  if (minMicros > maxMicros) throw mustBe('TOPUP_MIN_MICROS')
  return { minMicros, maxMicros }
}

function originsOf(variable: keyof Config, list: string): readonly string[] {
  return parseOrigins(variable, list).map(({ origin }) => origin)
}

function databaseOf(config: Config): Settings['database'] {
  const { url, directUrl } = computeAll({
    url: () => urlOf('DATABASE_URL', config.DATABASE_URL),
    directUrl: () => urlOf('DATABASE_DIRECT_URL', config.DATABASE_DIRECT_URL),
  })
  if (url !== undefined) return { url, directUrl: directUrl ?? url }
  if (directUrl === undefined) return undefined
  throw new ConfigurationError('DATABASE_DIRECT_URL', 'must be set together with DATABASE_URL')
}

function urlOf(variable: keyof Config, url: string | undefined): string | undefined {
  if (url !== undefined && !URL.canParse(url)) throw mustBe(variable)
  return url
}

function didYouMean([name, meant]: readonly [name: string, meant: string]): string {
  return `${name} is not a setting; did you mean ${meant}?`
}

function warningsOf(config: Config, set: SetVariables): readonly string[] {
  const warnings: string[] = []
  const ignored = LATER_VARIABLES.filter(name => Object.hasOwn(set, name))
  if (ignored.length > 0) warnings.push(`This version ignores these variables: ${ignored.join(', ')}.`)
  if (config.GATEWAY_ENV !== 'development' && config.DATABASE_URL === undefined)
    warnings.push('DATABASE_URL is not set: the embedded database is not synced to disk and serves one process.')
  return warnings
}

/** Planned variables that this version does not read. The start warns about them once. */
const LATER_VARIABLES = ['METRICS_PORT'] as const
