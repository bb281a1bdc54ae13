import { Type } from '@sinclair/typebox'
import { GATEWAY_ENV, isDevelopment } from '../../lib/configuration/environment.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { optionalUrl, parseOrigins, parseProxies, passwordsOf } from '../../lib/configuration/network.ts'
import { egress, listen, publicOrigins } from '../../lib/configuration/network-settings.ts'
import type { ReadSettings } from '../../lib/configuration/read-settings.ts'
import { secretsOf, setting, settingOf } from '../../lib/configuration/setting.ts'
import { variable } from '../../lib/configuration/variable.ts'
import { MOST_MICROS } from '../../schemas/billing/money.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import type { MemoryLimits } from '../../schemas/tools/memory.ts'
import { artifactsS3 } from '../artifacts/s3-settings.ts'
import { connectorSettings } from '../connectors/connector-settings.ts'
import { dashboardSettings } from '../dashboard/dashboard-settings.ts'
import type { ResultLimits } from '../idempotency/result-quota.ts'
import { tokens } from '../identity/issuer-settings.ts'
import { media } from '../media/media-settings.ts'
import { membershipRules } from '../organizations/membership-rule-settings.ts'
import { moneySettings } from '../payments/money-settings.ts'
import { social } from '../social/social-settings.ts'
import { web } from '../web/web-settings.ts'
import { commandSettings } from './command-prefix.ts'
import { database, dataDir } from './database-settings.ts'
import { peppers, vaultKeys } from './key-settings.ts'

const MIB = 1024 ** 2

/** A maximum number of something. */
function maxCount(name: string, defaultValue: number, doc: string) {
  const description = 'a whole number, from 1 to 1000000000'
  return variable(name, Type.Integer({ default: defaultValue, minimum: 1, maximum: 1_000_000_000, description }), {
    doc,
  })
}

/** A maximum size. The minimum is larger than one stored result or memory. */
function maxBytes(name: string, defaultMib: number, doc: string) {
  const description = `a whole number of bytes, from ${MIB} (1 MiB) to ${2 ** 50} (1 PiB)`
  const unit = defaultMib === 1024 ? '1 GiB' : `${defaultMib} MiB`
  return variable(name, Type.Integer({ default: defaultMib * MIB, minimum: MIB, maximum: 2 ** 50, description }), {
    doc,
    unset: `\`${defaultMib * MIB}\` (${unit})`,
  })
}

const STORED_RESULTS_MAX_BYTES = maxBytes(
  'STORED_RESULTS_MAX_BYTES',
  1024,
  'the maximum size of stored results of calls with an `Idempotency-Key` per organization. Above it the oldest results are dropped. At least 1 MiB',
)

const STORED_RESULTS_MAX_BYTES_PER_KEY = maxBytes(
  'STORED_RESULTS_MAX_BYTES_PER_KEY',
  256,
  'the same per API key, or per user with one OAuth client',
)

/** The maximum size of results stored for repeated calls. */
export const resultLimits = settingOf(
  [STORED_RESULTS_MAX_BYTES, STORED_RESULTS_MAX_BYTES_PER_KEY],
  ({ read }): ResultLimits => ({
    organization: read(STORED_RESULTS_MAX_BYTES),
    holder: read(STORED_RESULTS_MAX_BYTES_PER_KEY),
  }),
)

const MEMORY_MAX_COUNT = maxCount(
  'MEMORY_MAX_COUNT',
  50_000,
  "the maximum number of an organization's memories; at least 1",
)

const MEMORY_MAX_BYTES = maxBytes(
  'MEMORY_MAX_BYTES',
  256,
  "the maximum size of an organization's memories; at least 1 MiB",
)

const MEMORY_MAX_COUNT_PER_MEMBER = maxCount(
  'MEMORY_MAX_COUNT_PER_MEMBER',
  10_000,
  'the maximum number of the memories that one member wrote, private and shared, with any of their keys',
)

