import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js'
import t, { type Test } from 'tap'
import { isJson } from '../../lib/http/headers.ts'
import { isWithinBounds } from '../../lib/http/json.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import transportValidation, { mcpMessageOf } from '../../plugins/transport-validation/plugin.ts'
import { headerRefusal, validateTransport } from '../../plugins/transport-validation/validate-transport.ts'
import { cpuMs } from '../fixtures/elapsed.ts'
import { bare } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

const accept = 'application/json, text/event-stream'
const json = { accept, 'content-type': 'application/json' }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** POST /mcp with the checks of the transport and a handler that answers with the message it was given. */
async function fixture(t: Test) {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(async scope => {
    scope.register(transportValidation)
    scope.post('/mcp', { config: { group: 'mcp' } }, async request => mcpMessageOf(request))
  })
  app.post('/elsewhere', async request => request.body)
  await app.ready()
  return {
    app,
    send: (headers: Record<string, string>, payload?: string | Buffer) =>
      app.inject({ method: 'POST', url: '/mcp', headers, ...(payload !== undefined && { payload }) }),
  }
}

/** JSON of this many levels, the outermost an object. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const withParams = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`
const withItems = (items: number) => withParams(`{"a":[${Array(items).fill(0).join()}]}`)

type Refused = [
  name: string,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
  refusal: [status: number, code: number],
]

t.test('the transport rejects invalid requests', async t => {
  const { send } = await fixture(t)
  const text = JSON.stringify(ping)
  const cases: Refused[] = [
    ['a batch', json, `[${text}]`, [400, -32600]],
    ['an empty batch', json, '[]', [400, -32600]],
    ['a batch after white space', json, ` \r\n\t[${text}]`, [400, -32600]],
    ['a batch after a byte order mark', json, `\ufeff[${text}]`, [400, -32600]],
    ['a batch that is no JSON', json, '[', [400, -32600]],
    ['a batch, before the Accept header', { ...json, accept: 'text/html' }, '[]', [400, -32600]],
    ['a batch, before the Content-Type', { ...json, 'content-type': 'text/plain' }, '[]', [400, -32600]],
    ['a batch without any header', {}, '[]', [400, -32600]],
    ...['json', '', 'application/', '/', 'a b/c', ';', 'application/json/x'].map(
      (type): Refused => [
        `a batch with ${type || 'nothing'} as its type`,
        { ...json, 'content-type': type },
        '[]',
        [400, -32600],
      ],
    ),
    ['a batch in UTF-16', { accept, 'content-type': 'application/json; charset=utf-16' }, '[]', [400, -32600]],
    ['no Accept', { 'content-type': 'application/json' }, text, [406, -32000]],
    ['Accept of JSON alone', { ...json, accept: 'application/json' }, text, [406, -32000]],
    ['Accept of a stream alone', { ...json, accept: 'text/event-stream' }, text, [406, -32000]],
    ['Accept of anything', { ...json, accept: '*/*' }, text, [406, -32000]],
    ['Accept of all applications', { ...json, accept: 'application/*, text/*' }, text, [406, -32000]],
    [
      'Accept of a type that begins alike',
      { ...json, accept: 'application/jsonx, text/event-stream' },
      text,
      [406, -32000],
    ],
    [
      'Accept of a type that ends alike',
      { ...json, accept: 'xapplication/json, text/event-stream' },
      text,
      [406, -32000],
    ],
    ['Accept of JSON at weight 0', { ...json, accept: 'application/json;q=0, text/event-stream' }, text, [406, -32000]],
    [
      'Accept of a stream at weight 0',
      { ...json, accept: 'application/json, text/event-stream; Q=0.000' },
      text,
      [406, -32000],
    ],
    [
      'Accept of both in a parameter',
      { ...json, accept: 'text/x; a="application/json, text/event-stream"' },
      text,
      [406, -32000],
    ],
    ['a weight that is no number', { ...json, accept: 'application/json;q=x, text/event-stream' }, text, [406, -32000]],
    ['a wrong Accept before a wrong type', { accept: 'text/html', 'content-type': 'text/plain' }, text, [406, -32000]],
    ['a wrong Accept before bad JSON', { ...json, accept: 'text/html' }, '{', [406, -32000]],
    ['no Content-Type', { accept }, text, [415, -32000]],
    ['a form', { accept, 'content-type': 'application/x-www-form-urlencoded' }, text, [415, -32000]],
    ['plain text', { accept, 'content-type': 'text/plain' }, text, [415, -32000]],
    ['JSON by parameter alone', { accept, 'content-type': 'text/plain; a=application/json' }, text, [415, -32000]],
    ['an invalid type', { accept, 'content-type': 'json' }, text, [415, -32000]],
    ['a charset other than UTF-8', { accept, 'content-type': 'application/json; charset=utf-16' }, text, [415, -32000]],
    [
      'a quoted charset',
      { accept, 'content-type': 'application/json; a=b; CHARSET="ISO-8859-1"' },
      text,
      [415, -32000],
    ],
    ['two types in one header', { accept, 'content-type': 'application/json, text/plain' }, text, [415, -32000]],
    ['a wrong type before bad JSON', { accept, 'content-type': 'text/plain' }, '{', [415, -32000]],
    ['no body and no type', { accept }, undefined, [415, -32000]],
    ['no body', json, undefined, [400, -32700]],
    ['an empty body', json, '', [400, -32700]],
    ['white space', json, '  ', [400, -32700]],
    ['broken JSON', json, '{"jsonrpc":', [400, -32700]],
    ['a byte order mark', json, `\ufeff${text}`, [400, -32700]],
    ['a byte order mark after white space', json, ` \ufeff${text}`, [400, -32700]],
    ['Latin-1', json, Buffer.from(withParams('{"a":"\u00fc"}'), 'latin1'), [400, -32700]],
    ['UTF-16', json, Buffer.from(text, 'utf16le'), [400, -32700]],
    [
      'half of a surrogate pair in bytes',
      json,
      Buffer.from(withParams('{"a":"\xed\xa0\x80"}'), 'latin1'),
      [400, -32700],
    ],
    ['a cut-off character', json, Buffer.from(withParams('{"a":"\xf0\x9f"}'), 'latin1'), [400, -32700]],
    ['Latin-1 in a batch', json, Buffer.from('["\u00fc"]', 'latin1'), [400, -32600]],
    [
      'a wrong type before Latin-1',
      { accept, 'content-type': 'a/b' },
      Buffer.from('"\u00fc"', 'latin1'),
      [415, -32000],
    ],
    ['a number', json, '7', [400, -32700]],
    ['null', json, 'null', [400, -32700]],
    ['a string', json, '"ping"', [400, -32700]],
    ['an object that is no message', json, '{}', [400, -32700]],
    ['another JSON-RPC', json, JSON.stringify({ ...ping, jsonrpc: '1.0' }), [400, -32700]],
    ['an id of null', json, JSON.stringify({ ...ping, id: null }), [400, -32700]],
    ['a fractional id', json, JSON.stringify({ ...ping, id: 1.5 }), [400, -32700]],
    ['an id past the integers', json, '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', [400, -32700]],
    ['an object as id', json, JSON.stringify({ ...ping, id: {} }), [400, -32700]],
    ['a method that is no string', json, JSON.stringify({ ...ping, method: 7 }), [400, -32700]],
    ['params by position', json, withParams('[]'), [400, -32700]],
    ['a member of nobody', json, JSON.stringify({ ...ping, extra: 1 }), [400, -32700]],
    ['both a result and a method', json, JSON.stringify({ ...ping, result: {} }), [400, -32700]],
    ['__proto__', json, withParams('{"a":{"__proto__":{"b":1}}}'), [400, -32700]],
    ['__proto__ in escapes', json, withParams('{"a":{"\\u005f_proto__":{"b":1}}}'), [400, -32700]],
    ['constructor.prototype', json, withParams('{"constructor":{"prototype":{"b":1}}}'), [400, -32700]],
    ['65 levels', json, withParams(nested(64)), [400, -32700]],
    ['over 10,000 elements', json, withItems(10_000), [400, -32700]],
    ['a gzip that says it is JSON', { ...json, 'content-encoding': 'gzip' }, '\u001f\u008b', [400, -32700]],
    ['over 4 MiB', json, JSON.stringify({ ...ping, params: { a: 'x'.repeat(4 * 1024 * 1024) } }), [413, -32600]],
  ]
  for (const [name, headers, body, [status, code]] of cases) {
    await t.test(`${name}: ${status}, ${code}`, async t => {
      const answer = await send(headers, body)
      t.equal(answer.statusCode, status)
      t.match(answer.headers['content-type'], /^application\/json/)
      t.strictSame(answer.json(), { jsonrpc: '2.0', error: { code, message: answer.json().error.message }, id: null })
      t.match(answer.json().error.message, /^[A-Z].{10,}/)
    })
  }
})

