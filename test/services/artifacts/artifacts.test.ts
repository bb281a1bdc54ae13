import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type KeyRing, parseVaultKeys } from '../../../lib/configuration/key-ring.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { fileName } from '../../../services/artifacts/artifact.ts'
import { type ArtifactsOptions, createArtifacts } from '../../../services/artifacts/artifacts.ts'
import { createDiskStore } from '../../../services/artifacts/disk-store.ts'
import { defineArtifactExpiry } from '../../../services/artifacts/expiry.ts'
import { signingKeysOf } from '../../../services/artifacts/signed-url.ts'
import { anyText } from '../../fixtures/any-text.ts'
import { silent, testDatabase } from '../../fixtures/database.ts'
import { directoryOn, testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import fc from '../../fixtures/property.ts'
import { untypedBytes } from '../../fixtures/untyped-bytes.ts'

const ORIGIN = 'https://gateway.example'
const HOUR = 3_600_000

/** Vault keys with these IDs. */
function vaultKeys(...ids: string[]): KeyRing {
  return parseVaultKeys(ids.map(id => `${id}:${randomBytes(32).toString('base64')}`).join(','))
}

/** Shared by the tests that run no job, because a job removes expired artifacts of every organization. */
const { db: shared } = await testDatabase(t)

async function fixture(t: Test, { db = shared, ...overrides }: Partial<ArtifactsOptions> = {}) {
  const clock = testClock(Date.now())
  const directory = join(t.testdir(), 'artifacts')
  const ids = testIds(clock)
  const options = {
    db,
    clock,
    ids,
    store: createDiskStore(directory),
    signingKeys: signingKeysOf(vaultKeys('v1')),
    ...overrides,
  }
  const artifacts = createArtifacts(options)
  const jobs = createJobs({ db, clock, ids, log: silent, scrub: text => text, owner: 'test' })
  defineArtifactExpiry(jobs, { db, clock, store: createDiskStore(directory) })
  const [ada] = await directoryOn(db, clock).members('member')
  const { orgId, userId } = ada
  const create = (body: Readable | Buffer | string, name = 'file', signal?: AbortSignal) =>
    artifacts.create({
      orgId,
      userId,
      name,
      body: body instanceof Readable ? body : Readable.from([Buffer.from(body)]),
      ...(signal && { signal }),
    })
  const rows = () => forOrg(db, orgId).selectFrom('artifacts').selectAll().execute()
  const files = () => (existsSync(directory) ? readdirSync(directory) : [])
  return {
    db,
    clock,
    options,
    artifacts,
    jobs,
    directory,
    orgId,
    userId,
    create,
    rows,
    files,
    other: directoryOn(db, clock),
  }
}

/** A separate database for one test. */
async function own(t: Test) {
  const { db } = await testDatabase(t)
  return { db }
}

/** The ID and the query of a URL, as a route receives them. */
function partsOf(url: string): [id: string, query: Record<string, string>] {
  const { pathname, searchParams } = new URL(url)
  return [pathname.replace('/artifacts/', ''), Object.fromEntries(searchParams)]
}

t.test('a stream becomes a file that only its owner can read, and its URL serves it', async t => {
  const { artifacts, create, clock, directory, rows, files, orgId } = await fixture(t)
  const chunks = Array.from({ length: 40 }, () => untypedBytes(5_000))
  const artifact = await create(Readable.from(chunks), 'data.bin')
  t.match(artifact, { orgId, name: 'data.bin', mediaType: 'application/octet-stream', bytes: 200_000 })
  t.equal(artifact.expiresAt.getTime(), clock.now() + 24 * HOUR)
  const url = artifacts.urlOf(artifact, ORIGIN)
  t.match(
    url,
    /^https:\/\/gateway\.example\/artifacts\/art_[0-9a-f]{32}\?org=org_\w+&expires=\d+&key=v1&signature=[\w-]{43}$/,
  )
  const opened = await artifacts.open(...partsOf(url))
  t.match(opened, artifact)
  const path = join(directory, artifact.id)
  t.ok(readFileSync(path).equals(Buffer.concat(chunks)))
  t.ok((await buffer((await artifacts.read(artifact)) ?? Readable.from([]))).equals(Buffer.concat(chunks)))
  t.same(files(), [artifact.id])
  t.equal(statSync(directory).mode & 0o777, 0o700)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.match(await rows(), [{ id: artifact.id, bytes: 200_000, media_type: 'application/octet-stream' }])
})

t.test('a file has the type of its content, whatever its name', async t => {
  const { create } = await fixture(t)
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const cases: [content: Buffer | string, mediaType: string][] = [
    [png, 'image/png'],
    ['%PDF-1.7\n', 'application/pdf'],
    ['', 'text/plain'],
    ['Grüße, 世界\n\u001b[1mbold', 'text/plain'],
    [`${'ü'.repeat(40_000)}`, 'text/plain'],
    [`a${'世'.repeat(40_000)}`, 'text/plain'],
    ['<!doctype html><script>alert(1)</script>', 'text/plain'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'text/plain'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'application/xml'],
    [' {"a": [1, 2]}\n', 'application/json'],
    ['[]', 'application/json'],
    [JSON.stringify({ a: 'x'.repeat(100_000) }), 'application/json'],
    [JSON.stringify([{ a: 'x'.repeat(100_000) }]), 'application/json'],
    ['{"a": ', 'text/plain'],
    ['"text"', 'text/plain'],
    [`[link](${'x'.repeat(100_000)})`, 'text/plain'],
    [Buffer.from([0x61, 0xff, 0x62]), 'application/octet-stream'],
    ['a\0b', 'application/octet-stream'],
    [untypedBytes(70_000), 'application/octet-stream'],
  ]
  for (const [content, mediaType] of cases) {
    const artifact = await create(content, 'page.html')
    t.equal(artifact.mediaType, mediaType, `${content.slice(0, 20)}`)
    t.equal(artifact.bytes, Buffer.byteLength(content))
  }
})

t.test('a file larger than the limit is rejected, and nothing of it is left', async t => {
  const { create, files, rows } = await fixture(t, { maxBytes: 10_000 })
  t.equal((await create(Buffer.alloc(10_000))).bytes, 10_000)
  const [kept] = files()
  let given = 0
  const endless = new Readable({
    read() {
      given += 1_000
      this.push(Buffer.alloc(1_000))
    },
  })
  await t.rejects(create(endless), { code: 'invalid_request', message: /larger than the limit of 10000 bytes/ })
  t.ok(endless.destroyed, 'its source is destroyed')
  t.ok(given < 100_000, 'and is not read to its end')
  t.same(files(), [kept])
  t.equal((await rows()).length, 1)
})

t.test('an organization’s stored files are limited: more is rejected before and during the transfer', async t => {
  const KIB = 1024
  const { create, artifacts, clock, files, rows, other, jobs } = await fixture(t, {
    ...(await own(t)),
    maxOrgBytes: 512 * KIB,
  })
  const refused = {
    code: 'quota_exceeded',
    message: /files of your organization have reached their limit of 524288 bytes.*expire/,
  }
  await create(Buffer.alloc(200 * KIB))
  await create('one byte counts as a file does')
  let given = 0
  const endless = new Readable({
    read() {
      given += KIB
      this.push(Buffer.alloc(KIB))
    },
  })
  await t.rejects(create(endless), refused)
  t.ok(endless.destroyed)
  t.ok(given < 400 * KIB, 'and is not read to its end')
  const both = await Promise.allSettled([1, 2].map(() => create(Buffer.alloc(150 * KIB))))
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'one of two concurrent files fits')
  await create(Buffer.alloc(90 * KIB))
  const unread = Readable.from([Buffer.alloc(1)])
  await t.rejects(create(unread), refused)
  t.ok(unread.destroyed)
  t.equal((await rows()).length, 4)
  t.equal(files().length, 4, 'nothing of it is left')

  const [bob] = await other.members('member')
  const { orgId, userId } = bob
  t.ok(
    await artifacts.create({ orgId, userId, name: 'theirs', body: Readable.from(['x']) }),
    'another organization has its own quota',
  )
  const space = 512 * KIB - 64 * KIB
  await artifacts.requireStorage(orgId, space)
  await t.rejects(
    artifacts.requireStorage(orgId, space + 1),
    { code: 'quota_exceeded' },
    'work needs space for its result',
  )
  const paid = { orgId, userId, name: 'paid', body: Readable.from([Buffer.alloc(600 * KIB)]), paid: true }
  t.match(await artifacts.create(paid), { bytes: 600 * KIB }, 'a paid file is stored anyway')
  await t.rejects(artifacts.requireSpace(orgId), { code: 'quota_exceeded' }, 'and counts')
  clock.advance(24 * HOUR)
  t.ok(await create(Buffer.alloc(400 * KIB)), 'expired files do not count, removed or not')
  await jobs.runDue()
  t.equal((await rows()).length, 1)
})

