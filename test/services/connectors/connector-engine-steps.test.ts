import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { clearable, each, either, list, named, optional, text } from '../../../services/definitions/arguments.ts'
import type { ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { fileArgument } from '../../../services/definitions/file-argument.ts'
import { done, file, httpTool, pick } from '../../../services/definitions/http-tool.ts'
import type { HttpTool } from '../../../services/definitions/http-tool-types.ts'
import { type ToolParts, tool } from '../../../services/definitions/tool.ts'
import fc from '../../fixtures/property.ts'
import {
  connectorOf,
  engine,
  failureOf,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
  secret,
} from './connector-engine-fixture.ts'

const common = { title: 'Try it', description: 'Tries it.' }
const FILE_ID = `art_${'a'.repeat(32)}`

/** Reserves a place, sends a file to it on another host, and completes the upload. */
const upload = tool('upload: POST /complete', {
  ...common,
  steps: [
    {
      step: 'reserve: POST /reserve',
      json: {
        name: named('name', text('The name.', 100)),
        bytes: '{content.bytes}',
        called: either(named('called', optional(text('Another name.', 9))), '{content.name}'),
      },
      keep: { url: '/upload/url', id: '/id' },
    },
    { step: 'send: PUT files{reserve.url}', raw: named('content', fileArgument({ what: 'The file' })) },
  ],
  json: { file: '{reserve.id}', title: '{name}' },
  keep: 'done',
})

async function fixture(t: Test, tool: HttpTool, rest: Partial<ConnectorDefinition> = {}) {
  const [api, files] = [await recordingUpstream(t), await recordingUpstream(t)]
  const hosts = { files: { url: `${files.origin}/up`, credential: false } }
  const connector = connectorOf(api.origin, tool, { hosts, ...rest })
  const pauses: number[] = []
  let now = Date.UTC(2026, 10, 24)
  const machine = engine(t, {
    now: () => now,
    deadlineMs: 20_000,
    wait: async milliseconds => {
      pauses.push(milliseconds)
      now += milliseconds
    },
  })
  machine.files.set(FILE_ID, Buffer.from('Grüße'))
  const key = secret()
  const credential = { v: 1, kind: 'api_key', key } as const
  const run = (args: Record<string, unknown>, options = {}) => machine.run(connector, args, { credential, ...options })
  return { ...machine, run, api, files, pauses, key }
}

const bodies = (received: readonly ReceivedRequest[]) =>
  received.map(({ method, url, body }) => `${method} ${url} ${body}`)

t.test('each step uses what the steps before it kept, and only hosts with a credential receive it', async t => {
  const { run, api, files, key } = await fixture(t, upload)
  api.reply = ({ url }) => ({
    body: url === '/reserve' ? { upload: { url: `${files.origin}/up/7?sig=a%2Fb` }, id: 'F7' } : { done: true, x: 1 },
  })
  const { structuredContent } = await run({ name: 'Hello', content: FILE_ID })
  t.same(structuredContent, { done: true })
  t.same(bodies(api.received), [
    'POST /reserve {"name":"Hello","bytes":7,"called":"stored.bin"}',
    'POST /complete {"file":"F7","title":"Hello"}',
  ])
  t.same(bodies(files.received), ['PUT /up/7?sig=a%2Fb Grüße'])
  await run({ name: 'Hello', content: 'text', called: 'b.txt' })
  t.equal(`${api.received[2]?.body}`, '{"name":"Hello","bytes":4,"called":"b.txt"}')
  t.same(
    [...api.received, ...files.received].map(({ headers }) => headers['x-key']),
    [key, key, key, key, undefined, undefined],
  )
})

t.test('a URL that a step names is used only below its host', async t => {
  const { run, api, files } = await fixture(t, upload)
  const port = new URL(files.origin).port
  const url = fc.oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.constantFrom(
      `${files.origin}/upper`,
      `${files.origin}/up/../secret`,
      `http://a:b@127.0.0.1:${port}/up/1`,
      `http://127.0.0.1:${port}.x.test/up/1`,
      '/up/1',
      '',
    ),
    fc.anything().map(value => (typeof value === 'string' ? `${value}:` : 7)),
  )
  await fc.assert(
    fc.asyncProperty(url, async url => {
      api.reply = () => ({ body: { upload: { url }, id: 'F7' } })
      const { code, message } = await failureOf(run({ name: 'n', content: 'text' }))
      t.equal(code, 'upstream_rejected', message)
      t.match(message, /outside its known hosts.*step 2 of 3 \(send\)/)
    }),
  )
  t.same(files.received, [])
})

