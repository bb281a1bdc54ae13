import { createSecretKey, randomBytes } from 'node:crypto'
import type { KeyRing } from '../lib/configuration/key-ring.ts'
import type { Settings } from '../lib/configuration/settings.ts'
import type { SocialSettings } from '../lib/configuration/social.ts'
import { parseAllowList } from '../lib/egress/allow-list.ts'
import type { Lookup } from '../lib/egress/validate-destination.ts'

/** Limits that a test does not reach by accident. */
export const RESULT_LIMITS: Settings['resultLimits'] = { organization: 1024 ** 3, holder: 256 * 1024 ** 2 }
export const MEMORY_LIMITS: Settings['memoryLimits'] = {
  organization: { memories: 50_000, bytes: 256 * 1024 ** 2 },
  member: { memories: 10_000, bytes: 64 * 1024 ** 2 },
}

/** Settings for one test: secrets created at run time, and the Host of `inject`. */
export function testSettings(overrides: Partial<Settings> = {}): Settings {
  return {
    environment: 'development',
    build: { name: 'connector-gateway', version: '0.0.0-test', commit: 'unknown' },
    listen: { host: '127.0.0.1', port: 0 },
    publicOrigins: port => ['http://localhost', `http://127.0.0.1:${port}`],
    dashboardUrl: undefined,
    dashboard: undefined,
    dashboardClient: undefined,
    corsOrigins: [],
    trustProxy: [],
    dataDir: '/nonexistent',
    database: undefined,
    redisUrl: undefined,
    tokens: {
      session: undefined,
      mcp: undefined,
      shareSubjects: false,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      maxLifetimeSeconds: 86_400,
    },
    localIssuer: undefined,
    membershipRules: [],
    organizationsByUsers: true,
    rateLimitMax: 100_000,
    maxConnections: 10_000,
    drainDelayMs: 0,
    peppers: ring(),
    vaultKeys: ring(),
    connectors: undefined,
    remoteRefreshMs: 3_600_000,
    connectorOverrides: new Map(),
    oauthClients: new Map(),
    egress: { allow: parseAllowList([]), loopback: true, lookup: localLookup },
    artifactsS3: undefined,
    billingThresholdMicros: 0,
    stripe: undefined,
    topupLimits: { minMicros: 5_000_000, maxMicros: 10_000_000_000 },
    overageLimitFactor: 10,
    plans: { proPriceMicros: 20_000_000, proIncludedMicros: 20_000_000 },
    media: { providers: {}, models: [] },
    resultLimits: RESULT_LIMITS,
    memoryLimits: MEMORY_LIMITS,
    // Nothing listens here.
    social: socialSettings(),
    web: { honorsRobots: true, search: {} },
    logLevel: 'silent',
    commandPrefix: 'npm run -s cli --',
    warnings: [],
    ...overrides,
  }
}

/** Resolves the names of this machine. It knows no other names and asks no server, so no test reaches a network. */
export const localLookup: Lookup = (hostname, _options, callback) => {
  if (hostname === 'localhost' || hostname.endsWith('.localhost'))
    return callback(null, [{ address: '127.0.0.1', family: 4 }])
  callback(Object.assign(new Error(`${hostname} is not a name of this machine`), { code: 'ENOTFOUND' }), [])
}

/** Settings of the social networks, all at an address of this machine. */
export function socialSettings(overrides: Partial<SocialSettings> = {}, origin = 'http://127.0.0.1:9'): SocialSettings {
  return {
    addresses: {
      hackerNewsSearch: origin,
      hackerNewsItems: origin,
      bluesky: origin,
      blueskyAccounts: origin,
      reddit: origin,
      redditAccounts: origin,
      x: origin,
    },
    mastodonInstances: [origin],
    mastodonToken: undefined,
    bluesky: undefined,
    reddit: undefined,
    xBearerToken: undefined,
    ...overrides,
  }
}

function ring(): KeyRing {
  return [{ id: 'test', key: createSecretKey(randomBytes(32)) }]
}