t.test('a failing stream, an abort and a rejected row leave nothing behind', async t => {
  const { db, create, artifacts, files, rows, orgId, directory } = await fixture(t)
  const failing = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000)
        throw new Error('the provider hung up')
      })(),
    )
  await t.rejects(create(failing()), { message: 'the provider hung up' })

  const failed = new Readable({ read() {} })
  failed.destroy(new Error('failed before'))
  await t.rejects(create(failed), 'a stream that has already failed')

  const controller = new AbortController()
  const stalled = new Readable({ read() {} })
  stalled.push(Buffer.alloc(1_000))
  const waiting = create(stalled, 'file', controller.signal)
  setImmediate(() => controller.abort(new Error('given up')))
  await t.rejects(waiting, { message: 'given up' })
  t.ok(stalled.destroyed)
  await t.rejects(create('late', 'file', controller.signal), { message: 'given up' })

  const body = () => Readable.from([Buffer.from('x')])
  await t.rejects(artifacts.create({ orgId, userId: 'usr_nobody', name: 'x', body: body() }))
  t.same(files(), [])
  t.same(await rows(), [])

  const taken = join(directory, 'taken')
  writeFileSync(taken, '')
  const refused = createArtifacts({
    db,
    clock: testClock(),
    ids: testIds(testClock()),
    store: createDiskStore(taken),
    signingKeys: signingKeysOf(vaultKeys('v1')),
  })
  const unread = body()
  await t.rejects(refused.create({ orgId, userId: 'usr_x', name: 'x', body: unread }))
  t.ok(unread.destroyed)
})

