import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { uploadRoutes } from '../../routes/artifacts.ts'
import { build } from '../fixtures/build.ts'
import { callerOfApp } from '../fixtures/journey-fixture.ts'

interface Offer {
  artifact: string
  upload_url: string
  command: string
  max_bytes: number
  expires_at: string
}

async function fixture(t: Test) {
  const dataDir = join(t.testdir(), 'data')
  const built = await build(t, { settings: { dataDir } })
  const [ada, bob] = await built.directory.members('member', 'member')
  const { key } = await ada.key()
  const { call } = callerOfApp(built, { 'x-api-key': key })
  const offer = async (more: object = {}) =>
    (await call('files__upload', { file_name: 'report.csv', ...more })).data as unknown as Offer
  const put = (url: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
    built.app.inject({ method: 'PUT', url: pathOf(url), payload, headers })
  const stored = join(dataDir, 'artifacts')
  const files = () => (existsSync(stored) ? readdirSync(stored) : [])
  const find = (id: string, { orgId, userId } = ada) => built.services.artifacts.find({ orgId, userId }, id)
  return { ...built, ada, bob, call, offer, put, files, find }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Sends the beginning of a body, then waits or disconnects. */
function begin(url: string, sent: Buffer, headers: Record<string, string | number>) {
  const sending = request(url, { method: 'PUT', headers })
  sending.on('error', () => {})
  sending.write(sent)
  const answer = new Promise<IncomingMessage>(resolve => sending.once('response', resolve))
  return { sending, answer }
}

t.test('files__upload offers a URL, and its file is the member’s artifact', async t => {
  const { app, clock, offer, put, find, bob } = await fixture(t)
  const offered = await offer({ file_name: "../it's.csv", media_type: 'text/csv' })
  t.match(offered, {
    artifact: /^art_[0-9a-f]{32}$/,
    upload_url: /^http:\/\/localhost\/artifacts\/art_[0-9a-f]{32}\?upload=[\w-]+&key=[\w-]+&signature=[\w-]{43}$/,
    method: 'PUT',
    max_bytes: 2 * 1024 ** 3,
    expires_at: new Date(clock.now() + 900_000).toISOString(),
  })
  t.equal(offered.command, `curl --fail-with-body --upload-file './it'\\''s.csv' '${offered.upload_url}'`)
  t.equal(await find(offered.artifact), undefined, 'it is not usable before it is complete')

  const response = await put(offered.upload_url, 'a,b\n1,2\n', { 'content-type': 'application/pdf' })
  t.equal(response.statusCode, 201)
  const answer = response.json()
  t.match(answer, { artifact: offered.artifact, name: "it's.csv", media_type: 'text/csv', bytes: 8 })
  const served = await app.inject(pathOf(answer.url))
  t.equal(served.body, 'a,b\n1,2\n')
  t.match(served.headers['content-type'], 'text/csv')
  t.match(await find(offered.artifact), { name: "it's.csv", bytes: 8 })
  t.equal(await find(offered.artifact, bob), undefined, 'an ID is nothing to another member')
  t.equal((await app.inject(pathOf(offered.upload_url))).statusCode, 404, 'the URL does not download')
  t.equal((await put(answer.url, 'x')).statusCode, 404, 'and the other one does not upload')
})

t.test('the type is that of the content; the given one only tells kinds of text apart', async t => {
  const { offer, put } = await fixture(t)
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  for (const [content, given, type] of [
    ['# Title', 'text/markdown', 'text/markdown'],
    ['plain', 'application/pdf', 'text/plain'],
    ['<script>alert(1)</script>', 'text/html', 'text/plain'],
    ['alert(1)', 'text/javascript', 'text/plain'],
    [png, 'text/csv', 'image/png'],
    ['{"a":1}', 'text/csv', 'application/json'],
    ['', undefined, 'text/plain'],
  ] as const) {
    const { upload_url } = await offer(given === undefined ? {} : { media_type: given })
    t.equal((await put(upload_url, Buffer.from(content))).json().media_type, type, `${content}`)
  }
})

t.test('a URL works once, until it expires, unchanged, and for its size', async t => {
  const { clock, offer, put, files, find } = await fixture(t)
  const { upload_url: url, artifact } = await offer({ max_bytes: 10 })
  t.equal((await put(url, 'x'.repeat(11))).statusCode, 413)
  t.equal((await put(url, '0123456789')).statusCode, 201)
  const again = await put(url, 'other')
  t.match([again.statusCode, again.json().error.code], [409, 'upload_completed'])
  t.equal((await find(artifact))?.bytes, 10)
  t.equal(files().length, 1)

  const other = await offer()
  const nothing = (await put('http://localhost/artifacts/nothing', 'x')).body
  t.match(JSON.parse(nothing).error.message, /Request another one with files__upload/)
  const refused = async (url: string, what: string) => {
    const response = await put(url, 'x')
    t.match([response.statusCode, response.body], [404, nothing], what)
  }
  const { upload_url } = other
  for (const name of ['upload', 'key', 'signature']) {
    const changed = new URL(upload_url)
    changed.searchParams.delete(name)
    await refused(changed.href, `without ${name}`)
    changed.searchParams.set(name, new URL(url).searchParams.get(name) ?? '')
    if (name !== 'key') await refused(changed.href, `${name} of another URL`)
    await refused(`${upload_url}&${name}=x`, `${name} twice`)
  }
  await refused(upload_url.replace(other.artifact, artifact), 'the ID of another file')
  await refused(`${upload_url}A`, 'a longer signature')
  clock.advance(15 * 60_000)
  await refused(upload_url, 'expired')
})

t.test('two uploads of one URL at a time make one file', async t => {
  const { app, offer, files, find } = await fixture(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { upload_url, artifact } = await offer()
  const bodies = [1, 2].map(byte => Buffer.alloc(200_000, byte))
  const path = pathOf(upload_url)
  const answers = await Promise.all(bodies.map(payload => app.inject({ method: 'PUT', url: path, payload })))
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [201, 409])
  t.equal(files().length, 1)
  const whole = await app.inject(pathOf(answers.find(({ statusCode }) => statusCode === 201)?.json().url))
  t.ok(bodies.some(body => body.equals(whole.rawPayload)))
  t.ok(await find(artifact))
})

t.test('an aborted upload leaves nothing, and the URL works again until it succeeds', async t => {
  const { app, offer, files, find, services, ada } = await fixture(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { upload_url, artifact } = await offer()
  const url = origin + pathOf(upload_url)
  for (const headers of [{ 'content-length': 1_000_000 }, { 'transfer-encoding': 'chunked' }]) {
    const { sending } = begin(url, randomBytes(100_000), headers)
    while (!files().some(name => name.endsWith('.part'))) await new Promise(resolve => setImmediate(resolve))
    sending.destroy()
    while (files().length > 0) await new Promise(resolve => setImmediate(resolve))
    t.equal(await find(artifact), undefined)
  }
  const response = await fetch(url, { method: 'PUT', body: randomBytes(2_000_000) })
  t.equal(response.status, 201)
  t.equal((await find(artifact))?.bytes, 2_000_000)
  await services.artifacts.requireSpace(ada.orgId)
})

t.test('a silent client gets 408, and an upload may take longer than other requests', async t => {
  const { services, offer, find } = await fixture(t)
  const { bare } = await import('../fixtures/fixture.ts')
  const { answerClientError } = await import('../../plugins/connections/server-options.ts')
  const { default: errorEnvelope } = await import('../../plugins/error-envelope/plugin.ts')
  const { default: origin } = await import('../../plugins/origin/plugin.ts')
  const { PublicHosts } = await import('../../lib/http/public-hosts.ts')
  const limits: object = {
    requestTimeout: 300,
    keepAliveTimeout: 100,
    http: { connectionsCheckingInterval: 50, headersTimeout: 200 },
    clientErrorHandler: answerClientError,
  }
  const app = bare(t, limits)
  app.register(errorEnvelope)
  const hosts = new PublicHosts(port => [`http://127.0.0.1:${port}`])
  app.register(origin, { hosts, corsOrigins: [], trustsProxy: false, hsts: false })
  app.register(uploadRoutes, { ...services, idleMs: 1_000 })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })

  const slow = await offer()
  const { sending, answer } = begin(address + pathOf(slow.upload_url), randomBytes(1_000), { 'content-length': 1_500 })
  for (let sent = 0; sent < 5; sent++) {
    await new Promise(resolve => setTimeout(resolve, 150))
    sending.write(randomBytes(100))
  }
  sending.end()
  t.equal((await answer).statusCode, 201)
  t.equal((await find(slow.artifact))?.bytes, 1_500)

  const silent = await offer()
  const stalled = begin(address + pathOf(silent.upload_url), randomBytes(1_000), { 'content-length': 1_500 })
  const refused = await stalled.answer
  t.match([refused.statusCode, await text(refused)], [408, /sent nothing for 1 s.*still works/])
  t.equal(await find(silent.artifact), undefined)
})

t.test('an organization has a limited number of uploads per minute and at a time', async t => {
  const { app, offer, files } = await fixture(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const begun = []
  for (let i = 0; i < 16; i++) {
    const { upload_url } = await offer()
    begun.push(begin(origin + pathOf(upload_url), Buffer.alloc(10), { 'content-length': 20 }))
  }
  const { upload_url } = await offer()
  const path = pathOf(upload_url)
  // The test's own timeout ends what never happens.
  while (files().length < begun.length) await new Promise(resolve => setImmediate(resolve))
  const busy = await app.inject({ method: 'PUT', url: path, payload: 'x' })
  t.match([busy.statusCode, busy.body], [429, /16 uploads in progress/])
  for (const { sending } of begun) sending.end(Buffer.alloc(10))
  for (const { answer } of begun) t.equal((await answer).statusCode, 201)
  t.equal((await app.inject({ method: 'PUT', url: pathOf((await offer()).upload_url), payload: 'x' })).statusCode, 201)
  let last = busy
  for (let i = 0; i < 140 && !/per minute/.test(last.body); i++)
    last = await app.inject({ method: 'PUT', url: path, payload: 'x' })
  t.match([last.statusCode, last.body], [429, /the limit is 120 per minute and organization/])
})
