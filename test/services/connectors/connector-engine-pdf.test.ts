import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createPdfReader } from '../../../services/connectors/engine/convert/file-text.ts'
import type { Converter } from '../../../services/web/converter.ts'
import { bytesInUse } from '../../fixtures/heap.ts'
import { connectorOf, engine, failureOf, recordingUpstream, tool } from './connector-engine-fixture.ts'

const MB = 1024 ** 2
const request = { method: 'GET', path: '/file' } as const
const CONNECTOR = connectorOf('https://sample.example', tool({}, { request }))

/** A converter whose PDFs wait until `finish`. */
function waitingConverter() {
  const waiting: (() => void)[] = []
  const run = () => new Promise(resolve => waiting.push(() => resolve({ text: 'Invoice 42' })))
  return {
    converter: { run } as unknown as Pick<Converter, 'run'>,
    waiting,
    finish() {
      for (const done of waiting.splice(0)) done()
    },
  }
}

function callOf(orgId: string) {
  const { signal } = new AbortController()
  return { caller: { orgId, userId: 'usr_1', role: 'member' }, connector: CONNECTOR, signal } as const
}

t.test('the PDFs that an organization waits for take up bounded memory, and leave room for others', async t => {
  const { converter, waiting, finish } = waitingConverter()
  const readPdf = createPdfReader(converter)
  const file = Buffer.alloc(8 * MB)
  const reads = Array.from({ length: 8 }, () => readPdf(file, callOf('org_1')))
  const refused = { code: 'overloaded', message: /^Too many files are being read now\. Retry in a few seconds\.$/ }
  t.match(await failureOf(readPdf(file, callOf('org_1'))), refused)
  t.match(await failureOf(readPdf(Buffer.from('%PDF-'), callOf('org_2'), 65 * MB)), refused, 'what a call keeps counts')
  reads.push(readPdf(file, callOf('org_2')))
  t.equal(waiting.length, 9)
  finish()
  t.same(
    await Promise.all(reads),
    reads.map(() => 'Invoice 42'),
  )
  const again = readPdf(file, callOf('org_1'))
  finish()
  t.equal(await again, 'Invoice 42')
  const failing = createPdfReader({ run: () => Promise.reject(new Error('broken')) })
  for (let i = 0; i < 9; i++) await t.rejects(failing(file, callOf('org_1')), { message: 'broken' })
})

t.test('a PDF takes up its own size while it waits for its reader', async t => {
  const { converter, waiting, finish } = waitingConverter()
  const upstream = await recordingUpstream(t)
  const { run } = engine(t, { converter, deadlineMs: 60_000 })
  const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(4 * MB)])
  upstream.reply = () => ({ body })
  const reading = connectorOf(upstream.origin, tool({}, { request, result: { kind: 'text' } }))
  const before = await bytesInUse()
  const calls = Array.from({ length: 6 }, () => run(reading))
  while (waiting.length < calls.length) await new Promise(resolve => setTimeout(resolve, 5))
  const held = (await bytesInUse()) - before
  t.ok(held < 1.5 * calls.length * body.length, `${Math.round(held / MB)} MB`)
  finish()
  for (const { content } of await Promise.all(calls)) t.same(content, [{ type: 'text', text: 'Invoice 42' }])
})

t.test('a text that is about PDFs is returned as a text', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  upstream.reply = () => ({ body: '\ufeff%PDF- is how a PDF begins' })
  const reading = connectorOf(upstream.origin, tool({}, { request, result: { kind: 'text' } }))
  t.same((await run(reading)).content, [{ type: 'text', text: '%PDF- is how a PDF begins' }])
})
