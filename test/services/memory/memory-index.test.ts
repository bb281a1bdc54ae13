import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { type OpenDatabase, openDatabase } from '../../../lib/database/open-database.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { createMemoryStore } from '../../../services/memory/memory-store.ts'
import { rankMemories } from '../../../services/memory/rank-memories.ts'
import { defineMemoryIndex } from '../../../services/memory/search-index.ts'
import { searchVector } from '../../../services/memory/search-text.ts'
import { silent, testDatabase, testDatabaseUrl, testPostgres } from '../../fixtures/database.ts'
import { directoryOn, type TestMember, testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import fc from '../../fixtures/property.ts'
import { MEMORY_LIMITS } from '../../fixtures/settings.ts'
import { until } from '../../fixtures/until.ts'

// Embedded database: its full-text search and its indexes.

const HOUR = 3_600_000
const INDEX = 'memories_search_by_org'
const isEmbedded = testDatabaseUrl === undefined
const skip = isEmbedded && 'the embedded database has one connection; set TEST_DATABASE_URL'

async function fixture(t: Test, opened?: OpenDatabase) {
  const database = opened ?? (await testDatabase(t))
  const { db } = database
  const clock = testClock()
  const ids = testIds(clock)
  const [ada, bob] = await directoryOn(db, clock).members('member', 'member')
  const runner = (owner = 'one') => {
    const jobs = createJobs({ db, clock, ids, log: silent, scrub: text => text, owner })
    defineMemoryIndex(jobs, database)
    return jobs
  }
  const store = createMemoryStore({ db, clock, ids, limits: MEMORY_LIMITS })
  return {
    database,
    db,
    clock,
    ada,
    bob,
    store,
    runner,
    async runHourLater() {
      clock.advance(HOUR)
      await runner().runDue()
    },
    search: async ({ caller }: TestMember, query: string) =>
      (await store.search(caller, query, { limit: 50 })).map(({ memory }) => memory),
    /** The indexes of search words and whether they are valid. */
    async indexes(): Promise<Record<string, boolean>> {
      const { rows } = await sql<{ name: string; valid: boolean }>`
        select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
        where relname like 'memories_search%' order by relname`.execute(db)
      return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]))
    },
  }
}

/** Adds memories of a member, which are made from a few words so that many match. */
async function addMemories({ db }: OpenDatabase, { orgId, userId }: TestMember, texts: readonly string[]) {
  const vectors = texts.map(searchVector)
  const scopes = texts.map((_, i) => (i % 3 === 0 ? 'shared' : 'private'))
  await sql`insert into memories (org_id, id, user_id, scope, memory, search, created_at, updated_at)
    select ${orgId}, 'mem_' || md5(${userId} || number), ${userId}, scope, memory, search::tsvector, now(),
      timestamptz '2026-01-01' + (number % 7) * interval '1 day'
    from unnest(${texts}::text[], ${vectors}::text[], ${scopes}::text[])
      with ordinality as added (memory, search, scope, number)`.execute(db)
}

const WORDS = ['the', 'plan', 'plans', 'planet', 'server', 'servers', 'sever', 'deploy', 'Größe', '密码', 'пароль', 'x']

/** Texts in which the first words are the most frequent, as in a language. */
function madeTexts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const words = WORDS.filter((_, rank) => (i * 7919 + rank * 104_729) % (rank * 3 + 1) === 0)
    return `${words.join(' ')} note${i % 97} ${i}`
  })
}

t.test('the job builds the index by organization, and drops the old index an hour later', async t => {
  const { indexes, runner, runHourLater, ada, store, search, clock } = await fixture(t)
  t.same(await indexes(), { memories_search: true })
  await store.remember(ada.caller, 'remembered before the build', 'private')
  t.same(await search(ada, 'remembered'), ['remembered before the build'])

  await runner().runDue()
  t.same(await indexes(), { memories_search: true, [INDEX]: true })
  clock.advance(1)
  await store.remember(ada.caller, 'remembered after the build', 'private')
  const both = ['remembered after the build', 'remembered before the build']
  t.same(await search(ada, 'remembered'), both, 'a process that does not know yet uses the old index')
  clock.advance(30_000)
  t.same(await search(ada, 'remembered'), both)

  await runHourLater()
  t.same(await indexes(), { [INDEX]: true })
  t.same(await search(ada, 'rememberde'), both)
  await runHourLater()
  t.same(await indexes(), { [INDEX]: true }, 'nothing is left to do')
})

