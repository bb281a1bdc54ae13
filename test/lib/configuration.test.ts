import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { InvalidConfiguration } from '../../lib/configuration/faults.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { variablesOf } from '../../lib/configuration/setting.ts'
import type { ConfigurationError } from '../../lib/configuration/variable.ts'
import { isAllowed } from '../../lib/egress/allow-list.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { requireKnownConnectors } from '../../services/connectors/connect/require-connectors.ts'
import { withCheckoutCommit } from '../../services/settings/checkout-commit.ts'
import { loadCommandConfig, loadConfig } from '../../services/settings/load.ts'
import { SETTINGS } from '../../services/settings/settings.ts'
import { keyOnly, oauth2, sampleConnector } from '../fixtures/account-fixture.ts'
import { testSettings } from '../fixtures/settings.ts'

/** The schemas of all variables, by name. */
const VARIABLES = Object.fromEntries(variablesOf(SETTINGS).map(({ name, schema }) => [name, schema]))

const base64 = (bytes: number) => randomBytes(bytes).toString('base64')
const KEY = base64(32)

/** A staging environment that starts. */
const staging = {
  GATEWAY_ENV: 'staging',
  PUBLIC_ORIGINS: 'https://gateway.example',
  API_KEY_PEPPERS: `p1:${KEY}`,
  VAULT_KEYS: `v1:${KEY}`,
}

/** Invalid issuer URLs: over http, anybody could replace the keys. */
const NO_ISSUER_URLS = [
  'auth.example',
  'http://auth.example',
  'https://ada@auth.example',
  'https://ada:secretive@auth.example',
  'https://auth.example#keys',
  'file:///etc/keys.json',
]

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  DASHBOARD_URL: 'https://dashboard.example',
}

const S3 = { ARTIFACTS_S3_BUCKET: 'files', ARTIFACTS_S3_REGION: 'eu-central-1' }
const S3_KEY = { ...S3, ARTIFACTS_S3_ACCESS_KEY_ID: 'AKID', ARTIFACTS_S3_SECRET_ACCESS_KEY: 'secretive' }

/** What is set together with a variable. Without it, there would be a second fault. */
const PARTNERS: Readonly<Record<string, Record<string, string>>> = {
  BLUESKY_HANDLE: { BLUESKY_APP_PASSWORD: 'aaaa-bbbb-cccc-dddd' },
  BLUESKY_APP_PASSWORD: { BLUESKY_HANDLE: 'ada.example' },
  REDDIT_CLIENT_ID: { REDDIT_CLIENT_SECRET: 'reddit-secret' },
  REDDIT_CLIENT_SECRET: { REDDIT_CLIENT_ID: 'reddit-client' },
  SESSION_ISSUER: { SESSION_AUDIENCE: 'gateway' },
  STRIPE_SECRET_KEY: STRIPE,
  STRIPE_WEBHOOK_SECRET: STRIPE,
  STRIPE_API_BASE: STRIPE,
  STRIPE_AUTOMATIC_TAX: STRIPE,
  OPENAI_BASE_URL: { OPENAI_API_KEY: 'key-of-openai' },
  ARTIFACTS_S3_BUCKET: S3,
  ARTIFACTS_S3_REGION: S3,
  ARTIFACTS_S3_ENDPOINT: S3,
  ARTIFACTS_S3_PREFIX: S3,
  ARTIFACTS_S3_ACCESS_KEY_ID: S3_KEY,
  ARTIFACTS_S3_SECRET_ACCESS_KEY: S3_KEY,
}

/** The part of an error about settings by connector that names the wrong place. */
const PLACE =
  /^(this is not JSON|this is not a list of at most [\d,]+ rules|rule 1: it is not an object|this has a different structure|its \w+ for [\w-]+ is invalid|the file cannot be read \(ENOENT\))\.$/

/** A development environment with its own DATA_DIR. */
function development(t: Test): Record<string, string> {
  return { DATA_DIR: join(t.testdir(), 'data') }
}

/** The only fault of an environment. */
function refusal(env: Record<string, string | undefined>): ConfigurationError {
  const [fault, ...others] = faultsOf(env)
  if (fault === undefined) throw new Error('There is no fault. An empty variable counts as unset.')
  if (others.length > 0) throw new Error(`There is more than one fault: ${[fault, ...others].join(' ')}`)
  return fault
}

function faultsOf(env: Record<string, string | undefined>): readonly ConfigurationError[] {
  return invalid(env)?.faults ?? []
}

function invalid(env: Record<string, string | undefined>): InvalidConfiguration | undefined {
  try {
    loadConfig(env)
    return undefined
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error
    throw error
  }
}

const secrets = (ring: KeyRing) => ring.map(({ id, key }) => [id, key.export().toString('base64')])

t.test('development starts with nothing set', async t => {
  const env = development(t)
  const settings = loadConfig(env)
  t.match(settings, {
    environment: 'development',
    build: { name: 'connector-gateway', version: /^\d+\.\d+\.\d+/, commit: 'unknown' },
    listen: { host: '127.0.0.1', port: 3000 },
    corsOrigins: [],
    trustProxy: [],
    dataDir: env.DATA_DIR,
    database: undefined,
    redisUrl: undefined,
    rateLimitMax: 600,
    maxConnections: 10_000,
    drainDelayMs: 0,
    connectors: undefined,
    egress: { allow: { hasAddresses: false }, loopback: false },
    logLevel: 'info',
    warnings: [],
  })
  t.same([settings.connectorOverrides.size, settings.oauthClients.size], [0, 0])
  t.same(settings.publicOrigins(4321), ['http://127.0.0.1:4321', 'http://localhost:4321', 'http://[::1]:4321'])
})

