import type { Config, GatewayEnvironment } from '../../schemas/config.ts'
import type { MemoryLimits, ResultLimits } from '../../schemas/limits.ts'
import type { ConnectorOverride, PlatformClient } from './connectors.ts'
import type { DashboardClient, DashboardSettings } from './dashboard.ts'
import type { TokenSettings } from './issuers.ts'
import type { KeyRing } from './key-ring.ts'
import type { MediaSettings } from './media.ts'
import type { MembershipRule } from './membership-rules.ts'
import type { EgressSettings } from './network.ts'
import type { S3Settings } from './s3.ts'
import type { SocialSettings } from './social.ts'
import type { StripeSettings } from './stripe.ts'
import type { WebSettings } from './web.ts'

/**
 * The checked settings of the gateway. Secrets are KeyObjects or behind getters, which print as nothing. URLs may hold
 * a password, so never log the whole object.
 */
export interface Settings {
  /** Sets the prefix of API keys, and what a start refuses. */
  readonly environment: GatewayEnvironment
  /** The answer of GET /version. */
  readonly build: { readonly name: string; readonly version: string; readonly commit: string }
  /** Where to listen; port 0 picks a free port. */
  readonly listen: { readonly host: string; readonly port: number }
  /** The public origins. Development's defaults contain the listening port. */
  publicOrigins(port: number): readonly string[]
  /** The origin of the dashboard, to which payment pages and links lead; undefined if there is none. */
  readonly dashboardUrl: string | undefined
  /** Where this process serves the dashboard; undefined if it does not. */
  readonly dashboard: DashboardSettings | undefined
  /** The client that users sign in to the dashboard with; undefined: they sign in with links. */
  readonly dashboardClient: DashboardClient | undefined
  /** Browser origins that may read answers; empty means none. */
  readonly corsOrigins: readonly string[]
  /** Addresses and CIDRs whose forwarded headers are trusted; empty means none. */
  readonly trustProxy: readonly string[]
  /** An absolute path. */
  readonly dataDir: string
  /**
   * PostgreSQL, and the URL that bypasses a pooler for migrations and LISTEN; undefined: the embedded database in
   * `dataDir`.
   */
  readonly database: { readonly url: string; readonly directUrl: string } | undefined
  /** The Redis of shared rate counters; undefined: each process counts for itself. */
  readonly redisUrl: string | undefined
  /** The accepted tokens besides API keys. */
  readonly tokens: TokenSettings
  /** The issuer of MCP clients that this process serves itself in development; undefined: none. */
  readonly localIssuer: string | undefined
  /** Who becomes a member of an organization by the claims of their token. */
  readonly membershipRules: readonly MembershipRule[]
  /** Whether signed-in users may create organizations. */
  readonly organizationsByUsers: boolean
  /** Requests per credential and window (60 s). */
  readonly rateLimitMax: number
  /** The maximum number of client connections. */
  readonly maxConnections: number
  /** How long a stopping process keeps serving, so that a load balancer notices. */
  readonly drainDelayMs: number
  /** The time between two automatic snapshots of a remote connector. */
  readonly remoteRefreshMs: number
  readonly peppers: KeyRing
  readonly vaultKeys: KeyRing
  /** The IDs of the offered connectors; undefined means all. */
  readonly connectors: readonly string[] | undefined
  /** By connector id. */
  readonly connectorOverrides: ReadonlyMap<string, ConnectorOverride>
  /** The operator's OAuth apps, by connector ID. */
  readonly oauthClients: ReadonlyMap<string, PlatformClient>
  readonly egress: EgressSettings
  /** The bucket for the files of tools; undefined: they are in `dataDir`. */
  readonly artifactsS3: S3Settings | undefined
  /** An organization with a lower balance, in micro-dollars, is in billing hold. */
  readonly billingThresholdMicros: number
  /** The payment provider; undefined: the built-in one, in production none. */
  readonly stripe: StripeSettings | undefined
  /** The smallest and the largest top-up, in micro-dollars. */
  readonly topupLimits: { readonly minMicros: number; readonly maxMicros: number }
  /** A metered call is charged at most this many times its estimate. */
  readonly overageLimitFactor: number
  /** The price of the paid plan and its included credits, in micro-dollars per month. */
  readonly plans: { readonly proPriceMicros: number; readonly proIncludedMicros: number }
  /** The media models and their providers; none without a provider's key. */
  readonly media: MediaSettings
  /** The maximum size of results stored for repeated calls. */
  readonly resultLimits: ResultLimits
  readonly memoryLimits: MemoryLimits
  /** The social networks that the gateway reads, and its credentials for them. */
  readonly social: SocialSettings
  /** What the web tools may read, and the search providers. */
  readonly web: WebSettings
  readonly logLevel: Config['LOG_LEVEL']
  /** What starts a command of the operator, in messages: `npm run -s cli --`. */
  readonly commandPrefix: string
  /** Warnings to log once at the start about settings that are probably unintended. */
  readonly warnings: readonly string[]
}

/** The checks of settings that need the catalog of connectors. Each throws a ConfigurationError. */
export interface ConnectorChecks {
  connectors(ids: NonNullable<Settings['connectors']>): void
  overrides(overrides: Settings['connectorOverrides']): void
  oauthClients(clients: Settings['oauthClients']): void
}
