import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { connectorChecks } from '../../services/connectors/connect/require-connectors.ts'
import { loadConfig } from '../../services/settings/load.ts'
import { CATALOG } from '../../tools/catalog.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const KEY = randomBytes(32).toString('base64')
const checks = connectorChecks(CATALOG.connectors)

/** A staging environment that starts without a warning. */
const staging = {
  GATEWAY_ENV: 'staging',
  PUBLIC_ORIGINS: 'https://gateway.example',
  API_KEY_PEPPERS: `p1:${KEY}`,
  VAULT_KEYS: `v1:${KEY}`,
  DATABASE_URL: 'postgres://gateway@db.example/gateway',
}

type Environment = Record<string, string | undefined>

/** The lines that a start with this environment fails with; none if it starts. */
function linesOf(env: Environment): string[] {
  try {
    loadConfig(env, checks)
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    return error.message.split('\n')
  }
}

/** The first word of each line. */
const namesOf = (env: Environment) => linesOf(env).map(line => line.split(' ', 1)[0])

/** Runs an entry point that must fail; resolves with its exit code and its lines on stderr. */
function failing(env: Record<string, string>, ...args: string[]): Promise<{ code: unknown; lines: string[] }> {
  const options = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } }
  return new Promise(resolve =>
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: stdout === '' ? error?.code : stdout, lines: stderr.trimEnd().split('\n') }),
    ),
  )
}

const MANY = {
  LOG_LEVEL: 'secretive',
  VAULT_KEYS: 'v1:secretive',
  MCP_JWKS_URI: 'https://keys.example',
  CONNECTORS: 'secretive',
  SESSION_AUDIENCE: 'secretive',
  SESSION_JWKS_URI: 'secretive',
  DATABASE_URL: 'postgres://secretive:99999999/db',
  DATABASE_DIRECT_URL: 'secretive',
  EGRESS_ALLOW: '0.0.0.0/0',
  EGRESS_ALLOW_LOOPBACK: 'true',
  TRUST_PROXY: 'secretive',
  OAUTH_CLIENTS: '{"shop":{"client_id":"app","client_secret":"secretive"}}',
  CONNECTOR_OVERRIDES: '{"stripe":{"token_url":"https://secretive.example"}}',
  RATE_LIMIT_MAX: '0',
  PORT: 'secretive',
  GATEWAY_ENV: 'production',
}

/** The faults of MANY, in the order of the table in docs/configuration.md. */
const MANY_FAULTS = [
  /^PORT must be a port, from 0 to 65535\.$/,
  /^DATABASE_URL must be a URL/,
  /^DATABASE_DIRECT_URL must be a URL/,
  /^PUBLIC_ORIGINS must be set outside development: a comma-separated list of origins/,
  /^TRUST_PROXY must be /,
  /^SESSION_AUDIENCE must be set together with SESSION_ISSUER/,
  /^SESSION_JWKS_URI must be the URL/,
  /^MCP_JWKS_URI must be set together with MCP_ISSUER\.$/,
  /^RATE_LIMIT_MAX must be /,
  /^API_KEY_PEPPERS must be set outside development: .* such as p1: and the output of openssl rand -base64 32\.$/,
  /^VAULT_KEYS must be .* such as v1: and the output of openssl rand -base64 32\.$/,
  /^CONNECTORS must name only connectors of this version: .* secretive is unknown\.$/,
  /^CONNECTOR_OVERRIDES must give stripe only URLs that it uses\. It has no token_url\.$/,
  /^OAUTH_CLIENTS must name only connectors of this version: .* shop is unknown\.$/,
  /^EGRESS_ALLOW must be /,
  /^EGRESS_ALLOW_LOOPBACK must not be true in production\.$/,
  /^LOG_LEVEL must be /,
]

t.test('one start reports every invalid and every missing variable, in one order and without a value', async t => {
  const lines = linesOf(MANY)
  t.match(lines, MANY_FAULTS)
  t.equal(lines.length, MANY_FAULTS.length)
  t.same(
    linesOf(Object.fromEntries(Object.entries(MANY).toReversed())),
    lines,
    'the order of the environment does not matter',
  )
  // The ID of an unknown connector is quoted; values are not.
  t.notMatch(lines.join('\n').replace('secretive is unknown', ''), 'secretive')
  const { text } = createScrubber()
  for (const line of lines) t.equal(text(line), line, 'the scrubber redacts nothing')
})

t.test('the server and the commands report the same faults, each in one line on stderr, and exit with 1', async t => {
  const expected = { code: 1, lines: linesOf(MANY) }
  const [server, check, list] = await Promise.all([
    failing(MANY, 'server.ts'),
    failing(MANY, 'cli.ts', 'config', 'check'),
    failing(MANY, 'cli.ts', 'org', 'list', '--json'),
  ])
  t.same(server, expected)
  t.same(check, expected)
  const unneeded = /^(PUBLIC_ORIGINS|API_KEY_PEPPERS|VAULT_KEYS) must be set outside development/
  t.same(
    list,
    { code: 1, lines: expected.lines.filter(line => !unneeded.test(line)) },
    'a command misses only what it uses',
  )
})

