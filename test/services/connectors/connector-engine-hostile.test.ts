import { gzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { readCursor } from '../../../services/connectors/engine/pagination.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import { pick, text } from '../../../services/definitions/http-tool.ts'
import {
  connectorOf,
  engine,
  failureOf,
  oauth2,
  probe,
  recordingUpstream,
  secret,
  tool,
} from './connector-engine-fixture.ts'

const get = { method: 'GET', path: '/things' } as const

function sampleOf(length: number, item: object): string {
  const json = JSON.stringify(item)
  return `[${Array(Math.floor(length / (json.length + 1)))
    .fill(json)
    .join()}]`
}

function many(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join()
}

/** Returns how long a task blocks the thread, in milliseconds of the thread's own CPU time; the least of three runs. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const worked = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const waits: number[] = []
  for (let times = 0; times < 3; times++) {
    let last = worked()
    let longest = 0
    const beat = setInterval(() => {
      const now = worked()
      longest = Math.max(longest, now - last)
      last = now
    }, 2)
    await work()
    await new Promise(resolve => setTimeout(resolve, 5))
    clearInterval(beat)
    waits.push(longest)
  }
  return Math.min(...waits)
}

t.test('no answer blocks other calls, however large it is and however small its parts are', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t, { deadlineMs: 20_000 })
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  const issue = {
    id: 1,
    name: 'An issue',
    user: { login: 'ada' },
    labels: [{ name: 'bug' }],
    body: 'words '.repeat(80),
  }
  const [most, bytes] = [100_000, 4_000_000]
  const answers: [what: string, json: string, refused?: true][] = [
    ['ordinary items', sampleOf(bytes, issue)],
    ['names', `{${many(550_000, index => `"k${index}":1`)}}`, true],
    ['as many names as are read', `{${many(most, index => `"k${index}":1`)}}`],
    ['as many shapes as are read', `[${many(most / 2, index => `{"k${index}":1}`)}]`],
    ['objects', `[${many(bytes / 3, () => '{}')}]`, true],
    ['as many objects as are read', `[${many(most, () => '{}')}]`],
    ['lists in lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2), true],
    ['as many lists in lists as are read', '['.repeat(most) + ']'.repeat(most)],
    ['long texts', sampleOf(bytes, ['x'.repeat(21_000)])],
    ['quotes', `["${'\\"'.repeat(bytes / 2)}"]`],
    ['control characters', `["${'\\u0000'.repeat(bytes / 6)}"]`],
    ['blanks', `[${' '.repeat(bytes)}]`],
  ]
  for (const [what, json, refused = false] of answers) {
    const body = gzipSync(json)
    upstream.reply = () => ({ headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body })
    const outcomes: unknown[] = []
    const wait = await longestWait(async () => outcomes.push(await run(connector).catch(error => error)))
    // At most 100 ms on an idle machine. Without the protection it takes seconds.
    t.ok(wait < 500, `${what}, ${json.length} characters: ${Math.round(wait)} ms`)
    if (refused) t.match(outcomes, Array(3).fill({ code: 'upstream_rejected', message: /smaller limit/ }), what)
    else t.match(outcomes, Array(3).fill({ structuredContent: {} }), what)
  }
  upstream.reply = () => ({ body: `["${'x'.repeat(4.5 * 1024 ** 2)}"]` })
  t.match(await failureOf(run(connector)), { code: 'upstream_rejected', message: /smaller limit/ })
})

t.test('items that do not fit are left out as a whole, and counted', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, tool({}, { request: get, result: pick('', ['id', 'tags']) }))
  const item = (id: number) => ({ id, other: 'x', tags: Array.from({ length: 900 }, (_, tag) => `tag ${tag}`) })
  upstream.reply = () => ({ body: Array.from({ length: 100 }, (_, id) => item(id)) })
  const { structuredContent } = await run(connector)
  const { items, note } = structuredContent as { items: ReturnType<typeof item>[]; note: string }
  t.ok(items.length > 10 && items.length < 100, `${items.length} items`)
  t.ok(items.every(({ tags }) => tags.length === 900))
  t.match(note, `Only the first ${items.length} of 100 items`)
})

/** The encodings of texts that providers and their frameworks use. */
const WRITTEN: Record<string, (text: string) => string> = {
  'as it is': text => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded with small digits': text => encodeURIComponent(text).replace(/%../g, hex => hex.toLowerCase()),
  'percent-encoded twice': text => encodeURIComponent(encodeURIComponent(text)),
  'in a form': text => `${new URLSearchParams({ text })}`,
  'as HTML': text => text.replace(/[+/&<>"]/g, sign => (sign === '"' ? '&quot;' : `&#${sign.charCodeAt(0)};`)),
  'JSON in JSON': text => JSON.stringify(JSON.stringify(text)),
  'Base64 of the header': text => Buffer.from(`Bearer ${text}`).toString('base64'),
  'Base64 in a URL': text => encodeURIComponent(Buffer.from(`key ${text} in words`).toString('base64')),
  'Base64 for URLs': text => Buffer.from(`${text}é`).toString('base64url'),
}

/** The variants that JSON encoders produce. All decode to the same text. */
const JSON_STYLES: Record<string, (json: string) => string> = {
  plain: json => json,
  'slashes escaped': json => json.replaceAll('/', '\\/'),
  'signs escaped': json => json.replace(/[+&<>'~]/g, sign => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  'letters escaped': json =>
    json.replace(/[a-z](?=[^"]*":)|[k-z]/g, letter => `\\u00${letter.charCodeAt(0).toString(16)}`),
}

/** Parts of a secret that appear nowhere else, plain and in Base64. */
function tracesOf(secret: string): string[] {
  const inner = secret.slice(3, 15)
  const shifted = ['', 'x', 'xy'].map(before =>
    Buffer.from(before + secret)
      .toString('base64')
      .slice(8, 24),
  )
  return [inner, ...shifted]
}

t.test('a secret of the account appears in no value, name, text, message or cursor, in any encoding', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const rest = { auth: oauth2(), identity: probe, errors: { message: ['/m'], code: ['/c'] } }
  const picks = connectorOf(upstream.origin, tool({}, { request: get }), rest)
  const reads = connectorOf(upstream.origin, tool({}, { request: get, result: text() }), rest)
  const cursor = { limit: Type.Integer({ default: 1 }), cursor: Type.Optional(Type.String()) }
  const query = { n: '{limit}', page: '{cursor}' }
  const pages = connectorOf(
    upstream.origin,
    tool(cursor, {
      request: { ...get, query },
      pagination: { style: 'link', items: '' },
    }),
    rest,
  )
  for (const accessToken of [secret(), `${secret()}/+&"${secret()}~ =`, `1//0${secret()}`]) {
    const credential: Credential = { v: 1, kind: 'oauth2', accessToken, refreshToken: `${secret()}/+` }
    for (const [how, write] of Object.entries(WRITTEN))
      for (const [style, writeJson] of Object.entries(JSON_STYLES)) {
        const said = write(accessToken)
        const held = writeJson(JSON.stringify({ m: `a ${said} b`, c: said, [said]: { deep: ['', said] } }))
        const outcomes: string[] = []
        for (const status of [200, 400, 500]) {
          upstream.reply = () => ({ status, headers: { 'content-type': 'application/json' }, body: held })
          for (const connector of [picks, reads])
            outcomes.push(
              await run(connector, {}, { credential }).then(JSON.stringify, (error: Error) => error.message),
            )
        }
        const link = `<https://x.example/?page=${encodeURIComponent(said)}>; rel="next"`
        upstream.reply = () => ({ headers: { link }, body: [{}] })
        const { next_cursor } = (await run(pages, {}, { credential })).structuredContent as { next_cursor: string }
        outcomes.push(String(readCursor('sample__try_it', next_cursor).at))
        for (const outcome of outcomes) {
          const found = tracesOf(accessToken).filter(trace => outcome.includes(trace))
          if (found.length > 0 || !outcome.includes('redacted')) t.fail(`${how}, ${style}: ${outcome}`)
        }
      }
  }
})

t.test('a secret that a cut would halve is redacted before the cut', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const credential: Credential = { v: 1, kind: 'api_key', key: `${secret()}/${secret()}` }
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  for (const [status, longest] of [
    [200, 20_000],
    [400, 500],
  ] as const) {
    upstream.reply = () => ({
      status,
      body: { message: `${'x'.repeat(longest - 20)}${credential.key}${'y'.repeat(9)}` },
    })
    const outcome = await run(connector, {}, { credential }).then(JSON.stringify, (error: Error) => error.message)
    t.notMatch(outcome, credential.key.slice(0, 8))
  }
})

t.test('a code of the provider is one sanitized line of at most 100 characters', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const errors = { message: ['/message'], code: ['/name'] }
  const connector = connectorOf(upstream.origin, tool({}, { request: get }), { errors })
  for (const message of ['Refused.', undefined]) {
    upstream.reply = () => ({ status: 422, body: { name: `\u001b[2J${'A'.repeat(200_000)}`, message } })
    const error = await failureOf(run(connector))
    t.ok(error.message.length < 400, `${error.message.length} characters`)
    t.notMatch(error.message, /\p{Cc}/u)
  }
})

t.test('a hostile link header is parsed fast', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const cursor = { limit: Type.Integer({ default: 1 }), cursor: Type.Optional(Type.String()) }
  const connector = connectorOf(
    upstream.origin,
    tool(cursor, {
      request: { ...get, query: { n: '{limit}', page: '{cursor}' } },
      pagination: { style: 'link', items: '' },
    }),
  )
  for (const link of [`<a>;${' '.repeat(15_000)}x`, `<a>; rel="${'\\'.repeat(15_000)}`, '<a>;a='.repeat(2500)]) {
    upstream.reply = () => ({ headers: { link }, body: [] })
    t.ok((await longestWait(() => run(connector))) < 100, link.slice(0, 12))
  }
})
