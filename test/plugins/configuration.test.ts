import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { ConfigurationError } from '../../plugins/configuration/configuration-error.ts'
import type { KeyRing } from '../../plugins/configuration/key-ring.ts'
import { loadConfig } from '../../plugins/configuration/load.ts'
import { Config } from '../../schemas/config.ts'

const base64 = (bytes: number) => randomBytes(bytes).toString('base64')
const KEY = base64(32)

/** A staging environment that starts. */
const staging = {
  GATEWAY_ENV: 'staging',
  PUBLIC_ORIGINS: 'https://gateway.example',
  API_KEY_PEPPERS: `p1:${KEY}`,
  VAULT_KEYS: `v1:${KEY}`,
}

/** What no issuer's URL can be: over http its keys could be anybody's. */
const NO_ISSUER_URLS = [
  'auth.example',
  'http://auth.example',
  'https://ada@auth.example',
  'https://ada:secretive@auth.example',
  'https://auth.example#keys',
  'file:///etc/keys.json',
]

/** A development environment with its own DATA_DIR. */
function development(t: Test): Record<string, string> {
  return { DATA_DIR: join(t.testdir(), 'data') }
}

function refusal(env: Record<string, string | undefined>): ConfigurationError {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('the configuration was taken')
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
    logLevel: 'info',
    warnings: [],
  })
  t.same(settings.publicOrigins(4321), ['http://127.0.0.1:4321', 'http://localhost:4321', 'http://[::1]:4321'])
})

t.test('an environment says where everything is', async t => {
  const settings = loadConfig({
    ...staging,
    HOST: '0.0.0.0',
    PORT: '8080',
    GATEWAY_COMMIT: '0123abc',
    DATABASE_URL: 'postgres://gateway@db.example:6432/gateway',
    DATABASE_DIRECT_URL: 'postgresql://gateway@db.example/gateway',
    REDIS_URL: 'rediss://cache.example:6380/2',
    PUBLIC_ORIGINS: 'https://Gateway.Example:443, https://b.example:8443,http://127.0.0.1:3000',
    CORS_ORIGINS: 'https://app.example,http://localhost:5173',
    TRUST_PROXY: '10.0.0.0/8, fd00::/8,192.0.2.7',
    RATE_LIMIT_MAX: '60',
    MAX_CONNECTIONS: '500',
    LOG_LEVEL: 'warn',
  })
  t.match(settings, {
    environment: 'staging',
    build: { commit: '0123abc' },
    listen: { host: '0.0.0.0', port: 8080 },
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
    logLevel: 'warn',
    warnings: [],
  })
  t.same(settings.publicOrigins(1), ['https://gateway.example', 'https://b.example:8443', 'http://127.0.0.1:3000'])
})

t.test('migrations and LISTEN take DATABASE_URL where no way past a pooler is named', async t => {
  const url = 'postgres://gateway@db.example/gateway'
  t.same(loadConfig({ ...staging, DATABASE_URL: url }).database, { url, directUrl: url })
})

t.test('an empty variable counts as unset', async t => {
  const empty = Object.fromEntries(Object.keys(Config.properties).map(name => [name, ' ']))
  t.match(loadConfig({ ...empty, ...development(t) }), {
    listen: { port: 3000 },
    logLevel: 'info',
    redisUrl: undefined,
  })
  t.equal(refusal({ ...staging, VAULT_KEYS: '' }).variable, 'VAULT_KEYS')
})

t.test('a bad value is refused in one line that names the variable and not the value', async t => {
  const cases: [variable: keyof Config, values: string[]][] = [
    ['HOST', ['no such host', 'http://127.0.0.1']],
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
    ...(['SESSION_ISSUER', 'MCP_ISSUER'] as const).map((variable): [keyof Config, string[]] => [
      variable,
      [...NO_ISSUER_URLS, 'https://auth.example?tenant=1'],
    ]),
    ['SESSION_JWKS_URI', NO_ISSUER_URLS],
    ['MCP_JWKS_URI', NO_ISSUER_URLS],
    ['ISSUERS_SHARE_SUBJECTS', ['yes', '1']],
    ['JWT_ALGORITHMS', ['HS256', 'none', 'RS256,HS256', 'rs256', ',']],
    ['RATE_LIMIT_MAX', ['0', '-1', 'many', '1.5']],
    ['MAX_CONNECTIONS', ['0', '-1', 'many', '1.5']],
    ['DRAIN_DELAY_SECONDS', ['-1', '21', 'long', '1.5']],
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
    ['LOG_LEVEL', ['loud', 'INFO']],
  ]
  t.same(
    Object.keys(Config.properties).filter(name => !cases.some(([variable]) => variable === name)),
    ['DATA_DIR', 'SESSION_AUDIENCE'],
    'every variable that can be wrong is tried',
  )
  for (const [variable, values] of cases) {
    for (const value of values) {
      const { message } = refusal({ ...staging, [variable]: value })
      t.equal(message, `${variable} must be ${Config.properties[variable].description}.`, `${variable}=${value}`)
      t.notMatch(message, '\n')
    }
  }
})

t.test('a way past a pooler is refused where there is no database', async t => {
  const { message } = refusal({ ...staging, DATABASE_DIRECT_URL: 'postgres://db.example/gateway' })
  t.equal(message, 'DATABASE_DIRECT_URL must stand beside a DATABASE_URL.')
})