t.test('searches give the same results with either index', async t => {
  const { database, db, ada, bob, runner, runHourLater } = await fixture(t)
  const texts = madeTexts(isEmbedded ? 700 : 3_300)
  await addMemories(database, ada, texts)
  await addMemories(database, bob, texts.slice(0, 300))
  const [eve] = await directoryOn(db, testClock()).members('owner')
  await addMemories(database, eve, texts.slice(0, 400))

  const word = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 2, arbitrary: fc.nat(96).map(number => `note${number}`) },
    { weight: 1, arbitrary: fc.constantFrom('plna', 'srever', 'serv', 'deploi', 'nothing', '密', 'note') },
  )
  const search = fc.record({
    member: fc.constantFrom(ada, bob, eve),
    query: fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' ')),
    scope: fc.constantFrom(undefined, 'shared' as const, 'private' as const),
    limit: fc.constantFrom(1, 10, 50),
  })
  const samples = fc.sample(search, isEmbedded ? 40 : 60)
  const results = (hasIndex: boolean) =>
    Promise.all(
      samples.map(({ member, query, scope, limit }) =>
        rankMemories(forOrg(db, member.orgId), { userId: member.userId, scope }, { query, limit, hasIndex }),
      ),
    )
  const before = await results(false)
  await runner().runDue()
  t.same(await results(true), before, 'beside the old index')
  await runHourLater()
  t.same(await results(true), before, 'after the old index is gone')
  t.same(await results(false), before, 'in a process that does not use the new index')
  t.ok(before.filter(found => found.length > 0).length > samples.length / 2)
})

t.test('the longest memories fit into the index', async t => {
  const { ada, runner, clock, store, search } = await fixture(t)
  const letters = (from: number, count: number) =>
    Array.from({ length: 16_000 }, (_, i) => String.fromCodePoint(from + ((i * 7919) % count))).join('')
  await store.remember(ada.caller, letters(0x4e00, 20_000), 'private')
  await runner().runDue()
  clock.advance(HOUR)
  await store.remember(ada.caller, letters(0xac00, 11_000), 'private')
  await store.remember(ada.caller, Array.from(letters(0xa000, 1_100)).join(' ').slice(0, 16_000), 'private')
  t.equal((await search(ada, letters(0x4e00, 20_000).slice(700, 706))).length, 1)
  t.equal((await search(ada, letters(0xac00, 11_000).slice(700, 706))).length, 1)
})

t.test('an incomplete index is built again, and searches use the old one meanwhile', { skip }, async t => {
  const { database, db, ada, indexes, runner, search, store, clock } = await fixture(t)
  await addMemories(database, ada, madeTexts(300))
  await killBuild(t, database)
  t.same(await indexes(), { memories_search: true, [INDEX]: false })
  await store.remember(ada.caller, 'remembered meanwhile', 'private')
  t.same(await search(ada, 'remembered'), ['remembered meanwhile'])
  await runner().runDue()
  t.same(await indexes(), { memories_search: true, [INDEX]: true })
  clock.advance(HOUR)
  t.same(await search(ada, 'remembered'), ['remembered meanwhile'])
  const { rows } = await sql<{ kind: string; last_error: string | null }>`select kind, last_error from jobs`.execute(db)
  t.same(rows, [{ kind: 'memories.search_index', last_error: null }])
})

t.test('while one connection builds the index, others neither wait nor drop it', { skip }, async t => {
  const { database, indexes, runner, runHourLater } = await fixture(t)
  const end = new AbortController()
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const building = database.onDirectConnection(async db => {
    await sql`select pg_advisory_lock(hashtext(${INDEX}))`.execute(db)
    locked.resolve()
    await release.promise
  }, end.signal)
  await locked.promise
  await runner('two').runDue()
  t.same(await indexes(), { memories_search: true })
  release.resolve()
  await building
  await runHourLater()
  t.same(await indexes(), { memories_search: true, [INDEX]: true })
})

t.test('a role that does not own the table leaves the index to its owner', { skip }, async t => {
  const { database, db, ada, indexes, search, store, clock } = await fixture(t)
  const end = new AbortController()
  const notOwner: typeof database.onDirectConnection = work =>
    database.onDirectConnection(async direct => {
      await sql`set role pg_read_all_data`.execute(direct)
      return work(direct)
    }, end.signal)
  const { log, lines } = memoryLog()
  const jobs = createJobs({ db, clock, ids: testIds(clock), log, scrub: text => text, owner: 'one' })
  defineMemoryIndex(jobs, { ...database, onDirectConnection: notOwner })
  await jobs.runDue()
  t.same(await indexes(), { memories_search: true })
  t.match(lines.join(''), /only the owner of the table memories can build its index/)
  t.notMatch(lines.join(''), /a job failed/)
  await store.remember(ada.caller, 'found all the same', 'private')
  t.same(await search(ada, 'found'), ['found all the same'])
})

