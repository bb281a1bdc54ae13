import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import jsonBodies from '../../plugins/json-bodies/plugin.ts'
import { bare } from '../fixtures/fixture.ts'

const app = bare(t, { bodyLimit: 1_000 })
app.register(errorEnvelope)
app.register(jsonBodies)
app.register(async scope => {
  scope.post('/echo', { config: { group: 'connectors' } }, async request => ({ body: request.body }))
})

const send = (contentType: string, payload: string | Buffer) =>
  app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': contentType }, payload })

t.test('JSON in UTF-8 is read, whatever its parameters and case', async t => {
  const text = '{"a":"ü中🙂\\ud800"}'
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf8',
    'Application/JSON;Charset="UTF-8"',
    'application/json; a=b',
    'application/json;',
    'application/json; charset=',
  ]) {
    const answer = await send(type, text)
    t.equal(answer.statusCode, 200, type)
    t.same(answer.json().body, JSON.parse(text))
  }
})

t.test('a body of another type or charset is rejected with 415', async t => {
  for (const type of [
    'text/plain',
    'text/plain; a=application/json',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; CHARSET="us-ascii"',
    'json',
    'application/',
    '',
  ]) {
    const answer = await send(type, '{}')
    t.equal(answer.statusCode, 415, type)
    t.match(answer.json(), { error: 'invalid_request', message: /Content-Type: application\/json/ })
  }
  const untyped = await app.inject({ method: 'POST', url: '/echo', payload: Buffer.from('{}') })
  t.equal(untyped.statusCode, 415, 'no type')
})

t.test('a body that is not JSON in UTF-8 is rejected with 400', async t => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  for (const body of [
    '',
    ' ',
    '{',
    '\ufeff{}',
    latin1('{"a":"\u00fc"}'),
    latin1('{"a":"\xed\xa0\x80"}'),
    latin1('{"a":"\xf0\x9f"}'),
    Buffer.from('{}', 'utf16le'),
    '{"__proto__":{"a":1}}',
    '{"a":{"constructor":{"prototype":{}}}}',
  ]) {
    const answer = await send('application/json', body)
    t.equal(answer.statusCode, 400, JSON.stringify(body))
    t.match(answer.json(), { error: 'invalid_request', message: String })
  }
})

t.test('a body that is too large is rejected with 413', async t => {
  t.equal((await send('application/json', JSON.stringify('x'.repeat(1_000)))).statusCode, 413)
})

t.test('json-bodies does not load without the error envelope', async t => {
  const app = bare(t)
  app.register(jsonBodies)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
