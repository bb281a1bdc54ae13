import { randomBytes } from 'node:crypto'
import { type TProperties, Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { fileName } from '../../../services/artifacts/artifact.ts'
import { fileArgument } from '../../../services/definitions/file-argument.ts'
import type { BodyTemplate, HttpTool, RequestTemplate } from '../../../services/definitions/http-tool-types.ts'
import { adds } from '../../../services/definitions/tool.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'
import { connectorOf, engine, failureOf, recordingUpstream, secret, tool } from './connector-engine-fixture.ts'

const content = fileArgument({ what: 'The file' })
const name = Type.Optional(Type.String())
const ID = `art_${'a'.repeat(32)}`

function sending(body: BodyTemplate, input: TProperties): HttpTool {
  return tool(input, { annotations: adds, request: { method: 'POST', path: '/files', body } })
}

const MULTIPART = sending(
  { multipart: { title: '{title}', tag: '{tags}', file: { $file: { content: '{content}', name: '{name}' } } } },
  { title: Type.String(), tags: Type.Optional(Type.Array(Type.String())), content, name },
)
const RAW = sending({ raw: '{content}' }, { content: Type.Optional(content) })
const Attachments = Type.Array(Type.Object({ name: Type.String(), content: Type.Optional(content) }))
const JSON_BODY = sending(
  { json: { message: '{message}', content: '{content}', attachments: '{attachments}' } },
  { message: Type.String(), content: Type.Optional(content), attachments: Type.Optional(Attachments) },
)

/** Runs one tool on an upstream, and returns what it received. */
async function fixture(t: Test, tool: HttpTool) {
  const upstream = await recordingUpstream(t)
  const connector = connectorOf(upstream.origin, tool)
  const { files, run: runTool, ...rest } = engine(t, { deadlineMs: 60_000 })
  const run = (args: Record<string, unknown>, options = {}) => runTool(connector, args, options)
  async function send(args: Record<string, unknown>, artifacts: readonly Buffer[] = []) {
    files.clear()
    for (const [i, bytes] of artifacts.entries()) files.set(idOf(i), bytes)
    upstream.received.length = 0
    await run(args)
    const [received] = upstream.received
    if (received === undefined) throw new Error('Nothing was received')
    return received
  }
  return { ...rest, upstream, files, run, send }
}

function idOf(index: number): string {
  return `art_${String(index).padStart(32, '0')}`
}

/** Bytes of up to 3000: also empty ones, and all lengths modulo 3. */
const bytes = fc.uint8Array({ maxLength: 3000, size: 'max' }).map(array => Buffer.from(array))
/** Text that is not taken for an ID. */
const text = anyText().filter(text => !/^\s*art_\w*\s*$/.test(text))

async function formOf({ body, headers }: { body: Buffer; headers: Record<string, unknown> }): Promise<FormData> {
  return new Response(new Uint8Array(body), { headers: { 'content-type': `${headers['content-type']}` } }).formData()
}

t.test(
  'a multipart body carries the bytes of an artifact or of a text, with a safe name, beside other parts',
  async t => {
    const { send } = await fixture(t, MULTIPART)
    const file = fc.oneof(
      bytes.map(bytes => ({ given: idOf(0), bytes, stored: true })),
      text.map(given => ({ given, bytes: Buffer.from(given), stored: false })),
    )
    await fc.assert(
      fc.asyncProperty(
        file,
        text,
        fc.array(text),
        fc.option(text, { nil: undefined }),
        async (file, title, tags, name) => {
          const args = { title, tags, content: file.given, ...(name !== undefined && { name }) }
          const received = await send(args, file.stored ? [file.bytes] : [])
          t.equal(received.headers['content-length'], `${received.body.length}`)
          const form = await formOf(received)
          const lines = (text: string) => text.toWellFormed().replace(/\r\n?|\n/g, '\r\n')
          t.same([form.get('title'), form.getAll('tag')], [lines(title), tags.map(lines)])
          const sent = form.get('file') as File
          t.ok(Buffer.from(await sent.arrayBuffer()).equals(file.bytes))
          t.equal(
            sent.name,
            fileName(name === undefined || name === '' ? (file.stored ? 'stored.bin' : 'file.txt') : name),
          )
          t.equal(sent.type, file.stored ? 'image/png' : 'application/octet-stream')
        },
      ),
    )
  },
)

t.test('a raw body is the file, with its type', async t => {
  const { send } = await fixture(t, RAW)
  await fc.assert(
    fc.asyncProperty(bytes, async bytes => {
      const { headers, body } = await send({ content: idOf(0) }, [bytes])
      t.ok(body.equals(bytes))
      t.match(headers, { 'content-type': 'image/png', 'content-length': `${bytes.length}` })
    }),
  )
  const { headers, body } = await send({ content: 'Grüße' })
  t.same([`${body}`, headers['content-type']], ['Grüße', 'text/plain; charset=utf-8'])
  t.equal((await send({})).body.length, 0)
})

t.test('the type of a text follows from the ending of its name, in every body', async t => {
  const types = { 'a.csv': 'text/csv', 'a.MD': 'text/markdown', 'a.html': 'text/html', 'a.json': 'application/json' }
  const named = { $file: { content: '{content}', name: '{name}' } }
  const multipart = await fixture(t, MULTIPART)
  const raw = await fixture(t, sending({ raw: named }, { content, name: Type.String() }))
  for (const [name, type] of Object.entries(types)) {
    const form = await formOf(await multipart.send({ title: 'x', tags: [], content: 'x', name }))
    t.equal((form.get('file') as File).type, type, name)
    const { headers } = await raw.send({ content: 'x', name })
    t.equal(headers['content-type'], type.startsWith('text/') ? `${type}; charset=utf-8` : type, name)
    const stored = await raw.send({ content: idOf(0), name }, [Buffer.from('x')])
    t.equal(stored.headers['content-type'], 'image/png', 'bytes that show their type keep it')
  }
})

t.test('a JSON body carries files in base64, at any depth, beside any other values', async t => {
  const { send } = await fixture(t, JSON_BODY)
  const file = fc.oneof(bytes, text)
  await fc.assert(
    fc.asyncProperty(text, file, fc.array(file, { maxLength: 4 }), async (message, first, others) => {
      const files = [first, ...others]
      const stored = files.filter(file => Buffer.isBuffer(file))
      let id = 0
      const given = files.map(file => (typeof file === 'string' ? file : idOf(id++)))
      const attachments = others.map((_file, i) => ({ name: `${i}`, content: given[i + 1] }))
      const received = await send({ message, content: given[0], attachments: [...attachments, { name: 'x' }] }, stored)
      t.equal(received.headers['content-length'], `${received.body.length}`)
      const encoded = files.map(file => Buffer.from(file).toString('base64'))
      t.same(JSON.parse(`${received.body}`), {
        message: message,
        content: encoded[0],
        attachments: [...attachments.map(({ name }, i) => ({ name, content: encoded[i + 1] })), { name: 'x' }],
      })
    }),
  )
})

t.test('files of a JSON body are limited, and nothing of a larger one is read or sent', async t => {
  const { files, reads, run, upstream } = await fixture(t, JSON_BODY)
  const MIB = 1024 ** 2
  files.set(idOf(0), Buffer.alloc(13 * MIB))
  files.set(idOf(1), Buffer.alloc(12 * MIB))
  files.set(idOf(2), Buffer.alloc(1))
  const attachments = (...ids: number[]) => ids.map(id => ({ name: `${id}`, content: idOf(id) }))
  const { code, message } = await failureOf(run({ message: 'm', attachments: attachments(0, 1, 2) }))
  t.match([code, message], ['invalid_request', /at most 25 MiB of files per call/])
  t.same([reads, upstream.received], [[], []])
  await run({ message: 'm', attachments: attachments(0, 1) })
  t.ok((upstream.received[0]?.body.length ?? 0) > 33 * MIB)
})

t.test('an ID that is not one of the caller’s artifacts is an error, and never the content of a file', async t => {
  const { files, reads, run, upstream } = await fixture(t, RAW)
  files.set(ID, Buffer.from('x'))
  for (const id of [ID.slice(0, -1), `${ID}a`, ID.toUpperCase().replace('ART', 'art'), 'art_1', 'art_', idOf(7)]) {
    const { code, message } = await failureOf(run({ content: id }))
    t.equal(code, 'invalid_request')
    t.equal(
      message,
      `You have no file ${id.slice(0, 40)}, or it has expired. Upload it again with files__upload, or create it again.`,
    )
  }
  t.ok((await failureOf(run({ content: `art_${'a'.repeat(100_000)}` }))).message.length < 200)
  t.same([reads, upstream.received], [[], []])
  await run({ content: ` ${ID}\n` })
  await run({ content: `${ID}: what is in it?` })
  t.same(
    upstream.received.map(({ body }) => `${body}`),
    ['x', `${ID}: what is in it?`],
  )
})

t.test('a request that is sent again with a renewed credential has the whole file again', async t => {
  const { files, reads, run, upstream } = await fixture(t, RAW)
  const bytes = randomBytes(500_000)
  files.set(ID, bytes)
  const renewed = { v: 1, kind: 'api_key', key: secret() } as const
  upstream.reply = ({ headers }) => (headers['x-key'] === renewed.key ? { body: {} } : { status: 401 })
  await run({ content: ID }, { renewed })
  t.same(reads, [ID, ID])
  t.ok(upstream.received.every(({ body }) => body.equals(bytes)))
  t.equal(upstream.received.length, 2)
})

t.test('a file that disappears before it is sent is the same error as an unknown one', async t => {
  const { files, run, upstream } = await fixture(t, RAW)
  files.set(ID, Buffer.alloc(10))
  const set = files.get.bind(files)
  let found = 0
  files.get = id => (found++ === 0 ? set(id) : undefined)
  t.match(await failureOf(run({ content: ID })), { code: 'invalid_request', message: /^You have no file art_aaa/ })
  t.same(upstream.received, [])
})

t.test('a file argument is accepted only where a file can be sent', async t => {
  const text = Type.String()
  const wrong: [request: Omit<RequestTemplate, 'method'>, message: RegExp][] = [
    [{ path: '/{content}', body: { raw: '{content}' } }, /sends the file argument content where it cannot/],
    [{ path: '/x', query: { q: '{content}' }, body: { raw: '{content}' } }, /sends the file argument content where/],
    [{ path: '/x', headers: { 'x-a': '{content}' } }, /sends the file argument content where/],
    [{ path: '/x', body: { form: { a: '{content}' } } }, /sends the file argument content where/],
    [{ path: '/x', body: { json: { a: 'Text: {content}' } } }, /sends the file argument content where/],
    [{ path: '/x', body: { json: { a: '{content}', b: { $join: 'content', separator: ',' } } } }, /sends the file/],
    [{ path: '/x', body: { multipart: { a: '{content}' } } }, /sends the file argument content where/],
    [
      { path: '/x', body: { graphql: 'query', variables: { a: '{content}' } } },
      /sends the file argument content where/,
    ],
    [{ path: '/{content}', body: { raw: '{other}' } }, /sends \{other\} as a file, but it is not a file argument/],
    [{ path: '/x', body: { multipart: { a: { $file: { content: '{other}' } } } } }, /sends \{other\} as a file/],
  ]
  for (const [request, message] of wrong) {
    const input = JSON.stringify(request).includes('{other}') ? { content, other: text } : { content }
    t.throws(() => tool(input, { annotations: adds, request: { method: 'POST', ...request } }), { message })
  }
  const list = Type.Array(content)
  t.throws(
    () => tool({ list }, { annotations: adds, request: { method: 'POST', path: '/x', query: { list: '{list}' } } }),
    { message: /sends the file argument list where it cannot/ },
  )
  t.ok(sending({ json: { list: '{list}' } }, { list }))
})
