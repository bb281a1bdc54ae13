import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { startGateway } from './gateway-process.ts'

const ROUNDS = 5

function dataDir(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-kill-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** In each round, stores a memory, kills the process right after the answer, and searches with the next process. */
async function rememberAndKill(t: Test, settings: Record<string, string>, onKilled?: (t: Test, pid: number) => void) {
  let gateway = await startGateway(t, settings)
  const key = gateway.key ?? ''
  t.not(key, '', 'a first start prints a key')

  for (let round = 1; round <= ROUNDS; round++) {
    const memory = `Round ${round}: the heron is grey.`
    t.match(await gateway.call(key, 'memory__remember', { memory }), memory)
    // The next process starts at once, even if this one is still exiting.
    process.kill(gateway.pid, 'SIGKILL')
    onKilled?.(t, gateway.pid)

    gateway = await startGateway(t, settings)
    const result = await gateway.call(key, 'memory__search_memory', { query: 'heron' })
    for (let earlier = 1; earlier <= round; earlier++) t.match(result, `Round ${earlier}: the heron is grey.`)
  }
  await gateway.kill()
}

t.test(
  'answered memories in the embedded database survive kill -9, and the next process takes over its lock',
  async t => {
    const DATA_DIR = dataDir(t)
    await rememberAndKill(t, { DATA_DIR }, (t, pid) =>
      t.match(readFileSync(join(DATA_DIR, 'db.lock'), 'utf8'), `"pid":${pid}`, 'the killed process left its lock'),
    )
  },
)

const withoutServer = testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set' : false
t.test('answered memories in PostgreSQL survive kill -9', { skip: withoutServer }, async t => {
  await rememberAndKill(t, { DATA_DIR: dataDir(t), DATABASE_URL: await testPostgres(t, testDatabaseUrl ?? '') })
})
