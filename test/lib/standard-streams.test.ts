import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createFifo } from '../fixtures/fifo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs Node.js with these streams, which may be full or without a reader, and closes them here. */
async function run(args: string[], [stdout, stderr]: ('pipe' | number)[], env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', stdout, stderr],
  })
  for (const stream of [stdout, stderr]) if (typeof stream === 'number') closeSync(stream)
  const errors = child.stderr === null ? '' : text(child.stderr)
  const [code] = await once(child, 'exit')
  return { code, errors: await errors }
}

function deadPipe(...[t]: Parameters<typeof createFifo>): number {
  const fifo = createFifo(t)
  const writer = fifo.openWriter()
  fifo.closeReader()
  return writer
}

t.test('a command that cannot write its answer exits with 1 and says why', async t => {
  const full = await run(['cli.ts', 'help'], [openSync('/dev/full', 'w'), 'pipe'])
  t.same(full, { code: 1, errors: 'Cannot write to standard output: ENOSPC: no space left on device, write.\n' })
})

t.test('a command whose reader closed the pipe exits with 1 without a message', async t => {
  t.same(await run(['cli.ts', 'help'], [deadPipe(t), 'pipe']), { code: 1, errors: '' })
})

t.test('a start that fails exits with 1 when nothing reads its standard streams', async t => {
  for (const stderr of [deadPipe(t), openSync('/dev/full', 'w')])
    t.same(await run(['server.ts'], [deadPipe(t), stderr], { PORT: 'http' }), { code: 1, errors: '' })
})

t.test('an uncaught error ends the process when the reader of its log takes nothing', async t => {
  const module = (path: string) => fileURLToPath(new URL(`../../lib/${path}`, import.meta.url))
  const script = `
    import { createLogger } from '${module('logging/logger.ts')}'
    import { logProcessEvents } from '${module('process/process-events.ts')}'
    const log = createLogger({ level: 'info' })
    logProcessEvents(log, process)
    for (let i = 0; i < 2_000; i++) log.info({ filler: 'x'.repeat(100) })
    setTimeout(() => {
      process.on('exit', () => process.stderr.write(String(performance.now() - failed) + '\\n'))
      const failed = performance.now()
      throw new Error('broken')
    })`
  for (const stdout of [createFifo(t).openWriter(), deadPipe(t), openSync('/dev/full', 'w')]) {
    const { code, errors } = await run(['--input-type=module', '-e', script], [stdout, 'pipe'])
    t.equal(code, 1)
    t.match(errors, /\d+ log lines were lost since the start, \d+ of them at the exit\.\n/)
    const ms = Number(errors.trim().split('\n').at(-1))
    t.ok(ms < 5_000, `gone after ${ms} ms`)
  }
})
