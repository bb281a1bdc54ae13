import type { Config, GatewayEnvironment } from '../../schemas/config.ts'
import type { MemoryLimits, ResultLimits } from '../../schemas/limits.ts'
import type { ConnectorOverride, PlatformClient } from './connectors.ts'
import type { TokenSettings } from './issuers.ts'
import type { KeyRing } from './key-ring.ts'
import type { EgressSettings } from './network.ts'

/**
 * What the service was told at its start, checked and ready for use: `services/create-services.ts` and `server.ts` stand on it.
 * The secrets are KeyObjects or behind getters, which print as nothing; the URLs may hold a password, so this is never logged whole.
 */
export interface Settings {
  /** Decides the prefix of API keys, and what a start refuses. */
  readonly environment: GatewayEnvironment
  /** What GET /version tells. */
  readonly build: { readonly name: string; readonly version: string; readonly commit: string }
  /** Where to listen; port 0 is any free one. */
  readonly listen: { readonly host: string; readonly port: number }
  /** The origins this service answers for; the port it listens on (known only then) is part of development's defaults. */
  publicOrigins(port: number): readonly string[]
  /** Browser origins that may read answers; empty: none. */
  readonly corsOrigins: readonly string[]
  /** Addresses and CIDRs whose forwarded headers are believed; empty: nobody's. */
  readonly trustProxy: readonly string[]
  /** An absolute path. */
  readonly dataDir: string
  /** PostgreSQL, and the way past a pooler for migrations and LISTEN; undefined: the embedded database in `dataDir`. */
  readonly database: { readonly url: string; readonly directUrl: string } | undefined
  /** Where several processes share their rate counters; undefined: each counts for itself. */
  readonly redisUrl: string | undefined
  /** Whose tokens are taken beside API keys. */
  readonly tokens: TokenSettings
  /** Requests per credential and window (60 s). */
  readonly rateLimitMax: number
  /** Connections of clients that stand at once. */
  readonly maxConnections: number
  /** How long a process that is stopped goes on serving, so that a balancer notices. */
  readonly drainDelayMs: number
  readonly peppers: KeyRing
  readonly vaultKeys: KeyRing
  /** The ids of the connectors that are offered; undefined: all there are. */
  readonly connectors: readonly string[] | undefined
  /** By connector id. */
  readonly connectorOverrides: ReadonlyMap<string, ConnectorOverride>
  /** The service's own OAuth apps, by connector id. */
  readonly oauthClients: ReadonlyMap<string, PlatformClient>
  readonly egress: EgressSettings
  /** Below this balance, in micro-dollars, an organization is in billing hold. */
  readonly billingThresholdMicros: number
  /** How many bytes of results are kept for repeated calls. */
  readonly resultLimits: ResultLimits
  readonly memoryLimits: MemoryLimits
  readonly logLevel: Config['LOG_LEVEL']
  /** Lines to log once at the start: what is allowed here, but probably not meant. */
  readonly warnings: readonly string[]
}
