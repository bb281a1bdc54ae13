import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { QUEUE_FILE, type Queue } from './groups/queue.ts'

/** Test files, as a group runs them one after another. */
const FILES = {
  'first.test.ts': "import t from 'tap'\nt.test('a', async t => t.equal(process.env.LEFT, undefined))",
  'fails.test.ts': "import t from 'tap'\nt.test('b', async t => t.equal(1, 2))",
  'throws.test.ts': "import 'tap'\nthrow new Error('at the top')",
  'rejects.test.ts':
    "import t from 'tap'\nt.test('k', async t => { Promise.reject(new Error('nobody waits'))\nawait new Promise(setImmediate) })",
  'emits.test.ts':
    "import t from 'tap'\nt.test('l', async t => { await t.test('m', t => { setTimeout(() => { throw new Error('nobody catches') })\nsetTimeout(() => t.end(), 50) }) })",
  'timer.test.ts': "import t from 'tap'\nt.test('c', async () => { setInterval(() => {}, 1000) })",
  'server.test.ts':
    "import { createServer } from 'node:net'\nimport t from 'tap'\nt.test('d', async () => { createServer().listen(0) })",
  'environment.test.ts': "import t from 'tap'\nt.test('e', async () => { process.env.LEFT = '1' })",
  'listener.test.ts': "import t from 'tap'\nt.test('f', async () => { process.on('warning', () => {}) })",
  'global.test.ts': "import t from 'tap'\nt.test('g', async () => { globalThis.fetch = async () => new Response() })",
  'closes.test.ts':
    "import { createServer } from 'node:net'\nimport t from 'tap'\nt.test('h', async t => { const s = createServer().listen(0)\nt.teardown(() => s.close()) })",
  'own.test.ts':
    "import t from 'tap'\n// Own process: it sets a variable.\nt.test('i', async t => { process.env.OWN = '1'; t.pass() })",
  'last.test.ts': "import t from 'tap'\nt.test('j', async t => t.equal(process.env.OWN, undefined))",
}

t.test('a group names the file that fails, and the file that leaves something behind, and goes on', async t => {
  const root = t.testdir(FILES)
  const files = Object.entries(FILES).map(([name, text]) => ({
    path: join(root, name),
    ownProcess: text.includes('// Own process') ? 'it sets a variable.' : null,
  }))
  writeFileSync(join(root, QUEUE_FILE), JSON.stringify({ files, patienceMs: 500 } satisfies Queue))
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>(resolve => {
    const env = { ...process.env, TEST_QUEUE: root }
    execFile(process.execPath, [...process.execArgv, 'test/groups/1.test.ts'], { env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    )
  })
  const lines = stdout.split('\n').filter(line => /^(not )?ok /.test(line))
  const results = lines.map(line =>
    line.replaceAll(`${root}/`, '').replace(/^(not ok|ok) \d+ - (.*?)(?: # time=.*)?$/, '$1 $2'),
  )
  t.equal(code, 1)
  t.same(results, [
    'ok a group starts',
    'ok first.test.ts',
    'not ok fails.test.ts',
    'not ok throws.test.ts',
    'not ok rejects.test.ts',
    'not ok emits.test.ts',
    'ok timer.test.ts',
    'not ok timer.test.ts leaves something behind: 1 open Timeout',
    'ok server.test.ts',
    'not ok server.test.ts leaves something behind: 1 open TCPServerWrap',
    'ok environment.test.ts',
    'not ok environment.test.ts leaves something behind: environment variable LEFT',
    'ok listener.test.ts',
    'not ok listener.test.ts leaves something behind: 1 listener of the process for warning',
    'ok global.test.ts',
    'not ok global.test.ts leaves something behind: global fetch',
    'ok closes.test.ts',
    'ok own.test.ts',
    'ok last.test.ts',
  ])
})