t.test('config check accepts a valid environment without a database, and shows its warnings', async t => {
  const { code, lines } = await failing({ ...staging, DATABASE_DIRECT_URI: 'x' }, 'cli.ts', 'config', 'check', '--json')
  t.equal(code, '{"ok":true}\n')
  t.same(lines, ['Warning: DATABASE_DIRECT_URI is not a setting; did you mean DATABASE_DIRECT_URL?'])
})

t.test('a check whose input is invalid adds no fault', async t => {
  const overrides = '{"github":{"base_url":"http://127.0.0.1:9000"}}'
  for (const [env, names] of [
    [{ ...staging, GATEWAY_ENV: 'prod', PUBLIC_ORIGINS: undefined, VAULT_KEYS: undefined }, ['GATEWAY_ENV']],
    [{ ...staging, GATEWAY_ENV: 'prod', PUBLIC_ORIGINS: 'http://gateway.example' }, ['GATEWAY_ENV']],
    [{ ...staging, GATEWAY_ENV: 'prod', PUBLIC_ORIGINS: 'gateway' }, ['GATEWAY_ENV', 'PUBLIC_ORIGINS']],
    [{ ...staging, EGRESS_ALLOW: '0.0.0.0/0', CONNECTOR_OVERRIDES: overrides }, ['EGRESS_ALLOW']],
    [{ ...staging, EGRESS_ALLOW_LOOPBACK: 'yes', CONNECTOR_OVERRIDES: overrides }, ['EGRESS_ALLOW_LOOPBACK']],
    [{ ...staging, EGRESS_ALLOW: '/', CONNECTOR_OVERRIDES: '{' }, ['CONNECTOR_OVERRIDES', 'EGRESS_ALLOW']],
    [{ ...staging, DATABASE_URL: 'x', DATABASE_DIRECT_URL: staging.DATABASE_URL }, ['DATABASE_URL']],
    [{ ...staging, SESSION_ISSUER: 'x', SESSION_AUDIENCE: 'a', MCP_ISSUER: 'https://a.example' }, ['SESSION_ISSUER']],
    [{ ...staging, SESSION_ISSUER: 'x', SESSION_AUDIENCE: 'a', MCP_ISSUER: 'y' }, ['SESSION_ISSUER', 'MCP_ISSUER']],
    [{ HOST: '0.0.0.0', DEV_ON_NETWORK: 'yes' }, ['DEV_ON_NETWORK']],
  ] as const)
    t.same(namesOf(env), names)
})

t.test('with any fault, DATA_DIR is not touched, and damaged secrets in it are one of the faults', async t => {
  const DATA_DIR = join(t.testdir(), 'data')
  t.same(namesOf({ DATA_DIR, RATE_LIMIT_MAX: '0' }), ['RATE_LIMIT_MAX'])
  t.notOk(existsSync(DATA_DIR))
  const damaged = t.testdir({ 'secrets.json': '{' })
  t.same(namesOf({ DATA_DIR: damaged, RATE_LIMIT_MAX: '0' }), ['DATA_DIR', 'RATE_LIMIT_MAX'])
  t.same(readdirSync(damaged), ['secrets.json'])
})

