import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bootstrapMessage, startFacts, startMessage, unusedDatabaseWarning } from '../../cli/start-message.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { testSettings } from '../fixtures/settings.ts'

// Embedded database: a start says where it is.

const ORIGIN = 'http://127.0.0.1:3000'
const PAGES = 'http://127.0.0.1:3001'
const POSTGRES = {
  url: 'postgres://ada:secretive@db.example/gateway',
  directUrl: 'postgres://ada:secretive@db.example',
}
const MCP = { issuer: 'https://issuer.example', jwksUri: undefined, scopes: [] }

const withSignIn = (settings: Settings): Settings => ({ ...settings, tokens: { ...settings.tokens, mcp: MCP } })

t.test(
  'the first start prints the key once, the command for another one, and one for a client that takes it',
  async t => {
    const made = { orgId: 'org_1', userId: 'usr_1', key: 'cgw_dev_x', link: undefined }
    const message = bootstrapMessage(ORIGIN, made, testSettings({ commandPrefix: 'DATA_DIR=/srv npm run -s cli --' }))
    t.match(message, `connector-gateway is ready: ${ORIGIN}/mcp\n`)
    t.match(message, 'development · embedded database in /nonexistent · sign-in not configured\n')
    t.match(message, / {4}DATA_DIR=\/srv npm run -s cli -- key create --org org_1 --user usr_1\n/)
    t.match(message, '    export CGW_KEY=cgw_dev_x\n')
    t.match(
      message,
      `    claude mcp add --transport http connector-gateway ${ORIGIN}/mcp --header "Authorization: Bearer $CGW_KEY"\n`,
    )
    t.equal(message.split('cgw_dev_x').length, 2, 'the key is written once')
  },
)

t.test('where clients can sign in, the first start says that a key is not needed', async t => {
  const made = { orgId: 'org_1', userId: 'usr_1', key: 'cgw_dev_x', link: undefined }
  t.notMatch(bootstrapMessage(ORIGIN, made, testSettings()), 'Without a key')
  t.match(bootstrapMessage(ORIGIN, made, withSignIn(testSettings())), 'Without a key: add only the URL.')
})

t.test('every later start says where it listens, what it uses, and what to do next', async t => {
  const counts = { organizations: 1, keys: 2, only: { orgId: 'org_1', userId: 'usr_1' } }
  const settings = testSettings({ dataDir: join(process.cwd(), 'data') })
  t.equal(
    startMessage(startFacts(ORIGIN, counts, settings)),
    `
  connector-gateway is ready: ${ORIGIN}/mcp

  development · embedded database in ./data · 1 organization, 2 keys · sign-in not configured

  Connect a client:  docs/clients.md
  Create a key:      npm run -s cli -- key create --org org_1 --user usr_1

`,
  )
})

t.test('with a dashboard, the first start ends with a sign-in link, later ones name the command for one', async t => {
  const settings = testSettings({ dashboardUrl: PAGES, dashboard: { host: '127.0.0.1', port: 3001, anyPort: true } })
  const link = `${PAGES}/sign-in#cgw_signin_x`
  const message = bootstrapMessage(ORIGIN, { orgId: 'org_1', userId: 'usr_1', key: 'cgw_dev_x', link }, settings)
  t.match(message, `connector-gateway is ready: ${ORIGIN}/mcp\n  The dashboard:              ${PAGES}\n`)
  t.ok(message.endsWith(`(the link works once, for 10 minutes):\n    ${link}\n\n`))

  const counts = { organizations: 1, keys: 1, only: { orgId: 'org_1', userId: 'usr_1' } }
  const facts = startFacts(ORIGIN, counts, settings)
  t.match(facts, { dashboard: PAGES })
  t.match(startMessage(facts), `The dashboard:              ${PAGES}\n`)
  t.match(startMessage(facts), 'Sign in to the dashboard:  npm run -s cli -- user sign-in-link --user usr_1\n')

  const elsewhere = startFacts(ORIGIN, counts, { ...settings, dashboard: undefined })
  t.match(elsewhere, { dashboard: null }, 'pages of another application are not the dashboard')
  t.notMatch(elsewhere.next, { 'Sign in to the dashboard': String })
})

