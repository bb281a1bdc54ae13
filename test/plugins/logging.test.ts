import { Writable } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import { mintApiKey } from '../../plugins/identity/key-format.ts'
import { createLogger } from '../../plugins/logging/logger.ts'
import { scrub } from '../../plugins/logging/scrub.ts'
import requestLog from '../../plugins/request-log/plugin.ts'
import { bare } from '../stage.ts'

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'

function logged(level = 'debug') {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLogger({ level, stream }), lines }
}

t.test('no credential gets through the log, wherever in a line it stands', async t => {
  const key = mintApiKey('production')
  const secrets = [key, jwt, 'c2VjcmV0OnBhc3N3b3Jk', 'hunter2']
  const { log, lines } = logged()
  log.info({ headers: { 'x-api-key': key }, nested: [{ deep: `Bearer ${jwt}` }] }, `called with ${key}`)
  log.warn({ authorization: 'Basic c2VjcmV0OnBhc3N3b3Jk' }, 'authorization')
  log.error({ err: new Error('connect postgres://gateway:hunter2@db.internal/gateway failed') }, 'down')
  for (const secret of secrets) t.notMatch(lines.join(''), secret)
  t.match(lines.join(''), 'db.internal', 'what is no secret stays')
  for (const line of lines) t.ok(JSON.parse(line))

  fc.assert(fc.property(fc.string(), fc.string(), (before, after) => !scrub(`${before} ${key} ${after}`).includes(key)))
})

t.test('an error is logged without what its driver hung on it, and with its cause', async t => {
  const { log, lines } = logged()
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    params: ['private memory'],
    query: 'insert',
  })
  log.error({ err: new Error('The tool failed.', { cause }) }, 'failed')
  t.match(JSON.parse(lines.join('')), {
    err: { message: 'The tool failed.', cause: { code: '23505', message: 'duplicate key' } },
  })
  t.notMatch(lines.join(''), 'private memory')
})

t.test('request-log names each request in its answer, and writes one line for it', async t => {
  const { log, lines } = logged('info')
  const app = bare(t, { loggerInstance: log, genReqId: () => 'request-1' })
  app.register(errorEnvelope)
  app.register(requestLog)
  app.register(async scope => scope.get('/items/:id', async () => ({})))
  const response = await app.inject({ url: '/items/7?secret=1', headers: { 'x-api-key': mintApiKey('development') } })
  t.equal(response.headers['x-request-id'], 'request-1')
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines.join('')), {
    id: 'request-1',
    method: 'GET',
    route: '/items/:id',
    status: 200,
    ms: Number,
    msg: 'request',
  })
  await app.inject('/nowhere?secret=1')
  t.match(JSON.parse(lines[1] ?? ''), { route: null, status: 404 })
  t.notMatch(lines.join(''), 'secret', 'no query string in it')
})