t.test('an environment sets the address, origins, database and other locations', async t => {
  const settings = loadConfig({
    ...staging,
    HOST: '0.0.0.0',
    PORT: '8080',
    GATEWAY_COMMIT: '0123abc',
    DATABASE_URL: 'postgres://gateway@db.example:6432/gateway',
    DATABASE_DIRECT_URL: 'postgresql://gateway@db.example/gateway',
    REDIS_URL: 'rediss://cache.example:6380/2',
    PUBLIC_ORIGINS: 'https://Gateway.Example:443, https://b.example:8443,http://127.0.0.1:3000',
    DASHBOARD_URL: 'https://Dashboard.example:443',
    CORS_ORIGINS: 'https://app.example,http://localhost:5173',
    TRUST_PROXY: '10.0.0.0/8, fd00::/8,192.0.2.7',
    RATE_LIMIT_MAX: '60',
    MAX_CONNECTIONS: '500',
    STORED_RESULTS_MAX_BYTES: '2097152',
    STORED_RESULTS_MAX_BYTES_PER_KEY: '1048576',
    MEMORY_MAX_COUNT: '20',
    MEMORY_MAX_BYTES: '4194304',
    MEMORY_MAX_COUNT_PER_MEMBER: '10',
    MEMORY_MAX_BYTES_PER_MEMBER: '3145728',
    LOG_LEVEL: 'warn',
  })
  t.match(settings, {
    environment: 'staging',
    build: { commit: '0123abc' },
    listen: { host: '0.0.0.0', port: 8080 },
    dashboardUrl: 'https://dashboard.example',
    corsOrigins: ['https://app.example', 'http://localhost:5173'],
    trustProxy: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
    database: {
      url: 'postgres://gateway@db.example:6432/gateway',
      directUrl: 'postgresql://gateway@db.example/gateway',
    },
    redisUrl: 'rediss://cache.example:6380/2',
    rateLimitMax: 60,
    maxConnections: 500,
    drainDelayMs: 5_000,
    resultLimits: { organization: 2_097_152, holder: 1_048_576 },
    memoryLimits: {
      organization: { memories: 20, bytes: 4_194_304 },
      member: { memories: 10, bytes: 3_145_728 },
    },
    logLevel: 'warn',
    warnings: [],
  })
  t.same(settings.publicOrigins(1), ['https://gateway.example', 'https://b.example:8443', 'http://127.0.0.1:3000'])
})

t.test('migrations and LISTEN use DATABASE_URL when DATABASE_DIRECT_URL is not set', async t => {
  const url = 'postgres://gateway@db.example/gateway'
  t.same(loadConfig({ ...staging, DATABASE_URL: url }).database, { url, directUrl: url })
})

t.test('an empty variable counts as unset', async t => {
  const empty = Object.fromEntries(Object.keys(VARIABLES).map(name => [name, ' ']))
  t.match(loadConfig({ ...empty, ...development(t) }), {
    listen: { port: 3000 },
    logLevel: 'info',
    redisUrl: undefined,
  })
  t.equal(refusal({ ...staging, VAULT_KEYS: '' }).variable, 'VAULT_KEYS')
})