const MEMORY_MAX_BYTES_PER_MEMBER = maxBytes('MEMORY_MAX_BYTES_PER_MEMBER', 64, 'the maximum size of these memories')

/** The maximum number and size of memories. */
export const memoryLimits = settingOf(
  [MEMORY_MAX_COUNT, MEMORY_MAX_BYTES, MEMORY_MAX_COUNT_PER_MEMBER, MEMORY_MAX_BYTES_PER_MEMBER],
  ({ read }): MemoryLimits => ({
    organization: { memories: read(MEMORY_MAX_COUNT), bytes: read(MEMORY_MAX_BYTES) },
    member: { memories: read(MEMORY_MAX_COUNT_PER_MEMBER), bytes: read(MEMORY_MAX_BYTES_PER_MEMBER) },
  }),
)

import about from '../../package.json' with { type: 'json' }

const GATEWAY_COMMIT = variable(
  'GATEWAY_COMMIT',
  Type.String({
    default: 'unknown',
    pattern: '^[0-9A-Za-z._-]{1,64}$',
    description: 'the commit of the build: letters, digits, ".", "_" and "-"',
  }),
  {
    doc: 'the commit in `GET /version`. The image sets it from its build argument `COMMIT`; in development, a clone knows its own',
  },
)

/**
 * All settings. The order is that of the faults of a start and of the table in docs/configuration.md, which
 * `TAP_SNAPSHOT=1 node test/docs/configuration.test.ts` writes.
 */
