import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse } from 'content-disposition'
import t, { type Test } from 'tap'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import { SERVER_LIMITS } from '../../plugins/connections/server-options.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import { artifactRoutes } from '../../routes/artifacts.ts'
import { createArtifacts } from '../../services/artifacts/artifacts.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'
import { signingKeysOf } from '../../services/artifacts/signed-url.ts'
import { checkAnswers } from '../fixtures/check-answers.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directoryOn, testIds } from '../fixtures/directory.ts'
import { bare, testClock } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'
import { untypedBytes } from '../fixtures/untyped-bytes.ts'

const ORIGIN = 'http://localhost'
const PAGE = 'https://app.example'

/** Shared by all tests: each has its own organizations. */
const { db } = await testDatabase(t)

async function fixture(t: Test) {
  const clock = testClock(Date.now())
  const directory = join(t.testdir(), '.data', 'artifacts')
  const signingKeys = signingKeysOf([{ id: 'v1', key: createSecretKey(randomBytes(32)) }])
  const artifacts = createArtifacts({ db, clock, ids: testIds(clock), store: createDiskStore(directory), signingKeys })
  const [ada, bob] = [
    (await directoryOn(db, clock).members('member'))[0],
    (await directoryOn(db, clock).members('member'))[0],
  ]
  const app = bare(t, { routerOptions: SERVER_LIMITS.routerOptions })
  checkAnswers(app)
  app.register(errorEnvelope)
  app.register(origin, {
    hosts: new PublicHosts(port => [ORIGIN, `http://127.0.0.1:${port}`]),
    corsOrigins: [PAGE],
    trustsProxy: false,
    hsts: false,
  })
  app.register(artifactRoutes, { artifacts, clock })
  await app.ready()
  const store = async (content: Buffer | string, name = 'file') => {
    const { orgId, userId } = ada
    const artifact = await artifacts.create({ orgId, userId, name, body: Readable.from([Buffer.from(content)]) })
    return { ...artifact, path: pathOf(artifacts.urlOf(artifact, ORIGIN)) }
  }
  const fetchPath = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers })
  return { app, artifacts, clock, directory, store, get: fetchPath, bob }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

