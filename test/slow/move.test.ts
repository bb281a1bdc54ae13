import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import { testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { startGateway } from './gateway-process.ts'

const run = promisify(execFile)

t.test(
  'the steps of docs/deployment.md lead from a first start to PostgreSQL in production, with the data',
  { skip: testDatabaseUrl === undefined && 'needs TEST_DATABASE_URL' },
  async t => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'cgw-move-'))
    t.teardown(() => rmSync(DATA_DIR, { recursive: true, force: true }))
    const url = new URL(await testPostgres(t, testDatabaseUrl ?? '', 'empty'))
    const DATABASE_URL = await ownedByOrdinaryRole(url)
    t.teardown(() => dropRole(url))
    const production = { DATA_DIR, DATABASE_URL, GATEWAY_ENV: 'production' }
    const cli = async (settings: Record<string, string>, ...args: string[]) => {
      const env = { PATH: process.env.PATH ?? '', ...settings }
      const { stdout, stderr } = await run(process.execPath, ['cli.ts', ...args, '--json'], { env })
      return { answer: JSON.parse(stdout), stderr }
    }
    const move = () => cli(production, 'migrate', '--from-embedded')

    const first = await startGateway(t, { DATA_DIR })
    const key = first.key ?? ''
    t.match(await first.call(key, 'memory__remember', { memory: 'The demo is on Friday.' }), 'The demo is on Friday.')
    await t.rejects(move(), {
      code: 1,
      stdout: '',
      stderr: /^A gateway runs on .*\. Stop it, then run this command again/,
    })
    await first.stop('SIGTERM')

    const { answer, stderr } = await move()
    t.match(answer, {
      moved: true,
      environment: 'production',
      ledger: /^no differences in 2 postings of 1 organization$/,
    })
    t.match(answer.reversed_credits, [{ amount: '$5.00', posting: /^txn_/ }])
    t.match(answer.rejected_keys, [{ hint: /^cgw_dev_/, replace_with: / key create --org org_\w+ --user usr_\w+$/ }])
    t.notMatch(stderr, /dev:/, 'secrets are only on stdout')
    const lines: string[] = answer.settings.map((line: { set_these: string }) => line.set_these)
    const secrets = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    t.same(Object.keys(secrets), ['API_KEY_PEPPERS', 'VAULT_KEYS'])
    await t.rejects(move(), { code: 1, stderr: /^Already moved: at \S+, the data in .* was copied to this database/ })

    const settings = { ...production, ...secrets, PUBLIC_ORIGINS: 'http://127.0.0.1:1' }
    const words = answer.rejected_keys[0].replace_with.split(' key create ')[1].split(' ')
    const { answer: created } = await cli(settings, 'key', 'create', ...words)
    t.match(created.key, /^cgw_live_/)
    const { answer: audit } = await cli(settings, 'billing', 'audit')
    t.match(audit, { ok: true, postings: 2 })
    const second = await startGateway(t, { ...settings, DRAIN_DELAY_SECONDS: '0' })
    const ready = await fetch(`${second.url}/health?ready`)
    t.equal(ready.status, 200)
    t.notMatch(second.output(), /was moved to PostgreSQL/)
    t.equal((await second.stop('SIGTERM')).code, 0)

    const third = await startGateway(t, { DATA_DIR })
    t.match(third.output(), /was moved to PostgreSQL on .* Set DATABASE_URL to use the moved data/)
    await third.stop('SIGTERM')
  },
)

const roleOf = (url: URL) => `${url.pathname.slice(1)}_owner`

/** Gives the database to a role that may do nothing else. Returns the URL of that role. */
async function ownedByOrdinaryRole(url: URL): Promise<string> {
  const own = new URL(url)
  own.username = roleOf(url)
  own.password = 'of-a-test'
  await onServer(url, `create role ${own.username} login password '${own.password}'`)
  await onServer(url, `alter database ${url.pathname.slice(1)} owner to ${own.username}`)
  return own.href
}

async function dropRole(url: URL): Promise<void> {
  await onServer(url, `reassign owned by ${roleOf(url)} to current_user; drop role ${roleOf(url)}`)
}

async function onServer(url: URL, statement: string): Promise<void> {
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