t.test('an environment says whose tokens are taken', async t => {
  const SESSION = { SESSION_ISSUER: 'https://auth.example/', SESSION_AUDIENCE: 'gateway' }
  t.same(loadConfig(staging).tokens, {
    session: undefined,
    mcp: undefined,
    shareSubjects: false,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
  })
  t.same(
    loadConfig({ ...staging, ...SESSION, MCP_ISSUER: 'https://auth.example/mcp', JWT_ALGORITHMS: 'ES256' }).tokens,
    {
      session: { issuer: 'https://auth.example/', jwksUri: undefined, audience: 'gateway' },
      mcp: { issuer: 'https://auth.example/mcp', jwksUri: undefined },
      shareSubjects: true,
      algorithms: ['ES256'],
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

t.test('issuers that could be confused, or would take anybody’s token, are refused at the start', async t => {
  const SESSION = { SESSION_ISSUER: 'https://auth.example', SESSION_AUDIENCE: 'gateway' }
  for (const MCP_ISSUER of ['https://auth.example', 'https://auth.example/', 'https://AUTH.example:443'])
    t.match(refusal({ ...staging, ...SESSION, MCP_ISSUER }).message, /^MCP_ISSUER must be another issuer/)
  t.equal(refusal({ ...staging, ...SESSION, SESSION_AUDIENCE: undefined }).variable, 'SESSION_AUDIENCE')
  t.equal(refusal({ ...staging, SESSION_AUDIENCE: 'gateway' }).variable, 'SESSION_AUDIENCE')
  for (const variable of ['SESSION_JWKS_URI', 'MCP_JWKS_URI'])
    t.equal(refusal({ ...staging, [variable]: 'https://keys.example' }).variable, variable, 'keys of nobody')
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

t.test('development is kept off the network unless it is asked onto it', async t => {
  const env = development(t)
  for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'gateway.example', '127.0.0.1.example']) {
    t.equal(refusal({ ...env, HOST }).variable, 'HOST', HOST)
    t.equal(loadConfig({ ...env, HOST, DEV_ON_NETWORK: 'true' }).listen.host, HOST)
    t.equal(loadConfig({ ...staging, HOST }).listen.host, HOST)
  }
  for (const HOST of ['localhost', '::1', '127.0.0.1', '127.8.8.8'])
    t.equal(loadConfig({ ...env, HOST }).listen.host, HOST)
})

t.test('http on a network is for development alone', async t => {
  const PUBLIC_ORIGINS = 'http://gateway.example:3000'
  t.same(loadConfig({ ...development(t), PUBLIC_ORIGINS }).publicOrigins(1), [PUBLIC_ORIGINS])
  t.equal(refusal({ ...staging, PUBLIC_ORIGINS }).variable, 'PUBLIC_ORIGINS')
})

t.test('keys come in the order they are named, each under its id', async t => {
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

t.test('settings that are printed show no key', async t => {
  const settings = loadConfig(staging)
  const printed = [
    inspect(settings, { depth: null, showHidden: true }),
    JSON.stringify(settings),
    `${settings.peppers[0].key}`,
  ]
  const forms = [KEY, Buffer.from(KEY, 'base64').toString('hex'), Buffer.from(KEY, 'base64').join(',')]
  for (const text of printed) for (const form of forms) t.notOk(text.includes(form))
})

t.test('the secrets of development are made once and kept from others', async t => {
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

t.test('starts that race for the secrets of development agree', async t => {
  const dataDir = join(t.testdir(), 'data')
  const module = new URL('../../plugins/configuration/development-secrets.ts', import.meta.url)
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(({ developmentSecrets }) => {
      parentPort.postMessage('ready')
      Atomics.wait(workerData.gate, 0, 0)
      parentPort.postMessage(JSON.stringify(developmentSecrets(workerData.dataDir)))
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

t.test('secrets of development that cannot be read are never replaced', async t => {
  const dataDir = t.testdir({ 'secrets.json': '{"API_KEY_PEPPERS":"p1:' })
  const file = join(dataDir, 'secrets.json')
  t.match(refusal({ DATA_DIR: dataDir }), { variable: 'DATA_DIR', message: /^DATA_DIR holds a secrets\.json/ })
  writeFileSync(file, '{}')
  t.equal(refusal({ DATA_DIR: dataDir }).variable, 'DATA_DIR')
  t.equal(readFileSync(file, 'utf8'), '{}')
})

t.test('a DATA_DIR that cannot be one is refused by name', async t => {
  const dir = t.testdir({ taken: 'a file' })
  t.match(
    refusal({ DATA_DIR: join(dir, 'taken', 'data') }).message,
    /^DATA_DIR must be a directory that can be written/,
  )
})

t.test('a start that is refused leaves no secrets behind', async t => {
  const env = development(t)
  t.equal(refusal({ ...env, TRUST_PROXY: 'everyone' }).variable, 'TRUST_PROXY')
  t.notOk(existsSync(env.DATA_DIR ?? ''))
})

t.test('variables that this version does not read are named, not obeyed', async t => {
  const settings = loadConfig({
    ...staging,
    DASHBOARD: 'off',
    STRIPE_API_BASE: '',
    HOME: '/home/ada',
  })
  t.match(settings.warnings, [/does not read what is set here: DASHBOARD\./, /embedded database/])
})

t.test('docs/operations.md names exactly the variables that are read', async t => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const table = page.slice(
    page.indexOf('## Configuration'),
    page.indexOf('\n## ', page.indexOf('## Configuration') + 1),
  )
  const named = table.split('\n').flatMap(line => /^\| ((?:`[A-Z_]+` ?)+)\|/.exec(line)?.[1]?.match(/[A-Z_]+/g) ?? [])
  t.same(named.toSorted(), Object.keys(Config.properties).toSorted())
})

t.test('every variable says what it must be', async t => {
  for (const [name, { description }] of Object.entries(Config.properties)) t.match(description, /^[a-z].*[^.]$/, name)
})