t.test('an invalid value is refused in one line that names the variable but not the value', async t => {
  const cases: [variable: string, values: string[]][] = [
    ['HOST', ['no such host', 'http://127.0.0.1']],
    [
      'DASHBOARD_URL',
      [
        'dashboard',
        'https://dashboard.example/app',
        'http://dashboard.example',
        'https://a.example,https://b.example',
        'https://gateway.example:443',
      ],
    ],
    ['ORGANIZATIONS_BY_USERS', ['yes', '1']],
    ['DASHBOARD', ['true', 'On']],
    ['DASHBOARD_PORT', ['0', '65536', 'http']],
    ['STRIPE_WEBHOOK_SECRET', ['secretive', 'whsec_short', 'whsec_secretive,whsec_secretive']],
    ['STRIPE_API_BASE', ['http://double.example', 'https://double.example/v1', 'https://a.example,https://b.example']],
    ['STRIPE_AUTOMATIC_TAX', ['yes', '1']],
    ['STRIPE_SECRET_KEY', ['secretive', 'pk_test_0123456789', 'sk_live_0123456789']],
    ['TOPUP_MIN_MICROS', ['0', '1000001', '20000000000']],
    ['TOPUP_MAX_MICROS', ['0', '1000000000000']],
    ['PORT', ['-1', '65536', '3.5', 'http']],
    ['GATEWAY_ENV', ['prod', 'Production']],
    ['GATEWAY_COMMIT', ['a b', 'x'.repeat(65)]],
    ['DEV_ON_NETWORK', ['yes', '1']],
    ['DATABASE_URL', ['mysql://secretive@db', 'secretive', 'postgres://secretive:99999999/db']],
    ['DATABASE_DIRECT_URL', ['mysql://secretive@db', 'db.example']],
    ['REDIS_URL', ['http://secretive', 'redis://secretive:99999999']],
    [
      'PUBLIC_ORIGINS',
      [
        'gateway.example',
        'https://gateway.example/',
        'https://gateway.example/mcp',
        'https://gateway.example?x',
        'https://ada@gateway.example',
        'https://*.example',
        'https://gateway.example:99999',
        'ftp://gateway.example',
        'null',
        ',',
        'http://gateway.example',
        'http://localhost.example:3000',
        'https://a.example,https://A.example:443',
        'http://localhost,https://localhost',
      ],
    ],
    ['CORS_ORIGINS', ['*', 'null', 'https://app.example/x', ',']],
    [
      'TRUST_PROXY',
      ['true', 'loopback', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/0', '0.0.0.0/0', '10.0.0.0/8/8', ','],
    ],
    ...(['SESSION_ISSUER', 'MCP_ISSUER'] as const).map((variable): [string, string[]] => [
      variable,
      [...NO_ISSUER_URLS, 'https://auth.example?tenant=1'],
    ]),
    ['SESSION_JWKS_URI', NO_ISSUER_URLS],
    ['MCP_JWKS_URI', NO_ISSUER_URLS],
    ['MCP_SCOPES', ['openid,profile', 'openid openid', '"openid"', 'open\\id', 'ünicode', 'a\tb']],
    ['ISSUERS_SHARE_SUBJECTS', ['yes', '1']],
    // More in membership-rules.test.ts.
    ['MEMBERSHIP_RULES', ['secretive', '{}', '[null]', '["secretive"]']],
    ['JWT_ALGORITHMS', ['HS256', 'none', 'RS256,HS256', 'rs256', ',']],
    ['JWT_CLOCK_TOLERANCE_SECONDS', ['-1', '301', '1.5', 'x']],
    ['JWT_MAX_LIFETIME_SECONDS', ['0', '59', '-1', '1e20', '1.5', '31536001', 'day']],
    ['RATE_LIMIT_MAX', ['0', '-1', 'many', '1.5']],
    ['MAX_CONNECTIONS', ['0', '-1', 'many', '1.5']],
    ['DRAIN_DELAY_SECONDS', ['-1', '21', 'long', '1.5']],
    ['REMOTE_REFRESH_MINUTES', ['0', '4', '10081', '1.5', 'hourly']],
    [
      'API_KEY_PEPPERS',
      [
        KEY,
        `p1:${base64(31)}`,
        `p1:${KEY}!`,
        `p1:${KEY.slice(0, -1)}`,
        `p1:${KEY},p1:${base64(32)}`,
        `a b:${KEY}`,
        'p1:',
        ',',
      ],
    ],
    ['VAULT_KEYS', [KEY, `v1:${base64(31)}`, `v1:${base64(33)}`, `v1:${KEY},v1:${base64(32)}`, 'v1:secretive']],
    ['CONNECTORS', ['GitHub', 'git hub', 'github;slack', '-', ',', '*', '__proto__']],
    [
      'CONNECTOR_OVERRIDES',
      [
        'github',
        '[]',
        'null',
        '{"github":"https://secretive.example"}',
        '{"github":{}}',
        '{"Git Hub":{"base_url":"https://secretive.example"}}',
        '{"github":{"base":"https://secretive.example"}}',
        '{"__proto__":{"base_url":"https://secretive.example"}}',
        ...[
          'secretive.example',
          'http://secretive.example',
          'http://10.0.0.7',
          'https://ada:secretive@git.example',
          'https://git.example#x',
          'https://{settings.site}.example',
          'https://git.example{settings.site}/x',
          'https://git.example/{site}',
          'https://git.example/a b',
          'https://git.example/api?x=1',
          'ftp://git.example',
          '//git.example',
        ].map(base_url => JSON.stringify({ github: { base_url } })),
        '{"github":{"token_url":"https://git.example/{settings.site}"}}',
        '{"github":{"token_url":"http://git.example/token"}}',
        '{"github":{"issuer":"https://git.example?x"}}',
      ],
    ],
    [
      'OAUTH_CLIENTS',
      [
        '{"github":{"client_id":"app","client_secret":"secretive"',
        '{"github":{"client_id":"app","client_secret":""}}',
        '{"github":{"client_id":"app"}}',
        '{"github":{"client_id":"app","client_secret":"secretive","scope":"x"}}',
        '{"github":"secretive"}',
        '{"Git Hub":{"client_id":"app","client_secret":"secretive"}}',
        '{"__proto__":{"client_id":"app","client_secret":"secretive"}}',
      ],
    ],
    [
      'EGRESS_ALLOW',
      [
        '0.0.0.0/0',
        '::/0',
        '0.0.0.0/1',
        '10.0.0.0/7',
        '10.0.0.0/08',
        '10.0.0.0/33',
        '10.0.0.0/',
        '10.0.0.0/8/8',
        'fc00::/6',
        '::ffff:10.0.0.0/104',
        'fe80::1%eth0',
        '127.1',
        '0x7f000001',
        '2130706433',
        '*.internal',
        '*',
        'git.internal:8080',
        'https://git.internal',
        'git.internal/api',
        'git..internal',
        '-git',
        ',',
      ],
    ],
    ['EGRESS_ALLOW_LOOPBACK', ['yes', '1']],
    ['ARTIFACTS_S3_BUCKET', ['Files and more', 'f', 'files/artifacts', '-files']],
    ['ARTIFACTS_S3_REGION', ['EU', 'eu central']],
    [
      'ARTIFACTS_S3_ENDPOINT',
      ['minio:9000', 'https://s3.example/files', 'ftp://s3.example', 'https://ada:secretive@s3.example'],
    ],
    ['ARTIFACTS_S3_PREFIX', ['artifacts', '/artifacts/', 'a//b/', 'a b/']],
    ['ARTIFACTS_S3_ACCESS_KEY_ID', ['A K', 'A']],
    ['ARTIFACTS_S3_SECRET_ACCESS_KEY', ['short', 'secretive and more']],
    ['BILLING_THRESHOLD_MICROS', ['1.5', 'five', '1000000000000001', '-1000000000000001']],
    ['OVERAGE_LIMIT_FACTOR', ['0', '1001', '1.5']],
    ['PLAN_PRO_PRICE_MICROS', ['0', '490000', '20000001', '20.5', '10000010000', 'free']],
    ['PLAN_PRO_INCLUDED_MICROS', ['-1', '1.5', '10000000001', 'all']],
    ['OPENAI_API_KEY', ['short', 'two words of a key']],
    ['OPENAI_BASE_URL', ['models.example', 'http://models.example/v1', 'https://models.example/v1?key=secretive']],
    ['GEMINI_API_KEY', ['short']],
    ['FAL_KEY', ['short', 'kéy-of-fal']],
    ['ELEVENLABS_API_KEY', ['short']],
    ['MEDIA_MODELS', ['/nonexistent/models.json']],
    ['STORED_RESULTS_MAX_BYTES', ['0', '1048575', '1 GiB', '1125899906842625']],
    ['STORED_RESULTS_MAX_BYTES_PER_KEY', ['0', '1048575', '1e9.5', '-1048576']],
    ['MEMORY_MAX_COUNT', ['0', '-1', 'many', '1.5', '1000000001']],
    ['MEMORY_MAX_BYTES', ['0', '1048575', '64 MiB']],
    ['MEMORY_MAX_COUNT_PER_MEMBER', ['0', '1.5']],
    ['MEMORY_MAX_BYTES_PER_MEMBER', ['0', '1048575']],
    ['CLI_COMMAND', ['docker exec\ngateway', 'x'.repeat(501)]],
    [
      'MASTODON_INSTANCES',
      ['https://mastodon.social', 'localhost', 'a.example/x', 'a..example', ',', 'a.example:99999'],
    ],
    ['MASTODON_TOKEN', ['short', 'with a space']],
    ['BLUESKY_HANDLE', ['ada', '@ada.example', 'ada@ada.example']],
    ['BLUESKY_APP_PASSWORD', ['short', 'with a space']],
    ['REDDIT_CLIENT_ID', ['short', 'with a space']],
    ['REDDIT_CLIENT_SECRET', ['short', 'with a space']],
    ['X_BEARER_TOKEN', ['short', 'with a space']],
    ['WEB_ROBOTS_TXT', ['no', 'HONOR']],
    ['BRAVE_API_KEY', ['short', 'with a space', 'x'.repeat(501)]],
    ['TAVILY_API_KEY', ['short', 'tvly key 12345']],
    ['EXA_API_KEY', ['short', 'exa\nkey-123']],
    [
      'SEARXNG_URL',
      [
        'search.example',
        'ftp://search.example',
        'http://search.example',
        'http://127.0.0.1:8080',
        'https://user:secret@search.example',
        'https://search.example/?q=1',
        'https://search.example/#a',
      ],
    ],
    ['LOG_LEVEL', ['loud', 'INFO']],
  ]
  t.same(
    Object.keys(VARIABLES).filter(name => !cases.some(([variable]) => variable === name)),
    ['DATA_DIR', 'DASHBOARD_CLIENT_ID', 'DASHBOARD_CLIENT_SECRET', 'SESSION_AUDIENCE'],
    'every variable that can be wrong is tried',
  )
  for (const [variable, values] of cases) {
    const partner = PARTNERS[variable] ?? {}
    for (const value of values) {
      const { message } = refusal({ ...staging, ...partner, [variable]: value })
      const wanted = `${variable} must be ${VARIABLES[variable]?.description}`
      const told = message.startsWith(`${wanted}; `) ? message.slice(wanted.length + 2) : message
      t.match(told, told === message ? `${wanted}.` : PLACE, `${variable}=${value}`)
      t.notMatch(message, /\n|secretive/)
    }
  }
})

t.test('settings of a bucket are set together, and its secret is not printed', t => {
  const { artifactsS3 } = loadConfig({ ...development(t), ...S3_KEY, ARTIFACTS_S3_ENDPOINT: 'http://minio:9000/' })
  t.match(artifactsS3, {
    bucket: 'files',
    region: 'eu-central-1',
    endpoint: 'http://minio:9000',
    prefix: 'artifacts/',
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'secretive' },
  })
  t.notMatch(inspect(artifactsS3) + JSON.stringify(artifactsS3), 'secretive')
  t.match(loadConfig({ ...development(t), ...S3 }).artifactsS3, { endpoint: undefined, credentials: undefined })
  t.equal(loadConfig(development(t)).artifactsS3, undefined)
  const { ARTIFACTS_S3_SECRET_ACCESS_KEY: _, ...halfKey } = S3_KEY
  for (const [env, variable] of [
    [{ ARTIFACTS_S3_BUCKET: 'files' }, 'ARTIFACTS_S3_REGION'],
    [{ ARTIFACTS_S3_REGION: 'eu-central-1' }, 'ARTIFACTS_S3_REGION'],
    [{ ARTIFACTS_S3_PREFIX: 'a/' }, 'ARTIFACTS_S3_PREFIX'],
    [halfKey, 'ARTIFACTS_S3_SECRET_ACCESS_KEY'],
    [{ ...S3, ARTIFACTS_S3_SECRET_ACCESS_KEY: 'secretive' }, 'ARTIFACTS_S3_ACCESS_KEY_ID'],
  ] as const) {
    const fault = refusal({ ...development(t), ...env })
    t.match(fault, { variable, message: /must be set together with ARTIFACTS_S3_/ })
  }
  t.end()
})

