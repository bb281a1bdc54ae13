import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import t from 'tap'
import { createLogOutput, MAX_WAITING_BYTES } from '../../lib/logging/log-output.ts'
import { logHealthChannel } from '../../lib/logging/standard-output.ts'
import type { LogHealth } from '../../schemas/gateway/log.ts'
import { createFifo } from '../fixtures/fifo.ts'
import { until } from '../fixtures/until.ts'

const filler = 'x'.repeat(1_000)
const numbered = (n: number) => `${JSON.stringify({ n, filler })}\n`

function createOutput(fd: number, nonBlocking: boolean) {
  const reports: LogHealth[] = []
  return { reports, output: createLogOutput({ fd, nonBlocking, onHealth: health => reports.push(health) }) }
}

function linesOf(text: string): { n?: number; lost?: number }[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

t.test('a slow reader gets every line in order or a line that counts the lost ones, and memory is bounded', async t => {
  const fifo = createFifo(t)
  const { output, reports } = createOutput(fifo.openWriter({ nonBlocking: true }), true)
  const sent = Math.ceil((2 * MAX_WAITING_BYTES) / numbered(1).length)
  for (let n = 0; n < sent; n++) output.write(numbered(n))

  const { lost, ...state } = output.health()
  t.same(state, { failing: true, reason: 'slow' })
  t.match(reports, [{ failing: true, reason: 'slow' }], 'reported once')
  t.ok(output.waiting() * numbered(0).length <= MAX_WAITING_BYTES, `${output.waiting()} lines wait`)
  t.ok(lost > sent / 3, `${lost} of ${sent} lines are lost`)

  let received = ''
  await until(() => {
    received += fifo.read()
    output.flush()
    return output.waiting() === 0
  })
  output.write(numbered(sent))
  output.flush()
  const lines = linesOf(received + fifo.read())
  const kept = lines.length - 2
  t.equal(kept + lost, sent, 'no line is missing without being counted')
  t.same(
    lines.slice(0, kept).map(({ n }) => n),
    Array.from({ length: kept }, (_, n) => n),
  )
  t.match(lines.slice(kept), [{ level: 40, lost, msg: `${lost} log lines were lost` }, { n: sent }])
  t.same(output.health(), { failing: false, lost })
  t.same(reports.at(-1), { failing: false, lost })
})

t.test('lines are collected into one write, and none waits longer than 10 ms', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const fifo = createFifo(t)
  const { output } = createOutput(fifo.openWriter({ nonBlocking: true }), true)
  for (const n of [1, 2, 3]) output.write(numbered(n))
  mock.timers.tick(9)
  t.equal(output.waiting(), 3)
  mock.timers.tick(1)
  t.equal(output.waiting(), 0)
  t.same(
    linesOf(fifo.read()).map(({ n }) => n),
    [1, 2, 3],
  )
})

t.test('lines wait for the next reader of a pipe whose reader is gone', async t => {
  const fifo = createFifo(t)
  const { output, reports } = createOutput(fifo.openWriter({ nonBlocking: true }), true)
  for (let n = 0; n < 200; n++) output.write(numbered(n))
  fifo.closeReader()
  for (let n = 200; n < 400; n++) output.write(numbered(n))
  output.flush()
  await until(() => output.health().failing)
  t.same(output.health(), { failing: true, lost: 0, reason: 'EPIPE' })

  fifo.openReader()
  let received = ''
  await until(() => {
    received += fifo.read()
    return !output.health().failing
  })
  await until(() => {
    received += fifo.read()
    output.flush()
    return output.waiting() === 0
  })
  t.same(
    linesOf(received + fifo.read()).map(({ n }) => n),
    Array.from({ length: 400 }, (_, n) => n),
  )
  t.match(reports, [{ reason: 'EPIPE' }, { failing: false, lost: 0 }])
})

t.test('a synchronous flush gives up on a reader that takes nothing, and the next one does not wait again', t => {
  const fifo = createFifo(t)
  const { output } = createOutput(fifo.openWriter({ nonBlocking: true }), true)
  for (let n = 0; n < 1_000; n++) output.write(numbered(n))
  const waiting = output.waiting()
  t.ok(waiting > 900)
  const started = performance.now()
  for (let i = 0; i < 10; i++) output.flushSync()
  const took = performance.now() - started
  t.ok(took >= 450 && took < 2_000, `ten flushes take ${Math.round(took)} ms in all`)
  t.equal(output.waiting(), waiting)
  fifo.closeReader()
  output.flushSync()
  t.equal(output.waiting(), waiting, 'nor does it wait for a reader that is gone')
  t.end()
})

t.test('a synchronous flush writes everything for a reader, also what a file has in flight', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-log-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'log')
  const { output, reports } = createOutput(openSync(path, 'a'), false)
  for (let n = 0; n < 1_000; n++) output.write(numbered(n))
  output.flushSync()
  t.equal(output.waiting(), 0)
  const expected = Array.from({ length: 1_000 }, (_, n) => numbered(n)).join('')
  await until(() => readFileSync(path, 'utf8').length === expected.length)
  const received = linesOf(readFileSync(path, 'utf8')).map(({ n }) => n)
  t.same(
    received.toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 1_000 }, (_, n) => n),
  )
  t.same(reports, [])
})

t.test('a full disk makes the log fail, without an error that ends the process', async t => {
  const { output, reports } = createOutput(openSync('/dev/full', 'w'), false)
  output.write(numbered(1))
  output.flush()
  await until(() => output.health().failing)
  output.flushSync()
  t.same(output.health(), { failing: true, lost: 0, reason: 'ENOSPC' })
  t.match(reports, [{ failing: true, reason: 'ENOSPC' }])
  t.equal(output.waiting(), 1)
})

t.test('lost lines are reported once a second while they are lost', async t => {
  const fifo = createFifo(t)
  const { output, reports } = createOutput(fifo.openWriter({ nonBlocking: true }), true)
  const line = `${'x'.repeat(1_000_000)}\n`
  while (!output.health().failing) output.write(line)
  for (let i = 0; i < 5; i++) output.write(line)
  await until(() => reports.length > 1)
  t.match(reports, [{ lost: 0 }, { failing: true, lost: 5, reason: 'slow' }])
})

t.test('subscribers of the diagnostics channel see the health of the log', t => {
  const seen: unknown[] = []
  const hear = (message: unknown) => seen.push(message)
  logHealthChannel.publish({ failing: true, lost: 1 })
  subscribe(logHealthChannel.name, hear)
  logHealthChannel.publish({ failing: true, lost: 2, reason: 'EPIPE' })
  unsubscribe(logHealthChannel.name, hear)
  t.same(seen, [{ failing: true, lost: 2, reason: 'EPIPE' }])
  t.end()
})