t.test(
  'the error of a step says which one failed and what was done, and a repetition that repeats is unsettled',
  async t => {
    const { run, api, files } = await fixture(t, upload)
    /** Fails the request with this number, and returns the failure. */
    const failing = async (number: number, status: number) => {
      api.received.length = 0
      files.received.length = 0
      const answer = (): Reply =>
        api.received.length + files.received.length === number
          ? { status, body: { message: 'Go away.' } }
          : { body: { upload: { url: `${files.origin}/up/7` }, id: 'F7' } }
      api.reply = answer
      files.reply = answer
      return failureOf(run({ name: 'n', content: 'text' }))
    }
    const places = [
      /step 1 of 3 \(reserve\)\. Nothing was done before it\.$/,
      /step 2 of 3 \(send\)\. Done before it: reserve\. That is not undone/,
      /step 3 of 3 \(the last one\)\. Done before it: reserve, send\. That is not undone/,
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(400, 403, 404, 429, 500),
        async (number, status) => {
          const { code, unsettled, message, retryAfter } = await failing(number, status)
          t.equal(
            code,
            status === 429 ? 'upstream_rate_limited' : status === 500 ? 'upstream_unavailable' : 'upstream_rejected',
          )
          t.match(message, places[number - 1])
          t.equal(unsettled, number > 1 || status === 500)
          t.equal(retryAfter === undefined, status !== 429)
          t.equal(api.received.length + files.received.length, number, 'nothing is sent after the failure')
        },
      ),
    )
    api.reply = () => ({ body: { id: 'F7' } })
    t.match(await failureOf(run({ name: 'n', content: 'text' })), {
      message: /without the requested item.*step 1 of 3/,
      unsettled: true,
    })
  },
)

t.test('each step has its own idempotency key, the same for each repetition of a call', async t => {
  const tool = { ...upload, operation: 'twice' }
  const { run, api, files } = await fixture(t, tool, { idempotency: { header: 'Idempotency-Key' } })
  api.reply = ({ url }) =>
    url === '/complete' ? { status: 400 } : { body: { upload: { url: `${files.origin}/up` }, id: 'F' } }
  const idempotencyDigest = secret()
  for (let times = 0; times < 2; times++) {
    const { unsettled } = await failureOf(run({ name: 'n', content: 'x' }, { idempotencyDigest }))
    t.equal(unsettled, true, 'the PUT has no key')
  }
  const keys = api.received.map(({ headers }) => headers['idempotency-key'])
  t.same(keys.slice(0, 2), keys.slice(2))
  t.equal(new Set(keys).size, 2)
  t.equal(keys[1], idempotencyDigest)
})

const mail = tool('mail: POST /send', {
  ...common,
  steps: [
    {
      step: 'find: GET /people/{item}',
      each: 'people',
      keep: { id: '/id' },
    },
    { step: 'tag: POST /tags', each: 'find.id', json: { id: '{item}', of: '{find.id}' } },
  ],
  path: { people: list(text('', 20), 'The people.', 50, { min: 0 }) },
  json: { to: '{find.id}', text: named('message', text('The text.', 100)) },
  returns: done('Sent to {people}.'),
})

t.test('a step runs once for each item of a list, in order, and keeps lists', async t => {
  const { run, api } = await fixture(t, mail)
  const people = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(people, fc.nat({ max: 30 }), async (people, failsAt) => {
      api.received.length = 0
      api.reply = ({ url }) =>
        api.received.length - 1 === failsAt ? { status: 400 } : { body: { id: `id-${url.split('/').at(-1)}` } }
      const ids = people.map(name => `id-${name}`)
      const all = [
        ...people.map(name => `GET /people/${name} `),
        ...ids.map(id => `POST /tags ${JSON.stringify({ id, ...(ids.length > 0 && { of: ids }) })}`),
        `POST /send ${JSON.stringify({ to: ids, message: 'Hi' }).replace('message', 'text')}`,
      ]
      const running = run({ people, message: 'Hi' })
      if (failsAt >= all.length) await running
      else {
        const { message, unsettled } = await failureOf(running)
        const tagged = failsAt - people.length
        t.equal(unsettled, tagged > 0, 'only what wrote counts')
        if (tagged > 0 && tagged < people.length) t.match(message, `find, tag of the first ${tagged} items.`)
      }
      t.same(bodies(api.received), all.slice(0, failsAt + 1))
    }),
  )
})