type Passed = [name: string, headers: Record<string, string>, body: string]

t.test('the transport accepts valid requests', async t => {
  const { send } = await fixture(t)
  const cases: Passed[] = [
    ['a request', json, JSON.stringify(ping)],
    ['a request with a string as id', json, JSON.stringify({ ...ping, id: '' })],
    ['a request with white space around it', json, ` ${JSON.stringify(ping)}\n`],
    ['a notification', json, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })],
    ['a response', json, JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })],
    ['an error response', json, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })],
    ['parameters of the type', { accept, 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(ping)],
    ['another case of the type', { accept, 'content-type': 'Application/JSON' }, JSON.stringify(ping)],
    ['weights in Accept', { ...json, accept: 'text/event-stream;q=0.5, application/json' }, JSON.stringify(ping)],
    [
      'JSON before its other types',
      { ...json, accept: 'text/html, APPLICATION/JSON;q=0.9 , Text/Event-Stream ;q=1, */*;q=0.1' },
      JSON.stringify(ping),
    ],
    [
      'parameters in Accept',
      { ...json, accept: 'application/json;charset="a,b";q=0.001,text/event-stream;x=y' },
      JSON.stringify(ping),
    ],
    ['empty elements in Accept', { ...json, accept: ',, application/json,,text/event-stream,' }, JSON.stringify(ping)],
    ...['Application/Json;Charset=UTF-8', 'application/json; charset="utf-8"', 'application/json;charset=utf8'].map(
      (type): Passed => [type, { accept, 'content-type': type }, JSON.stringify(ping)],
    ),
    ['half of a surrogate pair in an escape', json, withParams('{"a":"\\ud800"}')],
    ['text of all planes', json, withParams('{"a":"\u00fc\u4e2d\ud83d\ude42\ufeff"}')],
    ['64 levels', json, withParams(nested(63))],
    ['10,000 elements', json, withItems(9_995)],
    ['constructor as a name', json, withParams('{"constructor":"Ada","prototype":1}')],
    ['4 MiB', json, withParams(`{"a":"${'x'.repeat(4 * 1024 * 1024 - 100)}"}`)],
  ]
  for (const [name, headers, body] of cases) {
    await t.test(name, async t => {
      const answer = await send(headers, body)
      t.equal(answer.statusCode, 200)
      t.strictSame(answer.json(), JSON.parse(body))
    })
  }
})