t.test('a variable with almost the name of a setting causes a warning that names the setting', async t => {
  for (const [name, meant] of [
    ['PUBLIC_ORIGIN', 'PUBLIC_ORIGINS'],
    ['PUBLIC_ORGINS', 'PUBLIC_ORIGINS'],
    ['PUBLICORIGINS', 'PUBLIC_ORIGINS'],
    ['public_origins', 'PUBLIC_ORIGINS'],
    ['VAULT_KEY', 'VAULT_KEYS'],
    ['API_KEY_PEPPER', 'API_KEY_PEPPERS'],
    ['API_KEYS_PEPPER', 'API_KEY_PEPPERS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['CONNECTOR', 'CONNECTORS'],
    ['OAUTH_CLIENT', 'OAUTH_CLIENTS'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['GATEWAY_DATABASE_URL', 'DATABASE_URL'],
    ['CONNECTOR_GATEWAY_LOG_LEVEL', 'LOG_LEVEL'],
    ['CGW_VAULT_KEYS', 'VAULT_KEYS'],
    ['VAULT_KEYS_FILE', 'VAULT_KEYS'],
  ] as const)
    t.same(loadConfig({ ...staging, [name]: 'secretive' }).warnings, [
      `${name} is not a setting; did you mean ${meant}?`,
    ])
  t.same(loadConfig({ ...staging, PUBLIC_ORIGIN: '' }).warnings, [], 'an empty variable is not set')
})

t.test('a missing variable is reported with the name that is set instead', async t => {
  const [peppers, keys, ...rest] = linesOf({
    ...staging,
    API_KEY_PEPPERS: undefined,
    VAULT_KEYS: undefined,
    VAULT_KEY: 'v1:secretive',
    API_KEY_PEPPER: 'p1:secretive',
    REDIS_URI: 'secretive',
  })
  t.match(peppers, /^API_KEY_PEPPERS must be set .*\. API_KEY_PEPPER is set, but is not a setting\.$/)
  t.match(keys, /^VAULT_KEYS must be set .*\. VAULT_KEY is set, but is not a setting\.$/)
  t.same(rest, ['REDIS_URI is not a setting; did you mean REDIS_URL?'], 'and a warning that explains no fault')
})

/** The variables that Kubernetes sets for a service. */
const service = (name: string) => [
  ...['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT'].map(end => `${name}_${end}`),
  ...['', '_PROTO', '_PORT', '_ADDR'].map(end => `${name}_PORT_3000_TCP${end}`),
]

/** Ordinary variables of other programs. */
const ORDINARY = [
  'HOME USER LOGNAME SHELL PATH PWD OLDPWD SHLVL LANG LC_ALL LC_CTYPE LANGUAGE TERM TERM_PROGRAM TZ EDITOR PAGER _',
  'COLORTERM DISPLAY HOSTNAME HOSTTYPE MACHTYPE OSTYPE MAIL TMPDIR XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS',
  'XDG_RUNTIME_DIR XDG_SESSION_ID XDG_SESSION_TYPE XDG_SESSION_CLASS DESKTOP_SESSION SESSION_MANAGER LS_COLORS',
  'SSH_AUTH_SOCK SSH_CONNECTION SSH_CLIENT SSH_TTY SUDO_USER SUDO_COMMAND DBUS_SESSION_BUS_ADDRESS GPG_AGENT_INFO',
  'NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS YARN_VERSION NVM_DIR INIT_CWD',
  'npm_command npm_config_cache npm_config_loglevel npm_config_user_agent npm_config_local_prefix npm_execpath',
  'npm_package_name npm_package_version npm_package_json npm_lifecycle_event npm_node_execpath NPM_CONFIG_LOGLEVEL',
  'DOCKER_HOST DOCKER_CONFIG COMPOSE_PROJECT_NAME COMPOSE_FILE container PORTS HOSTS PORT_HTTP HTTP_PORT HTTPS_PORT',
  'KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_SERVICE_PORT_HTTPS KUBECONFIG POD_NAME POD_NAMESPACE POD_IP NODE_NAME',
  'POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_HOST POSTGRES_URL POSTGRESQL_URL PGHOST PGUSER PGDATA PGPORT',
  'PGPASSWORD PGDATABASE DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DB_URL DB_HOST',
  'TEST_DATABASE_URL SHADOW_DATABASE_URL READ_DATABASE_URL TEST_REDIS_URL REDIS_HOST REDIS_PASSWORD REDIS_TLS_URL',
  'VAULT_ADDR VAULT_TOKEN VAULT_NAMESPACE VAULT_CACERT CONSUL_HTTP_ADDR API_KEY API_KEYS SECRET_KEY SESSION_SECRET',
  'STATE_DIRECTORY CREDENTIALS_DIRECTORY LOGS_DIRECTORY INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET',
  'MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE MEMORY_LIMIT MAX_MEMORY WEB_CONCURRENCY DYNO SOURCE_VERSION K_SERVICE',
  'http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY GATEWAY_INTERFACE REQUEST_METHOD',
  'OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME OTEL_LOG_LEVEL RUST_LOG LOG_FORMAT LOG_FILE DEBUG CI RUNNER_TEMP',
  'GITHUB_ACTIONS GITHUB_TOKEN GITHUB_SHA GITLAB_CI CI_COMMIT_SHA ANTHROPIC_API_KEY AWS_REGION',
  'AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY OAUTH_CLIENT_ID OAUTH_CLIENT_SECRET JWT_SECRET JWT_AUDIENCE BASE_URL',
  'MCP_SERVER_URL MCP_PORT MCP_HOST APP_ENV RAILS_ENV DATA_PATH DATA META_DIR DIST_DIR CACHE_DIR BUILD_DIR',
]
  .join(' ')
  .split(' ')

t.test('ordinary variables of shells, npm, Docker, Kubernetes and CI cause no warning', async t => {
  const services = ['GATEWAY', 'CONNECTOR_GATEWAY', 'REDIS', 'DATABASE', 'POSTGRES', 'VAULT', 'SESSION', 'KUBERNETES']
  const names = [...ORDINARY, ...services.flatMap(service)]
  t.ok(names.length > 200)
  t.same(loadConfig({ ...Object.fromEntries(names.map(name => [name, 'x'])), ...staging }).warnings, [])
})
