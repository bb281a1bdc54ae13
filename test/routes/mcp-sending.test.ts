import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { createServices } from '../../services/create-services.ts'
import type { ToolList } from '../../services/mcp/tool-list.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directory } from '../fixtures/directory.ts'
import { scrub } from '../fixtures/fixture.ts'
import { memoryLog } from '../fixtures/memory-log.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'
import { rawClient } from '../fixtures/raw-client.ts'
import { testSettings } from '../fixtures/settings.ts'

/** Whether the surface of the caller is there at once or comes later: an answer behind a promise has no one to throw to. */
const WHEN = ['at once', 'later'] as const

/** The app, listening, with a list in place of the callers' own, and what it has logged. */
async function serve(t: Test) {
  const { log, lines } = memoryLog({ level: 'info' })
  const services = await createServices(testSettings(), { ...CATALOG, log, scrub, database: await testDatabase(t) })
  const { surfaces } = services
  let writeHead: (() => never) | undefined
  const app = buildApp(services, {
    logger: log,
    overload: NO_LOAD_SHEDDING,
    instrument: app =>
      app.addHook('onRequest', async (_request, reply) => {
        if (writeHead !== undefined) reply.raw.writeHead = writeHead
      }),
  })
  t.teardown(async () => {
    await app.close()
    await services.close()
  })
  const { key } = await (await (await directory(services).org()).member('owner')).key()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const headers = [
    `host: 127.0.0.1:${port}`,
    `x-api-key: ${key}`,
    'accept: application/json, text/event-stream',
    'accept-encoding: gzip',
    'content-type: application/json',
    'connection: close',
  ]

  return {
    listAs(list: Partial<ToolList>, when: (typeof WHEN)[number]) {
      const stored = { plain: () => [], gzip: () => undefined, ...list }
      const surface = { tools: new Map(), list: stored, conditional: [], accounts: new Map() }
      surfaces.of = () => (when === 'later' ? Promise.resolve(surface) : surface)
    },
    breakHeads() {
      writeHead = () => {
        throw new Error('no head')
      }
    },
    /** Sends one message; answers all that came back, and the lines that were logged meanwhile. */
    async ask(method: string) {
      const before = lines.length
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
      const head = ['POST /mcp HTTP/1.1', ...headers, `content-length: ${body.length}`, '', body].join('\r\n')
      const answer = await (await rawClient(t, port, head)).closed()
      return { answer, logged: lines.slice(before).map(line => JSON.parse(line)) }
    },
  }
}

t.test('an answer that cannot be sent becomes a 500 in the envelope, and the process continues', async t => {
  const { listAs, ask } = await serve(t)
  const refuse = () => {
    throw new Error('no bytes')
  }
  for (const [when, gzip] of WHEN.flatMap(when => [[when, refuse] as const, [when, async () => refuse()] as const])) {
    listAs({ gzip }, when)
    const { answer, logged } = await ask('tools/list')
    t.match(answer, /^HTTP\/1\.1 500 .*"type":"api_error".*"code":"internal_error"/s, when)
    t.notMatch(answer, /no bytes|content-encoding/i)
    t.match(logged, [{ err: { message: 'no bytes' } }, { msg: 'request', status: 500, outcome: 'internal_error' }])
    t.equal(logged.length, 2, 'one line beside the error')
  }
  t.match((await ask('ping')).answer, /^HTTP\/1\.1 200 /)
})

t.test(
  'an answer that fails after its start ends the connection, so that the client sees it is incomplete',
  async t => {
    const { listAs, ask } = await serve(t)
    for (const when of WHEN) {
      listAs({ plain: () => [Buffer.alloc(40_000, 'x'), { byteLength: 40_000 } as Buffer] }, when)
      const { answer, logged } = await ask('tools/list')
      t.ok(answer.length < 80_000, when)
      t.match(logged, [{ msg: /cannot send the complete/, err: { type: 'TypeError' } }, { outcome: 'internal_error' }])
      t.equal(logged.length, 2, 'one line beside the error')
    }
    t.match((await ask('ping')).answer, /^HTTP\/1\.1 200 /)
  },
)

t.test('if even the 500 cannot be sent, the connection ends and the log has the reason', async t => {
  const { listAs, ask, breakHeads } = await serve(t)
  breakHeads()
  for (const when of WHEN) {
    listAs({ plain: () => [Buffer.alloc(40_000, 'x')] }, when)
    const { answer, logged } = await ask('tools/list')
    t.equal(answer, '', when)
    const last = logged.slice(-2)
    t.match(last, [{ msg: /cannot send the complete/, err: { message: 'no head' } }, { outcome: 'internal_error' }])
  }
})