t.test('a signed URL serves the file without a credential, and in a form that executes nothing', async t => {
  const { store, get, clock } = await fixture(t)
  const { path, expiresAt } = await store('<script>alert(1)</script>', 'page.html')
  clock.advance(3_600_000)
  const response = await get(path)
  t.equal(response.statusCode, 200)
  t.equal(response.body, '<script>alert(1)</script>')
  t.match(response.headers, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '25',
    'content-disposition': 'inline; filename=page.html',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': `private, max-age=${(expiresAt.getTime() - clock.now()) / 1000}`,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  })
  const head = await get(path, {}, 'HEAD')
  t.same([head.statusCode, head.body, head.headers['content-length']], [200, '', '25'])
  t.equal((await get((await store('')).path)).body, '', 'an empty file too')
})

t.test('pages of other origins cannot read it', async t => {
  const { app, store, get } = await fixture(t)
  const { path } = await store('text')
  t.equal((await get(path, { origin: PAGE })).headers['access-control-allow-origin'], undefined)
  const preflight = { origin: PAGE, 'access-control-request-method': 'GET' }
  const options = await app.inject({ method: 'OPTIONS', url: path, headers: preflight })
  t.equal(options.headers['access-control-allow-origin'], undefined)
  t.equal((await get(path, { origin: 'https://evil.example' })).statusCode, 403)
})

t.test('media and text are shown, everything else is downloaded, with a name that is safe in a header', async t => {
  const { store, get } = await fixture(t)
  const disposition = async (content: Buffer | string, name: string) =>
    String((await get((await store(content, name)).path)).headers['content-disposition'])
  for (const [content, type] of [
    [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'inline'],
    ['%PDF-1.7\n', 'inline'],
    ['RIFF\0\0\0\0WAVEfmt ', 'inline'],
    ['text', 'inline'],
    ['{"a":1}', 'attachment'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'attachment'],
    [Buffer.from('504b0304140000000000', 'hex'), 'attachment'],
    ['a\0b', 'attachment'],
  ] as const)
    t.equal(parse(await disposition(content, 'x')).type, type, `${content}`)

  for (const [name, header] of [
    ['plain.txt', 'inline; filename=plain.txt'],
    ['two words.txt', 'inline; filename="two words.txt"'],
    ['€ rates.txt', `inline; filename="? rates.txt"; filename*=UTF-8''%E2%82%AC%20rates.txt`],
    ['100%41.txt', `inline; filename=100%41.txt; filename*=UTF-8''100%2541.txt`],
    ['a"; filename=b.exe', 'inline; filename="a ; filename=b.exe"'],
    ['../../x\r\nSet-Cookie: a=b', 'inline; filename="x Set-Cookie a=b"'],
  ] as const)
    t.equal(await disposition('text', name), header)
})

t.test('ranges of a file are served', async t => {
  const { store, get } = await fixture(t)
  const bytes = untypedBytes(100_000)
  const { path } = await store(bytes)
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 99],
    ['bytes=99900-', 99_900, 99_999],
    ['bytes=-10', 99_990, 99_999],
    ['bytes=50000-999999', 50_000, 99_999],
  ] as const) {
    const part = await get(path, { range })
    t.equal(part.statusCode, 206)
    t.equal(part.headers['content-range'], `bytes ${from}-${to}/100000`)
    t.equal(part.headers['content-length'], `${to - from + 1}`)
    t.match(part.headers, { 'content-type': 'application/octet-stream', 'content-security-policy': /sandbox/ })
    t.ok(part.rawPayload.equals(bytes.subarray(from, to + 1)), range)
  }
  const head = await get(path, { range: 'bytes=0-99' }, 'HEAD')
  t.same([head.statusCode, head.headers['content-length'], head.body], [206, '100', ''])
  for (const range of ['bytes=0-1,5-6', 'items=0-1']) t.equal((await get(path, { range })).statusCode, 200)

  const beyond = await get(path, { range: 'bytes=100000-' })
  t.same([beyond.statusCode, beyond.headers['content-range'], beyond.body], [416, 'bytes */100000', ''])

  const { etag = '', 'last-modified': modified = '' } = (await get(path)).headers
  for (const same of [etag, modified].map(String)) {
    t.equal((await get(path, { range: 'bytes=0-9', 'if-range': same })).statusCode, 206)
  }
  for (const other of ['"other"', 'Mon, 01 Jan 2024 00:00:00 GMT']) {
    const whole = await get(path, { range: 'bytes=0-9', 'if-range': other })
    t.same([whole.statusCode, whole.rawPayload.length], [200, 100_000], 'the ranges of another file would not fit')
  }
  const unchanged = await get(path, { 'if-none-match': String(etag) })
  t.same([unchanged.statusCode, unchanged.body], [304, ''])
  const changed = await get(path, { 'if-match': '"other"' })
  t.same([changed.statusCode, changed.body], [412, ''])
})