t.test('a step runs only with an argument for which it is needed, and null needs none', async t => {
  const assign = tool('assign: POST /assign', {
    ...common,
    steps: [
      { step: 'person: GET /people', given: ['name'], query: { name: '{name}' }, keep: { id: '/id' } },
      { step: 'tag: GET /tags', given: ['name', 'note'], keep: { id: '/id' } },
    ],
    path: { name: clearable(text('', 9)), note: optional(text('', 9)) },
    json: { person: either('{person.id}', '{name}'), tag: '{tag.id}', note: '{note}' },
  })
  const { run, api } = await fixture(t, assign)
  api.reply = ({ url }) => (url.startsWith('/tags') ? { body: {} } : { body: { id: 7 } })
  await run({})
  await run({ name: null })
  t.same(bodies(api.received), ['POST /assign {}', 'POST /assign {"person":null}'])
  t.match(await failureOf(run({ note: 'x' })), { message: /step 1 of 2 \(tag\). Nothing was done before it/ })
  t.match(await failureOf(run({ name: 'ada' })), { message: /step 2 of 3 \(tag\). Done before it: person/ })
  api.reply = () => ({ body: { id: 7 } })
  await run({ name: 'ada' })
  t.equal(bodies(api.received).at(-1), 'POST /assign {"person":7,"tag":7}')
})

const commit = tool('commit: POST /tree', {
  ...common,
  steps: [
    {
      step: 'blob: POST /blobs',
      each: 'files',
      json: { content: '{item.content}' },
      keep: { sha: '/sha' },
      writes: false,
    },
  ],
  path: {
    files: list(Type.Object({ path: Type.String(), content: fileArgument({ what: 'The file' }) }), 'The files.', 9),
  },
  json: { tree: each('blob', { path: '{item.path}', sha: '{item.sha}' }) },
  keep: 'sha',
})

t.test('what a step keeps for each item stays with the item', async t => {
  const { run, api } = await fixture(t, commit)
  api.reply = ({ body }) => ({ body: { sha: `of ${JSON.parse(body.toString()).content}` } })
  await run({
    files: [
      { path: 'a', content: FILE_ID },
      { path: 'b', content: 'B' },
    ],
  })
  const [a, b] = ['Grüße', 'B'].map(text => Buffer.from(text).toString('base64'))
  t.same(bodies(api.received), [
    `POST /blobs {"content":"${a}"}`,
    `POST /blobs {"content":"${b}"}`,
    `POST /tree {"tree":[{"path":"a","sha":"of ${a}"},{"path":"b","sha":"of ${b}"}]}`,
  ])
})

t.test('a list that a step keeps is bounded too', async t => {
  const many = tool('many: POST /done', {
    ...common,
    steps: [
      { step: 'list: GET /all', keep: { items: '/items' } },
      { step: 'touch: POST /touch', each: 'list.items', json: { id: '{item.id}' } },
    ],
    json: {},
  })
  const { run, api } = await fixture(t, many)
  const answer = (length: number) => ({ body: { items: Array.from({ length }, (_, id) => ({ id })) } })
  api.reply = () => answer(51)
  t.match(await failureOf(run({})), { message: /at most 50 items per call.*\(touch\)/, unsettled: false })
  t.equal(api.received.length, 1)
  api.reply = () => answer(2)
  await run({})
  t.same(bodies(api.received.slice(2, 4)), ['POST /touch {"id":0}', 'POST /touch {"id":1}'])
})

const waiting = tool('wait: GET /results', {
  ...common,
  steps: [
    {
      step: 'job: GET /job',
      until: { pointer: '/state', is: ['done'], failed: ['broken'] },
      keep: { id: '/id' },
    },
  ],
  query: { id: '{job.id}' },
})