t.test('an error in settings by connector names the connector and the member, but no value', t => {
  const form = (variable: 'CONNECTOR_OVERRIDES' | 'OAUTH_CLIENTS', value: string) =>
    refusal({ ...staging, [variable]: value })
      .message.split('; ')
      .at(-1)
  const app = { client_id: 'app', client_secret: 'secretive' }
  const at = (override: object) => JSON.stringify({ github: { base_url: 'https://git.example' }, jira: override })
  t.equal(form('CONNECTOR_OVERRIDES', at({ token_url: 'secretive' })), 'its token_url for jira is invalid.')
  t.equal(form('CONNECTOR_OVERRIDES', at({ base_url: 7 })), 'its base_url for jira is invalid.')
  for (const url of ['secretive', 'http://files.example', 'https://files.example?a=b'])
    t.equal(form('CONNECTOR_OVERRIDES', at({ hosts: { files: url } })), 'its hosts for jira is invalid.')
  t.equal(form('CONNECTOR_OVERRIDES', at({ secretive: 'x' })), 'its value for jira is invalid.')
  t.equal(form('CONNECTOR_OVERRIDES', '{"github":'), 'this is not JSON.')
  t.equal(form('OAUTH_CLIENTS', JSON.stringify(app)), 'this has a different structure.')
  t.equal(
    form('OAUTH_CLIENTS', JSON.stringify({ github: app, slack: { client_id: 'a' } })),
    'its client_secret for slack is invalid.',
  )
  t.end()
})