t.test('a process that stops does not wait for the index, which the server completes', { skip }, async t => {
  const { database, db, ada, indexes, runner } = await fixture(t)
  await addMemories(database, ada, madeTexts(50))
  const open = await openTransaction(t, db)
  const jobs = runner()
  const run = jobs.runDue()
  await until(async () => INDEX in (await indexes()))
  await jobs.drain()
  await run
  t.same(await indexes(), { memories_search: true, [INDEX]: false }, 'the build waits for a transaction')
  await open.end()
  await until(async () => (await indexes())[INDEX] === true)
})

t.test('a search reads only rows and index entries of its own organization', { skip }, async t => {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const database = await openDatabase({ postgres: { url, queryTimeoutMs: 60_000 }, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const { ada, runner, runHourLater } = await fixture(t, database)
  await addMemories(database, ada, madeTexts(1_000))
  await addForeign(database, { member: ada, from: 1, to: 2 })
  await runner().runDue()
  await runHourLater()
  const queries = ['note7', 'plan', 'the', 'plaent', 'the plan note7 servers']
  const few: number[] = []
  for (const query of queries) few.push(await rowsRead(database, ada, query))

  await addForeign(database, { member: ada, from: 3, to: 20 })
  for (const [i, query] of queries.entries()) {
    const read = await rowsRead(database, ada, query)
    t.ok(read <= 1.1 * (few[i] ?? 0), `${query}: ${read} rows and entries, ${few[i]} with a tenth of the foreign rows`)
  }
})

/** Adds organizations of these numbers, each with 1,000 memories. */
async function addForeign(
  { db }: OpenDatabase,
  { member, from, to }: { member: TestMember; from: number; to: number },
) {
  const texts = madeTexts(1_000)
  const orgs = sql`generate_series(${from}::int, ${to}::int) as o`
  await sql`insert into organizations (id, name, created_at) select 'org_' || o, '', now() from ${orgs}`.execute(db)
  await sql`insert into memberships (org_id, user_id, role, created_at)
    select 'org_' || o, ${member.userId}, 'member', now() from ${orgs}`.execute(db)
  await sql`insert into memories (org_id, id, user_id, scope, memory, search, created_at, updated_at)
    select 'org_' || o, 'mem_' || number, ${member.userId}, 'private', memory, search::tsvector, now(), now()
    from ${orgs}, unnest(${texts}::text[], ${texts.map(searchVector)}::text[])
      with ordinality as added (memory, search, number)`.execute(db)
  await sql`analyze memories`.execute(db)
}

/** How many rows and index entries of memories a search reads. */
async function rowsRead({ db }: OpenDatabase, { orgId, userId }: TestMember, query: string): Promise<number> {
  return db.transaction().execute(async trx => {
    const before = await rowsReadSoFar(trx)
    await rankMemories(forOrg(trx, orgId), { userId }, { query, limit: 10, hasIndex: true })
    return (await rowsReadSoFar(trx)) - before
  })
}

async function rowsReadSoFar(trx: OpenDatabase['db']): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as read
    from pg_class where oid = 'memories'::regclass
      or oid in (select indexrelid from pg_index where indrelid = 'memories'::regclass)`.execute(trx)
  return rows[0]?.read ?? 0
}

/** Leaves what a server leaves that is killed during the build. */
async function killBuild(t: Test, { db }: OpenDatabase): Promise<void> {
  const open = await openTransaction(t, db)
  const client = new pg.Client(open.url)
  client.on('error', () => {})
  await client.connect()
  const build = client
    .query(`create index concurrently ${INDEX} on memories using gin (gateway_org_search(org_id, search))`)
    .catch((error: unknown) => error)
  await until(async () => {
    const { rows } = await sql<{ waits: boolean }>`select true as waits from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently%' and wait_event = 'virtualxid'`.execute(
      db,
    )
    return rows.length > 0
  })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'create index concurrently%'`.execute(db)
  await build
  await open.end()
}

/** A transaction that has written to memories: no concurrent build ends before it does. */
async function openTransaction(t: Test, db: OpenDatabase['db']): Promise<{ url: string; end(): Promise<void> }> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const url = new URL(testDatabaseUrl ?? '')
  url.pathname = `/${rows[0]?.name}`
  const client = new pg.Client(url.href)
  await client.connect()
  t.teardown(() => client.end())
  await client.query('begin')
  await client.query('update memories set memory = memory where false')
  return { url: url.href, end: async () => void (await client.query('commit')) }
}