t.test('a commit of the caller decides whether the file is kept: with its row, or not at all', async t => {
  const { db, artifacts, files, rows, orgId, userId } = await fixture(t)
  const mine = () => ({ orgId, userId, name: 'x', body: Readable.from(['x']) })

  const kept = await artifacts.create(mine(), insert => db.transaction().execute(trx => insert(trx)))
  t.match(await rows(), [{ id: kept.id, user_id: userId }])
  t.same(files(), [kept.id])

  const rolledBack = artifacts.create(mine(), insert =>
    db.transaction().execute(async trx => {
      await insert(trx)
      throw new Error('the charge failed')
    }),
  )
  await t.rejects(rolledBack, { message: 'the charge failed' })
  t.equal((await rows()).length, 1)
  t.same(files(), [kept.id], 'the file of a row that was rolled back is removed')
  await t.rejects(
    artifacts.create(mine(), async () => {
      throw new Error('never inserted')
    }),
    { message: 'never inserted' },
  )
  t.same(files(), [kept.id])
})

t.test('a URL with any changed part is invalid', async t => {
  const { artifacts, create, options, db, clock, other } = await fixture(t)
  const mine = await create('mine')
  const second = await create('second')
  const [bob] = await other.members('member')
  const url = artifacts.urlOf(mine, ORIGIN)
  const [id, query] = partsOf(url)
  const foreign = partsOf(artifacts.urlOf({ ...second, orgId: bob.orgId }, ORIGIN))
  t.ok(await artifacts.open(id, query))
  t.equal(await artifacts.open(...foreign), undefined, 'another organization’s, correctly signed')
  let lookups = 0
  const counted = createArtifacts({
    ...options,
    db: new Proxy(db, {
      get(target, name) {
        lookups += 1
        return Reflect.get(target, name)
      },
    }),
  })
  const refused = async (id: string, query: Record<string, unknown>) =>
    t.equal(await counted.open(id, query), undefined, JSON.stringify([id, query]))

  for (const other of [second.id, id.toUpperCase(), `${id}0`, '../../secrets.json', `${id}/../${second.id}`, '', '.'])
    await refused(other, query)
  for (const name of Object.keys(query)) {
    await refused(id, { ...query, [name]: undefined })
    await refused(id, { ...query, [name]: '' })
    await refused(id, { ...query, [name]: [query[name], query[name]] })
    await refused(id, { ...query, [name]: foreign[1][name] === query[name] ? 'x' : foreign[1][name] })
  }
  for (const expires of [`0${query.expires}`, `${query.expires}.0`, `+${query.expires}`, ' ', '9'.repeat(30)])
    await refused(id, { ...query, expires })
  // The last of 43 characters has two bits that decoders ignore.
  const last = query.signature?.at(-1) ?? ''
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    if (character !== last) await refused(id, { ...query, signature: `${query.signature?.slice(0, -1)}${character}` })

  const changed = fc.tuple(
    fc.constantFrom('id', ...Object.keys(query)),
    fc.nat(60),
    fc.string({ minLength: 1, maxLength: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(changed, async ([name, at, text]) => {
      const parts: Record<string, string> = { id, ...query }
      const value = parts[name] ?? ''
      parts[name] = value.slice(0, at) + text + value.slice(at + text.length)
      fc.pre(parts[name] !== value)
      const { id: changedId = '', ...changedQuery } = parts
      return (await counted.open(changedId, changedQuery)) === undefined
    }),
    { numRuns: 500 },
  )
  t.equal(lookups, 0, 'without a query to the database')
  clock.advance(24 * HOUR)
  await refused(id, query)
})

t.test('a URL works until its file expires, with every key of the ring', async t => {
  const { options, artifacts, create, clock } = await fixture(t)
  const old = vaultKeys('v1')
  const newer = vaultKeys('v2')
  const on = (ring: KeyRing) => createArtifacts({ ...options, signingKeys: signingKeysOf(ring) })
  const artifact = await create('text')
  const url = partsOf(on(old).urlOf(artifact, ORIGIN))
  t.ok(await on(old).open(...url))
  t.ok(await on([newer[0], ...old]).open(...url), 'the key that signed it is now the second')
  t.equal(await on(newer).open(...url), undefined, 'a removed key')
  t.equal(await on([{ ...newer[0], id: 'v1' }]).open(...url), undefined, 'another key with this ID')
  t.match(on([newer[0], ...old]).urlOf(artifact, ORIGIN), 'key=v2', 'the first key signs')
  t.not(partsOf(on(old).urlOf(artifact, ORIGIN))[1].signature, partsOf(artifacts.urlOf(artifact, ORIGIN))[1].signature)

  const long = createArtifacts({ ...options, keepMs: 48 * HOUR })
  const forever = partsOf(artifacts.urlOf({ ...artifact, expiresAt: new Date(clock.now() + 100 * HOUR) }, ORIGIN))
  t.ok(await artifacts.open(...forever))
  clock.advance(24 * HOUR - 1_000)
  t.ok(await artifacts.open(...partsOf(artifacts.urlOf(artifact, ORIGIN))))
  clock.advance(1_000)
  t.equal(await artifacts.open(...partsOf(artifacts.urlOf(artifact, ORIGIN))), undefined)
  t.equal(await long.open(...forever), undefined, 'the signature does not outlive the file')
})

t.test('expired artifacts are removed, row and file, and nothing else', async t => {
  const { artifacts, create, clock, jobs, directory, files, rows } = await fixture(t, await own(t))
  await jobs.runDue()
  t.notOk(existsSync(directory), 'an unused store is empty')
  const first = await create('first')
  mkdirSync(join(directory, 'art_directory'))
  writeFileSync(join(directory, 'README'), 'not ours')
  utimesSync(join(directory, 'README'), 0, 0)
  clock.advance(2 * HOUR)
  const second = await create('second')
  clock.advance(22 * HOUR)
  await jobs.runDue()
  t.same(files().toSorted(), ['README', 'art_directory', second.id].toSorted())
  t.match(await rows(), [{ id: second.id }])
  t.equal(await artifacts.open(...partsOf(artifacts.urlOf(first, ORIGIN))), undefined)
  t.ok(await artifacts.open(...partsOf(artifacts.urlOf(second, ORIGIN))))
})

t.test('files left by a crash are removed a day later, and files with a row stay', async t => {
  const { create, clock, jobs, directory, files, db, options } = await fixture(t, await own(t))
  const long = createArtifacts({ ...options, keepMs: 100 * HOUR })
  const { orgId, userId } = (await directoryOn(db, clock).members('member'))[0]
  const kept = await long.create({ orgId, userId, name: 'kept', body: Readable.from(['kept']) })
  const strays = [`art_${'a'.repeat(32)}`, `art_${'b'.repeat(32)}.part`]
  for (const name of strays) writeFileSync(join(directory, name), 'half')
  await create('short')
  await jobs.runDue()
  t.equal(files().length, 4, 'they may still be written')
  clock.advance(25 * HOUR)
  await jobs.runDue()
  t.same(files(), [kept.id])
})

t.test('one run removes more than one batch', async t => {
  const { db, clock, jobs, orgId, rows, create } = await fixture(t, await own(t))
  const one = await create('x')
  const [made] = await rows()
  await forOrg(db, orgId)
    .insertInto(
      'artifacts',
      Array.from({ length: 1_100 }, (_, i) => ({
        id: `art_${String(i).padStart(32, '0')}`,
        user_id: made?.user_id ?? '',
        name: 'x',
        media_type: 'text/plain',
        bytes: 1,
        created_at: one.expiresAt,
        expires_at: new Date(clock.now()),
      })),
    )
    .execute()
  await jobs.runDue()
  t.match(await rows(), [{ id: one.id }])
})

t.test('a file gets a name that is valid on every system', async t => {
  for (const [name, expected] of [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['dir/', 'dir'],
    ['a\r\nSet-Cookie: x=1', 'a Set-Cookie x=1'],
    ['nul\0byte.txt', 'nul byte.txt'],
    ['evil\u202Egpj.exe', 'evil gpj.exe'],
    ['  .hidden. ', 'hidden'],
    ['../..', 'file'],
    ['', 'file'],
    ['Übersicht 世界 👩‍👧.txt', 'Übersicht 世界 👩‍👧.txt'],
    ['"quoted"<b>.html', 'quoted b .html'],
    [`${'x'.repeat(300)}.tar.gz`, `${'x'.repeat(117)}.gz`],
    ['\uD800alone', '\uFFFDalone'],
  ] as const)
    t.equal(fileName(name), expected)
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), name => {
      const safe = fileName(name)
      t.ok(safe.length > 0 && safe.length <= 120 && safe.isWellFormed() && !/[\p{Cc}/\\]/u.test(safe), safe)
    }),
    { numRuns: 200 },
  )
})