t.test('the scrubber never redacts an error about an invalid value', t => {
  const { text } = createScrubber()
  for (const [variable, { description }] of Object.entries(VARIABLES)) {
    const message = `${variable} must be ${description}; its client_secret for github is invalid.`
    t.equal(text(message), message, variable)
  }
  t.end()
})

t.test('an environment sets the connectors, their URLs and their OAuth apps', async t => {
  const override = { base_url: 'https://ghe.example/api/v3', token_url: 'https://ghe.example/token?x=1' }
  const clients = JSON.stringify({ github: { client_id: 'app', client_secret: 'secretive' } })
  const settings = loadConfig({
    ...staging,
    CONNECTORS: 'github, slack,github',
    CONNECTOR_OVERRIDES: JSON.stringify({
      github: override,
      jira: { base_url: 'https://j.example/ex/{settings.id}/' },
    }),
    OAUTH_CLIENTS: clients,
    EGRESS_ALLOW: 'Git.Internal, 10.1.0.0/16,fd00::/8,192.0.2.7,postgres_1',
    EGRESS_ALLOW_LOOPBACK: 'true',
  })
  t.same(settings.connectors, ['github', 'slack'])
  t.same(
    [...settings.connectorOverrides],
    [
      ['github', override],
      ['jira', { base_url: 'https://j.example/ex/{settings.id}/' }],
    ],
  )
  t.ok(settings.egress.loopback)
  const named = ['git.internal', '10.1.2.3', '[fd00::7]', '192.0.2.7', 'postgres_1']
  t.same(
    [...named, 'g\u0131t.internal', '10.2.0.1', '192.0.2.8'].filter(host => isAllowed(settings.egress.allow, host)),
    named,
  )
  const file = join(t.testdir({ clients }), 'clients')
  for (const { oauthClients } of [settings, loadConfig({ ...staging, OAUTH_CLIENTS: file })]) {
    const github = oauthClients.get('github')
    t.same([oauthClients.size, github?.id, github?.secret], [1, 'app', 'secretive'])
    t.notMatch(inspect(oauthClients, { depth: null, showHidden: true }), 'secretive', 'printed, it shows no secret')
  }
})

t.test(
  'a connector is reached over http where outbound traffic may reach its host, this machine by a variable of its own',
  async t => {
    const at = (base_url: string) => JSON.stringify({ github: { base_url } })
    const here = at('http://127.0.0.1:9000')
    for (const environment of [development(t), staging]) {
      t.ok(loadConfig({ ...environment, CONNECTOR_OVERRIDES: here, EGRESS_ALLOW_LOOPBACK: 'true' }))
      t.ok(loadConfig({ ...environment, CONNECTOR_OVERRIDES: here, EGRESS_ALLOW: '127.0.0.1' }))
      t.equal(
        refusal({ ...environment, CONNECTOR_OVERRIDES: here }).message,
        'CONNECTOR_OVERRIDES points github at this machine (base_url); set EGRESS_ALLOW_LOOPBACK=true to allow it.',
      )
    }
    for (const [url, EGRESS_ALLOW] of [
      ['http://git.internal:8080/api', 'git.internal'],
      ['http://GIT.internal', 'git.internal'],
      ['http://10.1.2.3', '10.1.0.0/16'],
      ['http://[fd00::7]/x', 'fd00::/8'],
      ['http://bücher.example/', 'Bücher.example'],
      ['http://10.0.0.1', '::ffff:10.0.0.1'],
    ] as const) {
      t.ok(loadConfig({ ...staging, CONNECTOR_OVERRIDES: at(url), EGRESS_ALLOW }), url)
      for (const other of ['other.internal', '10.2.0.0/16', 'fd01::/16'])
        t.equal(
          refusal({ ...staging, CONNECTOR_OVERRIDES: at(url), EGRESS_ALLOW: other }).variable,
          'CONNECTOR_OVERRIDES',
        )
    }
  },
)

t.test('an unreadable file of OAuth clients is refused without showing its name or content', async t => {
  const dir = t.testdir({ bad: '{"github":{"client_secret":"secretive"}}' })
  const missing = refusal({ ...staging, OAUTH_CLIENTS: join(dir, 'secretive') })
  t.equal(missing.message, 'OAUTH_CLIENTS must be JSON, or the path of a readable file (ENOENT).')
  const bad = refusal({ ...staging, OAUTH_CLIENTS: join(dir, 'bad') })
  const wanted = VARIABLES.OAUTH_CLIENTS?.description
  t.equal(bad.message, `OAUTH_CLIENTS must be ${wanted}; its client_id for github is invalid.`)
})

t.test('outbound traffic to this machine is refused in production', async t => {
  const { message } = refusal({ ...staging, GATEWAY_ENV: 'production', EGRESS_ALLOW_LOOPBACK: 'true' })
  t.equal(message, 'EGRESS_ALLOW_LOOPBACK must not be true in production.')
})

t.test('settings of an unknown connector are refused where connectors are known', async t => {
  const github = new Map([['github', { base_url: 'https://ghe.example' }]])
  const app = new Map([['github', { id: 'app', secret: 'secretive' }]])
  const all = testSettings({ connectors: ['github'], connectorOverrides: github, oauthClients: app })
  const [slack, hub, shop] = [
    sampleConnector('slack', oauth2),
    sampleConnector('github', oauth2),
    sampleConnector('shop', keyOnly),
  ]
  requireKnownConnectors(all, [slack, hub])
  requireKnownConnectors(testSettings(), [])
  for (const [variable, settings] of Object.entries({
    CONNECTORS: testSettings({ connectors: ['slack', 'github'] }),
    CONNECTOR_OVERRIDES: testSettings({ connectorOverrides: github }),
    OAUTH_CLIENTS: testSettings({ oauthClients: app }),
  }))
    t.throws(() => requireKnownConnectors(settings, [slack, shop]), {
      name: 'InvalidConfiguration',
      message: `${variable} must name only connectors of this version: shop, slack. github is unknown.`,
    })
  const keys = new Map([['shop', { id: 'app', secret: 'secretive' }]])
  t.throws(() => requireKnownConnectors(testSettings({ oauthClients: keys }), [slack, shop]), {
    message: 'OAUTH_CLIENTS must not name shop, which is connected with keys.',
  })
})

