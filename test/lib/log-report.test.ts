import { Writable } from 'node:stream'
import t from 'tap'
import { createLogReport } from '../../lib/logging/standard-output.ts'
import { testClock } from '../fixtures/fixture.ts'

const failing = { failing: true, lost: 0, reason: 'EPIPE' }
const recovered = { failing: false, lost: 3 }
const FAILED = /^The log cannot be written to standard output \(EPIPE\)\. .*\n$/
const AGAIN = 'The log is written again. 3 lines were lost since the start.\n'

/** A stderr whose reader reads nothing while `stuck`. */
function standardError({ stuck = false } = {}) {
  const lines: string[] = []
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      lines.push(`${chunk}`)
      if (!stuck) done()
    },
  })
  return { stream, lines }
}

t.test('a failing log is reported on stderr once, with its recovery, at most once a minute', async t => {
  const { stream, lines } = standardError()
  const clock = testClock(0)
  const report = createLogReport(stream, clock.now)
  report.health(failing)
  report.health({ ...failing, lost: 3 })
  report.health(recovered)
  for (let i = 0; i < 10; i++) for (const health of [failing, recovered]) report.health(health)
  t.match(lines, [FAILED, AGAIN])
  t.equal(lines.length, 2)

  report.health(failing)
  clock.advance(60_000)
  report.health({ ...failing, lost: 9 })
  t.match(lines[2], FAILED, 'a failure that lasts is reported when the minute is over')
  report.exit(9, 2)
  t.match(lines[3], '11 log lines were lost since the start, 2 of them at the exit.')
  report.exit(9, 0)
  t.equal(lines.length, 4)
})

t.test('reports do not accumulate for an unread stderr, and a broken stderr throws nothing', async t => {
  const { stream, lines } = standardError({ stuck: true })
  const clock = testClock(0)
  const report = createLogReport(stream, clock.now)
  for (let i = 0; i < 100; i++) {
    for (const health of [failing, recovered]) report.health(health)
    clock.advance(60_000)
  }
  t.equal(lines.length, 1)
  t.ok(stream.writableLength < 1_000)
  stream.destroy(new Error('write EPIPE'))
  await new Promise(setImmediate)
  report.health(failing)
})