t.test('the checks end at their scope', async t => {
  const { app } = await fixture(t)
  const answer = await app.inject({ method: 'POST', url: '/elsewhere', payload: [1] })
  t.equal(answer.statusCode, 200, 'an array is no batch there')
  t.strictSame(answer.json(), [1])
})

t.test('mcpMessageOf throws outside the scope', async t => {
  const app = bare(t)
  app.decorateRequest('mcpMessage', null)
  app.get('/', async request => mcpMessageOf(request))
  t.equal((await app.inject('/')).statusCode, 500)
})

t.test('transport-validation does not load without the error envelope', async t => {
  const app = bare(t)
  app.register(transportValidation)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})

/** Members and items of a value, and of all within. */
function elementsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce<number>((sum, element) => sum + elementsIn(element), inner.length)
}

t.test('elements are counted in the text as they come out of it', async t => {
  const brackets = fc.oneof(
    fc.json(),
    fc.json({ depthSize: 'large', stringUnit: fc.constantFrom('"', '\\', '[', ',', '}') }),
  )
  fc.assert(
    fc.property(brackets, fc.constantFrom(undefined, 1), (text, space) => {
      const value = JSON.parse(text)
      const filler = Array(10_000 - 2 - elementsIn(value)).fill(0)
      return (
        isWithinBounds(JSON.stringify([value, filler], null, space)) &&
        !isWithinBounds(JSON.stringify([value, [...filler, 0]], null, space))
      )
    }),
    { numRuns: 50 },
  )
  t.pass()
})

t.test('4 MiB of brackets are rejected at once', async t => {
  const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}`
  const message = Buffer.from(body)
  const took = await cpuMs(() => t.type(validateTransport(null, message), Error))
  // Parsing them takes about a second.
  t.ok(took < 300, `${took} ms`)
})

t.test('a Content-Type is JSON where the SDK says so', async t => {
  for (const type of ['application/json;', 'application/json; charset=', 'application/json, text/plain', '', ';'])
    t.equal(
      headerRefusal({ headers: { accept, 'content-type': type }, rawHeaders: [] }) === undefined,
      isJsonContentType(type),
      type,
    )
  const part = fc.constantFrom(
    ...['application', 'json', '/', '/', ';', '; ', '=', ',', ', ', ' ', 'a', 'charset=utf-8', 'x="1"', 'JSON', '\t'],
  )
  const made = fc.array(part, { maxLength: 8 }).map(parts => parts.join(''))
  const type = fc.oneof(
    made,
    made.map(rest => `application/json${rest}`),
  )
  fc.assert(
    fc.property(type, type => isJson(type) === isJsonContentType(type)),
    { numRuns: 1_000 },
  )
})