t.test('DATABASE_DIRECT_URL without DATABASE_URL is refused', async t => {
  const { message } = refusal({ ...staging, DATABASE_DIRECT_URL: 'postgres://db.example/gateway' })
  t.equal(message, 'DATABASE_DIRECT_URL must be set together with DATABASE_URL.')
})

t.test('an environment sets the accepted token issuers', async t => {
  const SESSION = { SESSION_ISSUER: 'https://auth.example/', SESSION_AUDIENCE: 'gateway' }
  t.same(loadConfig(staging).tokens, {
    session: undefined,
    mcp: undefined,
    shareSubjects: false,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    maxLifetimeSeconds: 86_400,
    clockToleranceSeconds: 30,
  })
  t.same(
    loadConfig({
      ...staging,
      ...SESSION,
      MCP_ISSUER: 'https://auth.example/mcp',
      MCP_SCOPES: 'openid  urn:mcp/tools.use',
      JWT_ALGORITHMS: 'ES256',
      JWT_MAX_LIFETIME_SECONDS: '3600',
      JWT_CLOCK_TOLERANCE_SECONDS: '0',
    }).tokens,
    {
      session: { issuer: 'https://auth.example/', jwksUri: undefined, audience: 'gateway' },
      mcp: { issuer: 'https://auth.example/mcp', jwksUri: undefined, scopes: ['openid', 'urn:mcp/tools.use'] },
      shareSubjects: true,
      algorithms: ['ES256'],
      maxLifetimeSeconds: 3_600,
      clockToleranceSeconds: 0,
    },
  )
  const elsewhere = {
    ...staging,
    ...SESSION,
    MCP_ISSUER: 'http://127.0.0.1:9000',
    MCP_JWKS_URI: 'https://keys.example/set',
  }
  t.match(loadConfig(elsewhere).tokens, { mcp: { jwksUri: 'https://keys.example/set' }, shareSubjects: false })
  t.equal(loadConfig({ ...elsewhere, ISSUERS_SHARE_SUBJECTS: 'true' }).tokens.shareSubjects, true)
})

t.test('issuers that could be confused, or would accept any token, are refused at the start', async t => {
  const SESSION = { SESSION_ISSUER: 'https://auth.example', SESSION_AUDIENCE: 'gateway' }
  for (const MCP_ISSUER of ['https://auth.example', 'https://auth.example/', 'https://AUTH.example:443'])
    t.match(refusal({ ...staging, ...SESSION, MCP_ISSUER }).message, /^MCP_ISSUER must differ from SESSION_ISSUER/)
  t.equal(refusal({ ...staging, ...SESSION, SESSION_AUDIENCE: undefined }).variable, 'SESSION_AUDIENCE')
  t.equal(refusal({ ...staging, SESSION_AUDIENCE: 'gateway' }).variable, 'SESSION_AUDIENCE')
  for (const variable of ['SESSION_JWKS_URI', 'MCP_JWKS_URI'])
    t.equal(refusal({ ...staging, [variable]: 'https://keys.example' }).variable, variable, 'keys of nobody')
  t.match(refusal({ ...staging, MCP_SCOPES: 'openid' }).message, /^MCP_SCOPES must be set together with MCP_ISSUER/)
})

t.test('outside development a start without origins, peppers or vault keys is refused', async t => {
  for (const GATEWAY_ENV of ['staging', 'production']) {
    for (const variable of ['PUBLIC_ORIGINS', 'API_KEY_PEPPERS', 'VAULT_KEYS'] as const) {
      const dataDir = join(t.testdir(), 'data')
      const { message } = refusal({ ...staging, GATEWAY_ENV, DATA_DIR: dataDir, [variable]: undefined })
      t.match(message, new RegExp(`^${variable} must be set outside development: `))
      t.notOk(existsSync(dataDir), 'and makes no secrets')
    }
  }
})

t.test('a command needs origins, peppers and vault keys only if it uses them', async t => {
  const { PUBLIC_ORIGINS, API_KEY_PEPPERS, VAULT_KEYS, ...others } = staging
  const dataDir = join(t.testdir(), 'data')
  const { peppers, vaultKeys, publicOrigins } = loadCommandConfig({ ...others, DATA_DIR: dataDir })
  t.throws(() => peppers[0].key, { message: /^API_KEY_PEPPERS must be set outside development: / })
  t.throws(() => vaultKeys.map(({ id }) => id), { message: /^VAULT_KEYS must be set outside development: / })
  t.throws(() => publicOrigins(0), { message: /^PUBLIC_ORIGINS must be set outside development: / })
  t.notOk(existsSync(dataDir), 'and makes no secrets')
  t.match(loadCommandConfig(staging), { peppers: [{ id: 'p1' }], vaultKeys: [{ id: 'v1' }] })
  t.throws(() => loadCommandConfig({ ...others, VAULT_KEYS: 'v1:short' }), { message: /^VAULT_KEYS must be / })
})

t.test('development listens on a network only with DEV_ON_NETWORK', async t => {
  const env = development(t)
  for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'gateway.example', '127.0.0.1.example']) {
    t.equal(refusal({ ...env, HOST }).variable, 'HOST', HOST)
    t.equal(loadConfig({ ...env, HOST, DEV_ON_NETWORK: 'true' }).listen.host, HOST)
    t.equal(loadConfig({ ...staging, HOST }).listen.host, HOST)
  }
  for (const HOST of ['localhost', '::1', '127.0.0.1', '127.8.8.8'])
    t.equal(loadConfig({ ...env, HOST }).listen.host, HOST)
})