t.test(
  'a step that waits for a state repeats its request with longer pauses, and ends before the call does',
  async t => {
    const { run, api, pauses } = await fixture(t, waiting)
    const states = (...all: string[]) => {
      api.received.length = 0
      pauses.length = 0
      api.reply = ({ url }) => ({ body: url === '/job' ? { id: 7, state: all.shift() ?? 'running' } : { a: 1 } })
    }
    states('running', 'running', 'done')
    t.same((await run({})).structuredContent, { a: 1 })
    t.same(pauses, [500, 1000])
    t.equal(api.received.at(-1)?.url, '/results?id=7')
    states('running', 'broken')
    t.match(await failureOf(run({})), { code: 'upstream_rejected', message: /could not finish.*step 1 of 2 \(job\)/ })
    states()
    t.match(await failureOf(run({})), { code: 'timeout', message: /not finished this in time/, unsettled: false })
    t.ok(pauses.reduce((sum, pause) => sum + pause, 0) < 20_000)
  },
)

t.test('a file without a declared name has the name that the provider sends, made safe', async t => {
  const download = tool('get_file: GET files/{id}', { ...common, path: { id: text('The ID.', 20) }, returns: file() })
  const { run, files, stored } = await fixture(t, download)
  const nameOf = async (header: string | undefined) => {
    files.reply = () => ({ body: 'text', ...(header !== undefined && { headers: { 'content-disposition': header } }) })
    await run({ id: '7' })
    return stored.at(-1)?.name
  }
  t.equal(await nameOf('attachment; filename="report 1.csv"'), 'report 1.csv')
  t.equal(await nameOf("attachment; filename=x.txt; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt"), 'Grüße.txt')
  t.equal(await nameOf('attachment; filename="../../etc/passwd"'), 'passwd')
  for (const none of [undefined, 'attachment', 'inline; filename=', ';;;']) t.equal(await nameOf(none), 'get_file')
  t.equal(files.received.at(-1)?.url, '/up/7')
})

t.test('a tool whose steps cannot work is rejected when it is defined', async t => {
  const parts = (steps: ToolParts['steps'], more: object = {}) => ({ ...common, ...(steps && { steps }), ...more })
  const faulty = (steps: ToolParts['steps'], message: RegExp, more: object = {}) =>
    t.throws(() => tool('try: POST /x', parts(steps, { json: {}, ...more })), { message })
  faulty(
    [{ step: 'a: GET /{b.id}' }, { step: 'b: GET /b', keep: { id: '/id' } }],
    /uses b\.id, which nothing before it gives/,
  )
  faulty([{ step: 'a: GET /a' }, { step: 'a: GET /a' }], /has the name of something else/)
  faulty([{ step: 'a: GET /a' }, { step: 'b: GET /{a}' }], /uses a, which nothing before it gives/)
  faulty([{ step: 'a: GET /a', each: 'ids' }], /no list of at most 50 items/)
  faulty([{ step: 'a: GET /a', each: 'ids' }], /no list of at most 50/, {
    path: { ids: list(text('', 9), 'IDs.', 51) },
  })
  faulty([{ step: 'a: POST /a', until: { pointer: '/x', is: ['y'] } }], /repeats its request, although it writes/)
  faulty([{ step: 'a: GET /a', given: ['b'] }], /runs with b, which is no argument/)
  faulty([{ step: 'a: GET /a', keep: { x: 'x' } }], /not a JSON pointer/)
  faulty([{ step: 'a: GET {b.url}' }], /a URL without a host/)
  faulty(
    Array.from({ length: 9 }, (_, i) => ({ step: `a${i}: GET /a` })),
    /more than 8 steps/,
  )
  t.throws(() => tool('try: GET /x', parts([{ step: 'a: POST /a' }])), {
    message: /writes, although the tool only reads/,
  })
  t.throws(() => tool('try: GET /{a.id}', parts([{ step: 'a: GET /a' }])), { message: /no argument named a\.id/ })
  const elsewhere = httpTool({
    operation: 'try',
    ...common,
    annotations: upload.annotations,
    input: { id: Type.String() },
    request: { method: 'POST', host: 'nowhere', path: '/{id}' },
    result: pick('', []),
  })
  t.throws(() => connectorOf('https://sample.example', elsewhere), { message: /has no host named nowhere/ })
  const { tools: _, ...sample } = connectorOf('https://sample.example', tool('a: GET /a', common))
  const hosts = { files: { url: 'ftp://files', credential: true } }
  t.throws(() => defineConnector({ ...sample, tools: [], hosts }), { message: /not an absolute http/ })
})