t.test('the next step is the one that is missing', async t => {
  const next = (organizations: number, keys: number, settings = testSettings()) =>
    startFacts(ORIGIN, { organizations, keys, only: undefined }, settings).next
  t.same(next(0, 0), { 'Create an organization': 'npm run -s cli -- org create --name NAME' })
  t.same(next(2, 0), { 'Create a key': 'npm run -s cli -- key create --org ORG --user EMAIL' })
  t.match(next(2, 0, withSignIn(testSettings())), { 'Connect a client': 'docs/clients.md' })
})

t.test('the facts of a start contain no secret, and the scrubber of the log leaves them as they are', async t => {
  const settings = withSignIn(testSettings({ environment: 'production', database: POSTGRES }))
  const facts = startFacts('https://gateway.example', { organizations: 3, keys: 12, only: undefined }, settings)
  t.match(facts, { environment: 'production', database: 'PostgreSQL on db.example', sign_in: true })
  const line = `${JSON.stringify({ level: 30, ...facts, msg: 'ready' })}\n`
  t.notMatch(line, /secretive|ada/)
  t.equal(createScrubber().line(line), line)
})

t.test('a gateway on PostgreSQL reports an embedded database that it does not use', async t => {
  const used = t.testdir({ db: { PG_VERSION: '17\n' } })
  const warning = (dataDir: string, database: Settings['database'] = POSTGRES) =>
    unusedDatabaseWarning(testSettings({ dataDir, database }))
  t.match(warning(used), `the embedded database in ${join(used, 'db')} is not used`)
  t.match(warning(used), 'npm run -s cli -- migrate --from-embedded')
  t.notMatch(warning(used), 'secretive')
  t.equal(unusedDatabaseWarning(testSettings({ dataDir: used })), undefined, 'it is used')

  t.test('a database that was moved, is empty or does not exist is not reported', async t => {
    t.equal(warning(t.testdir({ db: { PG_VERSION: '17\n' }, moved: '{}' })), undefined)
    const empty = t.testdir({ db: {}, 'db.lock': '' })
    t.equal(warning(empty), undefined)
    t.equal(existsSync(join(empty, 'db')), true, 'nothing is changed')
    t.equal(warning('/nonexistent'), undefined)
  })
})

t.test('a start names what the settings switch on, and none of their secrets', async t => {
  const counts = { organizations: 1, keys: 1, only: undefined }
  const secret = 'secretive'
  const search = Object.defineProperty({}, 'brave', { get: () => secret })
  const settings = testSettings({
    oauthClients: new Map([['github', { id: 'id', secret }]]),
    web: { honorsRobots: true, search },
    media: { providers: { fal: { key: secret, baseUrl: 'https://fal.example' } }, models: [] },
    artifactsS3: {
      bucket: 'team-files',
      prefix: '',
      region: 'eu-central-1',
      endpoint: undefined,
      credentials: { accessKeyId: 'id', secretAccessKey: secret },
    },
    redisUrl: `redis://:${secret}@redis.example`,
  })
  const facts = startFacts(ORIGIN, counts, settings)
  const words = [
    'OAuth apps (github)',
    'web search (brave)',
    'media (fal)',
    'files (bucket team-files)',
    'rate limits (Redis)',
  ]
  t.same(facts.configured, words)
  t.match(startMessage(facts), `\n\n  Configured: ${words.join(' · ')}\n\n`)
  const first = bootstrapMessage(
    ORIGIN,
    { orgId: 'org_1', userId: 'usr_1', key: 'cgw_dev_x', link: undefined },
    settings,
  )
  t.match(first, `  Configured: ${words.join(' · ')}\n`)
  t.notMatch(JSON.stringify(facts) + first, secret)
})
