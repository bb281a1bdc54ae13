import { execFileSync } from 'node:child_process'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { createCommandLine } from '../../lib/command-line.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { commandPrefix } from '../../services/settings/command-prefix.ts'
import { loadConfig } from '../../services/settings/load.ts'

t.test('a shell passes every word of a command line on unchanged', async t => {
  const echo = createCommandLine(`${process.execPath} -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`)
  const words = fc.array(
    fc.string({ minLength: 1 }).filter(word => !word.includes('\0')),
    { maxLength: 4 },
  )
  const samples = [["it's", 'two words', '$HOME', '`id`', '"', '*', '\\', '-', '--x=y z'], ...fc.sample(words, 5)]
  for (const sample of samples) {
    const printed = execFileSync('/bin/sh', ['-c', echo(...sample)], { encoding: 'utf8' })
    t.same(JSON.parse(printed), sample)
  }
  t.equal(createCommandLine('cli')('key', 'cap', 'key_1', '--usd', '5.50'), 'cli key cap key_1 --usd 5.50')
})

const root = resolve(import.meta.dirname, '..', '..')
const plain = {
  environment: 'development',
  dataDir: join(root, 'data'),
  database: undefined,
  cliCommand: undefined,
  reader: 'operator',
} as const

t.test('a command runs from the checkout, or from the build', async t => {
  t.equal(commandPrefix(plain), 'npm run -s cli --')
  const built = { modulePath: '/app/dist/lib/configuration/command-prefix.js', dataDir: '/app/data' }
  t.equal(commandPrefix({ ...plain, ...built }), 'node dist/cli.js')
  t.equal(commandPrefix({ ...plain, ...built, dataDir: '/app/dist/data' }), 'DATA_DIR=/app/dist/data node dist/cli.js')
})

t.test('CLI_COMMAND replaces what starts a command', async t => {
  const cliCommand = 'docker compose exec gateway node dist/cli.js'
  const database = { url: 'postgres://db/gateway', directUrl: 'postgres://db/gateway' }
  t.equal(commandPrefix({ ...plain, dataDir: '/data', database, cliCommand }), cliCommand)
  const inContainer = 'docker exec -it {hostname} node dist/cli.js'
  t.equal(commandPrefix({ ...plain, cliCommand: inContainer }), `docker exec -it ${hostname()} node dist/cli.js`)
})

t.test('a command reaches the database of its gateway, and shows no secret', async t => {
  const cli = 'npm run -s cli --'
  const on = (url: string, directUrl = url) => commandPrefix({ ...plain, database: { url, directUrl } })
  t.equal(commandPrefix({ ...plain, dataDir: '/srv/gateway' }), `DATA_DIR=/srv/gateway ${cli}`)
  t.equal(commandPrefix({ ...plain, dataDir: "/srv/ada's data" }), `DATA_DIR='/srv/ada'\\''s data' ${cli}`)
  t.equal(on('postgres://127.0.0.1:5432/test'), `DATABASE_URL=postgres://127.0.0.1:5432/test ${cli}`)
  const hidden = `DATABASE_URL="\${DATABASE_URL:?}" ${cli}`
  const urls = ['postgres://ada:secretive@db/test', 'postgres://ada@db/test', 'postgres://db/test?sslmode=require']
  t.same(
    urls.map(url => on(url)).map(createScrubber().text),
    urls.map(url => on(url)),
    'no line is redacted',
  )
  t.equal(on('postgres://ada:secretive@db/test'), hidden)
  t.equal(on('postgres://ada@db/test'), hidden)
  t.equal(on('postgres://db/test?password=secretive'), hidden)
  t.equal(
    on('postgres://db/test', 'postgres://ada:secretive@db:5433/test'),
    `DATABASE_URL=postgres://db/test DATABASE_DIRECT_URL="\${DATABASE_DIRECT_URL:?}" ${cli}`,
  )
  t.equal(
    commandPrefix({
      ...plain,
      environment: 'production',
      database: { url: 'postgres://db/x', directUrl: 'postgres://db/x' },
    }),
    `GATEWAY_ENV=production ${hidden}`,
    'outside development, members do not see where the database is',
  )
})

t.test('a command stops in a shell that does not have the URL of the database', async t => {
  const prefix = commandPrefix({
    ...plain,
    database: { url: 'postgres://a:b@db/x', directUrl: 'postgres://a:b@db/x' },
  })
  const run = (env: Record<string, string>) =>
    execFileSync('/bin/sh', ['-c', prefix.replace('npm run -s cli --', 'printenv DATABASE_URL')], {
      env,
      encoding: 'utf8',
    })
  t.equal(run({ PATH: process.env.PATH ?? '', DATABASE_URL: 'postgres://c' }), 'postgres://c\n')
  t.throws(() => run({ PATH: process.env.PATH ?? '' }), { message: /DATABASE_URL/ })
})

t.test('a command in a text for callers tells them nothing of the machine', async t => {
  const at = {
    dataDir: '/srv/gateway',
    database: { url: 'postgres://db.internal/x', directUrl: 'postgres://10.0.0.7/x' },
  }
  const cli = 'npm run -s cli --'
  const shown = (settings: Partial<Parameters<typeof commandPrefix>[0]>) =>
    commandPrefix({ ...plain, ...settings, reader: 'caller' })
  t.equal(shown({ dataDir: '/srv/gateway' }), cli)
  t.equal(shown(at), `DATABASE_URL="\${DATABASE_URL:?}" DATABASE_DIRECT_URL="\${DATABASE_DIRECT_URL:?}" ${cli}`)
  t.equal(shown({ dataDir: '/srv/gateway', environment: 'staging' }), `GATEWAY_ENV=staging ${cli}`)
  t.equal(shown({ ...at, cliCommand: 'sudo gateway' }), 'sudo gateway', 'the operator chose these words')
  const settings = loadConfig({ DATA_DIR: t.testdir(), DATABASE_URL: 'postgres://127.0.0.1:1/x' })
  t.match(settings.commandPrefix, settings.dataDir)
  t.equal(settings.callerCommandPrefix, shown({ database: settings.database }))
})