t.test('http on a network is allowed only in development', async t => {
  const PUBLIC_ORIGINS = 'http://gateway.example:3000'
  t.same(loadConfig({ ...development(t), PUBLIC_ORIGINS }).publicOrigins(1), [PUBLIC_ORIGINS])
  t.equal(refusal({ ...staging, PUBLIC_ORIGINS }).variable, 'PUBLIC_ORIGINS')
})

t.test('keys keep the order of the list, each with its ID', async t => {
  const [old, long] = [base64(32), base64(64)]
  const settings = loadConfig({
    ...staging,
    API_KEY_PEPPERS: `2026:${long}, 2025:${old}`,
    VAULT_KEYS: `a:${old},b:${KEY}`,
  })
  t.same(secrets(settings.peppers), [
    ['2026', long],
    ['2025', old],
  ])
  t.same(secrets(settings.vaultKeys), [
    ['a', old],
    ['b', KEY],
  ])
})

t.test('printed settings show no key', async t => {
  const settings = loadConfig({ ...staging, ...STRIPE })
  t.equal(settings.stripe?.secretKey, STRIPE.STRIPE_SECRET_KEY)
  const printed = [
    inspect(settings, { depth: null, showHidden: true }),
    JSON.stringify(settings),
    `${settings.peppers[0].key}`,
  ]
  const forms = [KEY, Buffer.from(KEY, 'base64').toString('hex'), Buffer.from(KEY, 'base64').join(',')]
  forms.push(STRIPE.STRIPE_SECRET_KEY, STRIPE.STRIPE_WEBHOOK_SECRET)
  for (const text of printed) for (const form of forms) t.notOk(text.includes(form))
})

t.test('the secrets of development are generated once and readable only by their owner', async t => {
  const env = development(t)
  const first = loadConfig(env)
  const file = join(env.DATA_DIR ?? '', 'secrets.json')
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(readdirSync(env.DATA_DIR ?? ''), ['secrets.json'], 'nothing else is left behind')
  const second = loadConfig(env)
  t.same(secrets(second.peppers), secrets(first.peppers))
  t.same(secrets(second.vaultKeys), secrets(first.vaultKeys))
  t.notSame(secrets(first.peppers), secrets(first.vaultKeys))
  t.same(secrets(loadConfig({ ...env, VAULT_KEYS: `mine:${KEY}` }).vaultKeys), [['mine', KEY]], 'a variable goes first')
})