export const SETTINGS = {
  listen,
  /** Sets the prefix of API keys, and what a start refuses. */
  environment: settingOf([GATEWAY_ENV], ({ read }) => read(GATEWAY_ENV)),
  /** The answer of GET /version. */
  build: settingOf([GATEWAY_COMMIT], ({ read }) => ({
    name: about.name,
    version: about.version,
    commit: read(GATEWAY_COMMIT),
  })),
  database,
  dataDir,
  /** The Redis of shared rate counters; undefined: each process counts for itself. */
  redisUrl: setting(
    'REDIS_URL',
    Type.Optional(Type.String({ pattern: '^rediss?://', description: 'a URL that begins with redis:// or rediss://' })),
    {
      doc: 'the rate counters of several processes, `redis://` or `rediss://`',
      unset: 'none: each process counts for itself',
      to: (url, { wrong }) => optionalUrl(url, wrong),
      secrets: passwordsOf,
    },
  ),
  publicOrigins,
  ...dashboardSettings,
  /** Browser origins that may read answers; empty means none. */
  corsOrigins: setting(
    'CORS_ORIGINS',
    Type.Optional(Type.String({ description: 'a comma-separated list of origins (scheme://host[:port], no path)' })),
    {
      doc: 'comma-separated list of browser origins that may read answers',
      to: (list, { wrong }): readonly string[] =>
        list === undefined ? [] : parseOrigins(list, wrong).map(({ origin }) => origin),
    },
  ),
  /** Addresses and CIDRs whose forwarded headers are trusted; empty means none. */
  trustProxy: setting(
    'TRUST_PROXY',
    Type.Optional(
      Type.String({
        description: 'a comma-separated list of proxy addresses and CIDRs, none with a prefix length of 0',
      }),
    ),
    {
      doc: 'comma-separated list of addresses and CIDRs of proxies whose forwarded headers are trusted',
      to: (list, { wrong }): readonly string[] => (list === undefined ? [] : parseProxies(list, wrong)),
    },
  ),
  tokens,
  /** The issuer of MCP clients that this process serves itself in development; the start chooses it. */
  localIssuer: settingOf([], (): string | undefined => undefined),
  membershipRules,
  /** Whether signed-in users may create organizations. */
  organizationsByUsers: setting(
    'ORGANIZATIONS_BY_USERS',
    Type.Optional(Type.Boolean({ description: 'true or false' })),
    {
      doc: 'whether signed-in users may create organizations in the dashboard. Otherwise only the operator does',
      unset: 'true in development, else false',
      to: (isOn, reading) => isOn ?? isDevelopment(reading),
    },
  ),
  /** Requests per credential and window (60 s). */
  rateLimitMax: setting(
    'RATE_LIMIT_MAX',
    Type.Integer({
      default: 600,
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'the maximum number of requests per credential in 60 s, at least 1',
    }),
    { doc: 'requests per 60 s and credential' },
  ),
  /** The maximum number of client connections. */
  maxConnections: setting(
    'MAX_CONNECTIONS',
    Type.Integer({
      default: 10_000,
      minimum: 1,
      maximum: 1_000_000,
      description: 'the maximum number of open connections, at least 1',
    }),
    {
      doc: 'the maximum number of open connections of one process. Further ones are closed at once, with one warning per minute',
    },
  ),
  /** The time between two automatic snapshots of a remote connector. */
  remoteRefreshMs: setting(
    'REMOTE_REFRESH_MINUTES',
    Type.Integer({
      default: 60,
      minimum: 5,
      maximum: 10_080,
      description: 'a whole number of minutes, from 5 to 10080',
    }),
    {
      doc: 'the period in which [remote connectors](remote-connectors.md#refreshing) with refresh mode `harmless` are looked at; 5 to 10080',
      to: minutes => 60_000 * minutes,
    },
  ),
  /** How long a stopping process keeps serving, so that a load balancer notices. */
  drainDelayMs: setting(
    'DRAIN_DELAY_SECONDS',
    Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: 'how many seconds a stopping process keeps serving, from 0 to 20',
      }),
    ),
    {
      doc: 'how long a stopping process reports not ready and keeps serving, so that the load balancer notices; at most 20',
      unset: '`5`; in development `0`',
      to: (seconds, reading) => 1_000 * (seconds ?? (isDevelopment(reading) ? 0 : 5)),
    },
  ),
  peppers,
  vaultKeys,
  ...connectorSettings,
  egress,
  ...commandSettings,
  artifactsS3,
  /** An organization with a lower balance, in micro-dollars, is in billing hold. */
  billingThresholdMicros: setting(
    'BILLING_THRESHOLD_MICROS',
    Type.Integer({
      default: 0,
      minimum: -MOST_MICROS,
      maximum: MOST_MICROS,
      description: 'a whole number of micro-dollars, from -10^15 to 10^15',
    }),
    { doc: 'an organization with a lower balance, in micro-dollars, is in billing hold ([Money](money.md))' },
  ),
  /** A metered call is charged at most this many times its estimate. */
  overageLimitFactor: setting(
    'OVERAGE_LIMIT_FACTOR',
    Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 1_000,
      description: 'a whole number from 1 to 1000: a call is charged at most this many times its estimate',
    }),
    { doc: 'a metered call is charged at most this many times its estimate, from 1 to 1000 ([Money](money.md))' },
  ),
  ...moneySettings,
  media,
  resultLimits,
  memoryLimits,
  social,
  web,
  logLevel: setting(
    'LOG_LEVEL',
    StringEnum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'trace, debug, info, warn, error, fatal or silent',
    }),
    { doc: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`' },
  ),
}

/**
 * The checked settings of the gateway. Secrets are KeyObjects or behind getters, which print as nothing. URLs may hold
 * a password, so never log the whole object.
 */
export type Settings = Omit<ReadSettings<typeof SETTINGS>, 'peppers' | 'vaultKeys'> & {
  readonly peppers: KeyRing
  readonly vaultKeys: KeyRing
}

/** The secrets of the settings, for the log's scrubber: keys in several encodings, passwords of URLs, client secrets. */
export function configuredSecrets(settings: Partial<Settings>): readonly string[] {
  return secretsOf(SETTINGS, settings)
}