t.test('every invalid URL and every missing file gives the same 404', async t => {
  const { app, artifacts, store, get, clock, directory, bob } = await fixture(t)
  const mine = await store('mine')
  const second = await store('second')
  const gone = await store('gone')
  rmSync(join(directory, gone.id))
  const unknown = { id: `art_${'0'.repeat(32)}`, orgId: mine.orgId, expiresAt: mine.expiresAt }
  const [path = '', query = ''] = mine.path.split('?')
  const expected = (await get('/artifacts/nothing')).body
  t.match(JSON.parse(expected), {
    error: { code: 'endpoint_not_found', message: /^This URL was altered or has expired/ },
  })
  const elsewhere = (await get('/nothing/here')).body
  const refused = async (url: string, what: string, body = expected) => {
    const response = await get(url, { range: 'bytes=0-1' })
    t.same([response.statusCode, response.body], [404, body], what)
    t.match(response.headers['content-type'], 'application/json')
    for (const name of ['content-disposition', 'accept-ranges', 'content-range', 'etag'])
      t.equal(response.headers[name], undefined)
  }
  await refused(path, 'no signature')
  await refused(`${mine.path}0`, 'another signature')
  await refused(`${path}?${query.split('&').toReversed().slice(1).join('&')}`, 'a parameter less')
  await refused(`${mine.path}&org=${mine.orgId}`, 'a parameter twice')
  await refused(mine.path.replace(mine.id, second.id), 'the URL of another file')
  await refused(pathOf(artifacts.urlOf({ ...mine, orgId: bob.orgId }, ORIGIN)), 'of another organization')
  await refused(pathOf(artifacts.urlOf(unknown, ORIGIN)), 'a file that never was')
  await refused(gone.path, 'a file whose bytes are gone')
  for (const id of ['.', '..%2f..%2fsecrets.json', `${mine.id}%00`, `${mine.id}%2f..`, `.%2f${mine.id}`])
    await refused(`/artifacts/${id}?${query}`, id)
  for (const id of ['..', '%2e%2e']) await refused(`/artifacts/${id}?${query}`, `${id} is another path`, elsewhere)
  await fc.assert(
    fc.asyncProperty(fc.nat(mine.path.length - 1), fc.constantFrom(...'aZ0_-./%&=?'), async (at, character) => {
      const url = `${mine.path.slice(0, at)}${character}${mine.path.slice(at + 1)}`
      fc.pre(url !== mine.path && url.startsWith('/'))
      const { statusCode, body } = await app.inject(url)
      return isDecodable(url) ? statusCode === 404 && (body === expected || body === elsewhere) : statusCode === 400
    }),
    { numRuns: 300 },
  )
  t.equal((await get(mine.path)).statusCode, 200)
  clock.advance(24 * 3_600_000)
  await refused(mine.path, 'a file that has expired')
})

t.test('an unreadable file is an internal error that does not reveal its path', async t => {
  const { store, get, directory } = await fixture(t)
  const { id, path } = await store('text')
  const file = join(directory, id)
  rmSync(file)
  symlinkSync(file, file)
  const response = await get(path)
  t.equal(response.statusCode, 500)
  t.match(response.json(), { error: { code: 'internal_error' } })
  t.notMatch(response.body, 'artifacts')
})

t.test('a client that disconnects leaves no file open', async t => {
  const { app, store } = await fixture(t)
  const { id, path } = await store(untypedBytes(20_000_000))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const closed = new Promise(resolve =>
    app.server.once('request', (_request, response) => response.once('close', resolve)),
  )
  await new Promise<void>(resolve => {
    const request = get({ host: '127.0.0.1', port, path }, response => {
      response.once('data', () => {
        request.destroy()
        resolve()
      })
      response.on('error', () => {})
    })
    request.on('error', () => {})
  })
  await closed
  // The test's own timeout ends what never closes.
  while (isOpen(id)) await new Promise(resolve => setImmediate(resolve))
  const again = await fetch(`http://127.0.0.1:${port}${path}`)
  t.equal((await again.arrayBuffer()).byteLength, 20_000_000)
})

/** Whether this process has a file with this name open; unknown without /proc. */
function isOpen(name: string): boolean {
  if (!existsSync('/proc/self/fd')) return false
  return readdirSync('/proc/self/fd').some(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes(name)
    } catch {
      return false
    }
  })
}

/** Whether the path of a URL is valid percent-encoding. */
function isDecodable(url: string): boolean {
  try {
    decodeURI(url.split('?')[0] ?? '')
    return true
  } catch {
    return false
  }
}