t.test('concurrent first starts agree on the secrets of development', async t => {
  const dataDir = join(t.testdir(), 'data')
  const module = new URL('../../services/settings/key-settings.ts', import.meta.url)
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(({ developmentSecrets }) => {
      parentPort.postMessage('ready')
      Atomics.wait(workerData.gate, 0, 0)
      parentPort.postMessage(JSON.stringify(developmentSecrets.readOrMake(workerData.dataDir)))
    })`
  const workers = Array.from({ length: 4 }, () => {
    return new Worker(script, { eval: true, workerData: { module: module.href, gate, dataDir } })
  })
  const next = (worker: Worker) =>
    new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await Promise.all(workers.map(next))
  const answers = workers.map(next)
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  t.equal(new Set(await Promise.all(answers)).size, 1)
  t.same(readdirSync(dataDir), ['secrets.json'])
})

t.test('unreadable secrets of development are never replaced', async t => {
  const dataDir = t.testdir({ 'secrets.json': '{"API_KEY_PEPPERS":"p1:' })
  const file = join(dataDir, 'secrets.json')
  t.match(refusal({ DATA_DIR: dataDir }), { variable: 'DATA_DIR', message: /^DATA_DIR has an invalid secrets\.json/ })
  writeFileSync(file, '{}')
  t.equal(refusal({ DATA_DIR: dataDir }).variable, 'DATA_DIR')
  t.equal(readFileSync(file, 'utf8'), '{}')
})

t.test('an unusable DATA_DIR is refused by name', async t => {
  const dir = t.testdir({ taken: 'a file' })
  t.match(refusal({ DATA_DIR: join(dir, 'taken', 'data') }).message, /^DATA_DIR must be a writable directory/)
})

t.test('a refused start leaves no secrets behind', async t => {
  const env = development(t)
  t.equal(refusal({ ...env, TRUST_PROXY: 'everyone' }).variable, 'TRUST_PROXY')
  t.notOk(existsSync(env.DATA_DIR ?? ''))
})

t.test('the dashboard has its own port and origin; in development both have defaults', async t => {
  const env = development(t)
  t.match(loadConfig({ ...env, DASHBOARD: 'off' }), { dashboard: undefined, dashboardUrl: undefined })
  t.match(loadConfig(env), {
    dashboardUrl: 'http://127.0.0.1:3001',
    dashboard: { host: '127.0.0.1', port: 3001, anyPort: true },
  })
  t.match(loadConfig({ ...env, DASHBOARD_PORT: '4001' }), {
    dashboardUrl: 'http://127.0.0.1:4001',
    dashboard: { port: 4001, anyPort: false },
  })
  t.match(loadConfig({ ...env, DASHBOARD_URL: 'http://localhost:5001' }).dashboard, { port: 5001 })
  t.match(loadConfig(staging), { dashboard: undefined, dashboardUrl: undefined })
  const served = { ...staging, DASHBOARD_URL: 'https://dashboard.example' }
  t.match(loadConfig(served), { dashboardUrl: 'https://dashboard.example', dashboard: { port: 3001, anyPort: false } })
  t.match(loadConfig({ ...served, DASHBOARD: 'off' }), {
    dashboardUrl: 'https://dashboard.example',
    dashboard: undefined,
  })
  const client = {
    ...served,
    SESSION_ISSUER: 'https://id.example',
    SESSION_AUDIENCE: 'api',
    DASHBOARD_CLIENT_ID: 'app',
  }
  const secret = loadConfig({ ...client, DASHBOARD_CLIENT_SECRET: 'secretive' })
  t.match(secret.dashboardClient, { issuer: 'https://id.example', clientId: 'app', clientSecret: 'secretive' })
  t.notMatch(JSON.stringify(secret), 'secretive')
  t.equal(loadConfig(client).dashboardClient?.clientSecret, undefined)
  t.match(refusal({ ...served, DASHBOARD_CLIENT_ID: 'app' }).message, /^DASHBOARD_CLIENT_ID must be set together with/)
  t.match(refusal({ ...served, DASHBOARD_CLIENT_SECRET: 'x' }).message, /^DASHBOARD_CLIENT_SECRET must be set together/)
  t.match(refusal({ ...staging, DASHBOARD: 'on' }).message, /^DASHBOARD_URL must be set if DASHBOARD is on/)
})

t.test('Stripe needs a key of the mode of the environment, a signing secret and the dashboard', async t => {
  const stripe = { ...staging, ...STRIPE }
  t.equal(loadConfig(staging).stripe, undefined)
  t.match(loadConfig(stripe).stripe, {
    secretKey: 'sk_test_0123456789',
    livemode: false,
    webhookSecrets: ['whsec_0123456789abcdef'],
    apiBase: undefined,
    automaticTax: false,
  })
  const double = { STRIPE_API_BASE: 'http://127.0.0.1:4000', STRIPE_AUTOMATIC_TAX: 'true' }
  const two = 'whsec_0123456789abcdef, whsec_fedcba9876543210'
  t.match(loadConfig({ ...stripe, ...double, STRIPE_WEBHOOK_SECRET: two }).stripe, {
    apiBase: 'http://127.0.0.1:4000',
    automaticTax: true,
    webhookSecrets: two.split(', '),
  })
  const live = { ...stripe, GATEWAY_ENV: 'production', STRIPE_SECRET_KEY: 'rk_live_0123456789' }
  t.match(loadConfig(live).stripe, { livemode: true })
  t.equal(refusal({ ...live, STRIPE_SECRET_KEY: 'sk_test_0123456789' }).variable, 'STRIPE_SECRET_KEY')
  t.equal(refusal({ ...live, STRIPE_API_BASE: 'https://double.example' }).variable, 'STRIPE_API_BASE')
  for (const [name, values] of Object.entries({
    DASHBOARD_URL: [undefined],
    STRIPE_WEBHOOK_SECRET: [undefined, `${two},${two}`],
  }))
    for (const value of values) {
      const fault = refusal({ ...stripe, [name]: value })
      t.equal(fault.variable, name)
      t.notMatch(fault.message, 'secretive')
    }
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE', 'STRIPE_AUTOMATIC_TAX'])
    t.match(refusal({ ...staging, [name]: 'true' }).message, `${name} must be set together with STRIPE_SECRET_KEY.`)
})

t.test('all faults of the settings of Stripe are reported together', async t => {
  const named = (env: object) =>
    invalid({ ...staging, ...env })
      ?.faults.map(({ variable }) => variable)
      .sort()
  const wrong = { STRIPE_SECRET_KEY: 'sk_live_0123456789', STRIPE_API_BASE: 'http://double.example' }
  t.same(named({ ...STRIPE, ...wrong, DASHBOARD_URL: undefined, STRIPE_WEBHOOK_SECRET: 'whsec_short' }), [
    'DASHBOARD_URL',
    'STRIPE_API_BASE',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
  const alone = { STRIPE_WEBHOOK_SECRET: 'whsec_short', STRIPE_AUTOMATIC_TAX: 'true' }
  t.same(named(alone), ['STRIPE_AUTOMATIC_TAX', 'STRIPE_WEBHOOK_SECRET'])
})

t.test('variables that this version does not read cause a warning and have no effect', async t => {
  const settings = loadConfig({
    ...staging,
    METRICS_PORT: '9000',
    STRIPE_API_BASE: '',
    HOME: '/home/ada',
  })
  t.match(settings.warnings, [/ignores these variables: METRICS_PORT\./, /embedded database/])
})

t.test('every variable has a description of valid values', async t => {
  for (const [name, { description }] of Object.entries(VARIABLES)) t.match(description ?? '', /^[a-z].*[^.]$/, name)
})

t.test('in development, the commit is that of the clone, unless it is set', async t => {
  const [commit, other] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')]
  const commitIn = (root: string, settings = testSettings()) => withCheckoutCommit(settings, root).build.commit
  const ref = 'ref: refs/heads/main\n'
  const folder = t.testdir({
    branch: {
      '.git': {
        HEAD: ref,
        refs: { heads: { main: `${commit}\n`, w: `${other}\n` } },
        worktrees: { w: { HEAD: 'ref: refs/heads/w\n', commondir: '../..\n' } },
      },
    },
    packed: { '.git': { HEAD: ref, 'packed-refs': `# pack-refs\n${other} refs/heads/x\n${commit} refs/heads/main\n` } },
    detached: { '.git': { HEAD: `${commit}\n` } },
    worktree: { '.git': 'gitdir: ../branch/.git/worktrees/w\n' },
    unborn: { '.git': { HEAD: ref } },
    torn: { '.git': { HEAD: 'ref: ../../secret\n' } },
  })
  for (const clone of ['branch', 'packed', 'detached']) t.equal(commitIn(join(folder, clone)), commit, clone)
  t.equal(commitIn(join(folder, 'worktree')), other)
  for (const none of ['unborn', 'torn', 'nowhere']) t.equal(commitIn(join(folder, none)), 'unknown', none)
  const branch = join(folder, 'branch')
  t.equal(commitIn(branch, testSettings({ environment: 'production' })), 'unknown')
  const build = { ...testSettings().build, commit: '0123abc' }
  t.equal(commitIn(branch, testSettings({ build })), '0123abc')
})
