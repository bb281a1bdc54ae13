import { type Static, Type } from '@sinclair/typebox'
import { ARTIFACT_VARIABLES } from './config-artifacts.ts'
import { LIMIT_VARIABLES } from './config-limits.ts'
import { MEDIA_VARIABLES } from './config-media.ts'
import { SOCIAL_VARIABLES } from './config-social.ts'
import { WEB_VARIABLES } from './config-web.ts'
import { DOLLAR, MOST_MICROS } from './money.ts'
import { StringEnum } from './string-enum.ts'

/** The deployment, as GATEWAY_ENV names it. */
export const GatewayEnvironment = StringEnum(['development', 'staging', 'production'], {
  description: 'development, staging or production',
})

export type GatewayEnvironment = Static<typeof GatewayEnvironment>

const ISSUER = 'the URL in the iss of its tokens, without a query; https except for loopback and development'
const KEYS = 'the URL of a JSON Web Key Set; https except for loopback and development'

const POSTGRES_URL = { pattern: '^postgres(ql)?://', description: 'a URL that begins with postgres://' }

/**
 * The environment variables of docs/operations.md. A description completes the sentence "<variable> must be …", which
 * is the whole error message.
 */
export const Config = Type.Object(
  {
    HOST: Type.String({
      default: '127.0.0.1',
      pattern: '^[0-9A-Za-z.:_-]+$',
      description: 'an address or a host name to listen on',
    }),
    PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'a port, from 0 to 65535' }),
    GATEWAY_ENV: { ...GatewayEnvironment, default: 'development' as const },
    GATEWAY_COMMIT: Type.String({
      default: 'unknown',
      pattern: '^[0-9A-Za-z._-]{1,64}$',
      description: 'the commit of the build: letters, digits, ".", "_" and "-"',
    }),
    DEV_ON_NETWORK: Type.Boolean({ default: false, description: 'true or false' }),
    DATABASE_URL: Type.Optional(Type.String(POSTGRES_URL)),
    DATABASE_DIRECT_URL: Type.Optional(Type.String(POSTGRES_URL)),
    DATA_DIR: Type.String({ default: './data', description: 'a directory' }),
    REDIS_URL: Type.Optional(
      Type.String({ pattern: '^rediss?://', description: 'a URL that begins with redis:// or rediss://' }),
    ),
    PUBLIC_ORIGINS: Type.Optional(
      Type.String({
        description:
          'a comma-separated list of origins (scheme://host[:port], no path), each host once; https except for loopback',
      }),
    ),
    DASHBOARD: Type.Optional(StringEnum(['on', 'off'], { description: 'on or off' })),
    DASHBOARD_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'a port, from 1 to 65535' })),
    DASHBOARD_CLIENT_ID: Type.Optional(
      Type.String({ minLength: 1, description: 'the client ID of the dashboard at SESSION_ISSUER' }),
    ),
    DASHBOARD_CLIENT_SECRET: Type.Optional(
      Type.String({ minLength: 1, description: 'the secret of that client; unset for a public client' }),
    ),
    DASHBOARD_URL: Type.Optional(
      Type.String({
        description:
          'one origin (scheme://host[:port], no path) that is not one of PUBLIC_ORIGINS; https except for loopback',
      }),
    ),
    CORS_ORIGINS: Type.Optional(
      Type.String({ description: 'a comma-separated list of origins (scheme://host[:port], no path)' }),
    ),
    TRUST_PROXY: Type.Optional(
      Type.String({
        description: 'a comma-separated list of proxy addresses and CIDRs, none with a prefix length of 0',
      }),
    ),
    SESSION_ISSUER: Type.Optional(Type.String({ description: ISSUER })),
    SESSION_AUDIENCE: Type.Optional(Type.String({ description: 'the audience of session tokens' })),
    SESSION_JWKS_URI: Type.Optional(Type.String({ description: KEYS })),
    MCP_ISSUER: Type.Optional(Type.String({ description: ISSUER })),
    MCP_JWKS_URI: Type.Optional(Type.String({ description: KEYS })),
    MCP_SCOPES: Type.Optional(
      Type.String({
        description: 'a space-separated list of OAuth scopes, each once, without commas, quotes and "\\"',
      }),
    ),
    ISSUERS_SHARE_SUBJECTS: Type.Optional(Type.Boolean({ description: 'true or false' })),
    MEMBERSHIP_RULES: Type.Optional(
      Type.String({
        description:
          'a JSON list of rules, each an object with issuer (SESSION_ISSUER or MCP_ISSUER), claim, value, organization (an ID, org_…) and role (member or admin)',
      }),
    ),
    ORGANIZATIONS_BY_USERS: Type.Optional(Type.Boolean({ description: 'true or false' })),
    JWT_ALGORITHMS: Type.String({
      default: 'RS256,ES256,EdDSA',
      description: 'a comma-separated list of asymmetric signature algorithms, such as RS256, ES256 or EdDSA',
    }),
    JWT_MAX_LIFETIME_SECONDS: Type.Integer({
      default: 86_400,
      minimum: 60,
      maximum: 31_536_000,
      description: 'a whole number of seconds, from 60 to 31536000',
    }),
    RATE_LIMIT_MAX: Type.Integer({
      default: 600,
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'the maximum number of requests per credential in 60 s, at least 1',
    }),
    MAX_CONNECTIONS: Type.Integer({
      default: 10_000,
      minimum: 1,
      maximum: 1_000_000,
      description: 'the maximum number of open connections, at least 1',
    }),
    REMOTE_REFRESH_MINUTES: Type.Integer({
      default: 60,
      minimum: 5,
      maximum: 10_080,
      description: 'a whole number of minutes, from 5 to 10080',
    }),
    DRAIN_DELAY_SECONDS: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: 'how many seconds a stopping process keeps serving, from 0 to 20',
      }),
    ),
    API_KEY_PEPPERS: Type.Optional(
      Type.String({
        description:
          'a comma-separated list of id:base64, each at least 32 random bytes with a unique ID, such as p1: and the output of openssl rand -base64 32',
      }),
    ),
    VAULT_KEYS: Type.Optional(
      Type.String({
        description:
          'a comma-separated list of id:base64, each exactly 32 random bytes with a unique ID, such as v1: and the output of openssl rand -base64 32',
      }),
    ),
    CONNECTORS: Type.Optional(
      Type.String({ description: 'a comma-separated list of connector IDs, such as github,slack' }),
    ),
    CONNECTOR_OVERRIDES: Type.Optional(
      Type.String({
        description:
          'a JSON object of URLs by connector ID, such as {"github":{"base_url":"https://…"}}; https except for hosts in EGRESS_ALLOW and, with EGRESS_ALLOW_LOOPBACK, this machine',
      }),
    ),
    OAUTH_CLIENTS: Type.Optional(
      Type.String({
        description:
          'a JSON object with a client_id and a client_secret by connector ID, or the path of a file with one',
      }),
    ),
    EGRESS_ALLOW: Type.Optional(
      Type.String({
        description:
          'a comma-separated list of host names, addresses and CIDRs, none wider than 10.0.0.0/8 or fc00::/7',
      }),
    ),
    EGRESS_ALLOW_LOOPBACK: Type.Boolean({ default: false, description: 'true or false' }),
    CLI_COMMAND: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^[^\\x00-\\x1f\\x7f]+$',
        description: "one line that starts an operator's command, such as docker compose exec gateway node dist/cli.js",
      }),
    ),
    ...ARTIFACT_VARIABLES,
    BILLING_THRESHOLD_MICROS: Type.Integer({
      default: 0,
      minimum: -MOST_MICROS,
      maximum: MOST_MICROS,
      description: 'a whole number of micro-dollars, from -10^15 to 10^15',
    }),
    OVERAGE_LIMIT_FACTOR: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 1_000,
      description: 'a whole number from 1 to 1000: a call is charged at most this many times its estimate',
    }),
    PLAN_PRO_PRICE_MICROS: Type.Integer({
      default: 20 * DOLLAR,
      minimum: DOLLAR / 2,
      maximum: 10_000 * DOLLAR,
      multipleOf: DOLLAR / 100,
      description: 'a whole number of cents in micro-dollars, from 500000 (50 cents) to 10000000000',
    }),
    PLAN_PRO_INCLUDED_MICROS: Type.Integer({
      default: 20 * DOLLAR,
      minimum: 0,
      maximum: 10_000 * DOLLAR,
      description: 'a whole number of micro-dollars, from 0 to 10000000000',
    }),
    STRIPE_SECRET_KEY: Type.Optional(
      Type.String({
        pattern: '^[sr]k_(live|test)_[0-9A-Za-z_]{8,}$',
        description: 'a secret or restricted key of Stripe: a live key in production, a test key elsewhere',
      }),
    ),
    STRIPE_WEBHOOK_SECRET: Type.Optional(
      Type.String({
        description:
          'the signing secret of the webhook, which begins with whsec_; two separated by a comma while you replace it',
      }),
    ),
    STRIPE_API_BASE: Type.Optional(
      Type.String({
        description:
          'the origin of a test double (scheme://host[:port], no path), https except for loopback; not in production',
      }),
    ),
    STRIPE_AUTOMATIC_TAX: Type.Optional(Type.Boolean({ description: 'true or false' })),
    TOPUP_MIN_MICROS: Type.Integer({
      default: 5 * DOLLAR,
      minimum: DOLLAR,
      maximum: 10_000 * DOLLAR,
      multipleOf: DOLLAR / 100,
      description: 'a whole number of cents in micro-dollars, from 1000000 (a dollar) to TOPUP_MAX_MICROS',
    }),
    TOPUP_MAX_MICROS: Type.Integer({
      default: 10_000 * DOLLAR,
      minimum: DOLLAR,
      maximum: 999_999 * DOLLAR,
      multipleOf: DOLLAR / 100,
      description: 'a whole number of cents in micro-dollars, up to 999999000000, which is the maximum of Stripe',
    }),
    ...MEDIA_VARIABLES,
    ...LIMIT_VARIABLES,
    ...SOCIAL_VARIABLES,
    ...WEB_VARIABLES,
    LOG_LEVEL: StringEnum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'trace, debug, info, warn, error, fatal or silent',
    }),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof Config>
