import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import t, { type Test } from 'tap'
import { MIGRATIONS } from '../../../lib/database/migrate.ts'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import type { MemoryAmount } from '../../../schemas/tools/memory.ts'
import { createMemoryStore } from '../../../services/memory/memory-store.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryOn, testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'

const MUCH: MemoryAmount = { memories: 1_000_000, bytes: 1e12 }
let made = 0
/** This number of different words. Their search words take many times their length. */
const words = (count: number) => Array.from({ length: count }, () => hash('md5', String(made++)).slice(0, 7)).join(' ')

interface Limits {
  organization?: Partial<MemoryAmount>
  member?: Partial<MemoryAmount>
}

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  const [ada, bob, eve] = await directoryOn(db, clock).members('member', 'member', 'owner')
  const org = forOrg(db, ada.orgId)
  const ids = testIds(clock)
  return {
    db,
    org,
    ada: ada.caller,
    bob: bob.caller,
    eve: eve.caller,
    /** The store of a process with these limits. */
    store: ({ organization, member }: Limits = {}) =>
      createMemoryStore({
        db,
        clock,
        ids,
        limits: { organization: { ...MUCH, ...organization }, member: { ...MUCH, ...member } },
      }),
    async totals(): Promise<Record<string, MemoryAmount>> {
      const rows = await org.selectFrom('memory_totals').select(['user_id', 'memories', 'bytes']).execute()
      return Object.fromEntries(rows.map(({ user_id, ...total }) => [user_id ?? 'all', total]))
    },
    /** The totals, counted from the rows. */
    async counted(): Promise<Record<string, MemoryAmount>> {
      const { rows } = await sql<{ user_id: string | null } & MemoryAmount>`
        select user_id, count(*) as memories, sum(pg_column_size(memory) + pg_column_size(search)) as bytes
        from memories where org_id = ${ada.orgId} group by grouping sets ((), (user_id))`.execute(db)
      return Object.fromEntries(
        rows.map(({ user_id, memories, bytes }) => [user_id ?? 'all', { memories, bytes: Number(bytes) }]),
      )
    },
  }
}

t.test('a member at the limit saves nothing more until they forget something', async t => {
  const { store, ada, bob, totals } = await fixture(t)
  const memories = store({ member: { memories: 2 } })
  const { id } = await memories.remember(ada, 'one', 'private')
  await memories.remember(ada, 'two', 'shared')
  const before = await totals()
  await t.rejects(memories.remember(ada, 'three', 'private'), {
    code: 'quota_exceeded',
    message:
      'Nothing was saved. The memories of this member are limited to 2 memories; 2 are in use, and this change needs 1 ' +
      'more. Delete memories with memory__forget, or ask the operator of this gateway to raise MEMORY_MAX_COUNT_PER_MEMBER.',
  })
  t.same(await totals(), before)
  await memories.remember(bob, 'three', 'private')
  await memories.forget(ada, id)
  await memories.remember(ada, 'three', 'private')
})

t.test('the limits on bytes and those of the organization name their settings', async t => {
  const { store, ada, bob, totals } = await fixture(t)
  await store().remember(ada, words(400), 'private')
  const { bytes = 0 } = (await totals()).all ?? {}
  t.ok(bytes > 8_000, 'the search words count too')
  const text = words(400)
  const refusals: [Limits, RegExp][] = [
    [
      { member: { bytes: bytes + 5_000 } },
      new RegExp(`; ${bytes} are in use, .* raise MEMORY_MAX_BYTES_PER_MEMBER\\.$`),
    ],
    [{ organization: { bytes: bytes + 5_000 } }, new RegExp(`; ${bytes} are in use, .* raise MEMORY_MAX_BYTES\\.$`)],
    [{ organization: { memories: 1 } }, /limited to 1 memories; 1 are in use.* raise MEMORY_MAX_COUNT\.$/],
  ]
  for (const [limits, message] of refusals)
    await t.rejects(store(limits).remember(ada, text, 'private'), { code: 'quota_exceeded', message })
  await store({ member: { bytes: bytes + 5_000 } }).remember(bob, text, 'private')
  await t.rejects(store({ organization: { memories: 2 } }).remember(bob, text, 'shared'), { code: 'quota_exceeded' })
})

t.test('members above a limit read, shrink, share and forget their memories, but do not extend them', async t => {
  const { store, ada, eve } = await fixture(t)
  const long = words(400)
  const { id } = await store().remember(ada, long, 'private')
  const { id: other } = await store().remember(ada, 'other', 'private')
  const memories = store({ member: { memories: 1, bytes: 1_000 }, organization: { memories: 1, bytes: 1_000 } })
  t.match(await memories.search(ada, 'other', { limit: 1 }), [{ id: other }])
  t.equal((await memories.list(ada, { limit: 5 })).memories.length, 2)
  await memories.update(ada, id, { scope: 'shared' })
  const refused = { code: 'quota_exceeded', message: /raise MEMORY_MAX_BYTES/ }
  await t.rejects(memories.update(ada, id, { memory: words(500) }), refused)
  await t.rejects(memories.update(eve, id, { memory: words(500) }), refused, 'the memory counts for its author')
  const listed = (await memories.list(ada, { limit: 5 })).memories
  t.equal(listed.find(memory => memory.id === id)?.memory, long, 'nothing was saved')
  await memories.update(ada, id, { memory: words(300) })
  await memories.update(eve, id, { memory: 'short' })
  await memories.update(ada, id, { memory: 'longer, and below the limit on bytes' })
  await memories.forget(ada, other)
})

t.test('members that save at the same time do not exceed the limits together', async t => {
  const { store, ada, bob, eve, totals, counted } = await fixture(t)
  const processes = [1, 2].map(() => store({ member: { memories: 4 }, organization: { memories: 10 } }))
  const tries = processes.flatMap(memories =>
    [ada, bob, eve].flatMap(member => Array.from({ length: 4 }, () => memories.remember(member, words(20), 'private'))),
  )
  const ends = await Promise.allSettled(tries)
  const { all, ...members } = await totals()
  t.equal(all?.memories, 10)
  t.equal(ends.filter(({ status }) => status === 'fulfilled').length, 10)
  t.ok(Object.values(members).every(({ memories }) => memories <= 4))
  t.same(await totals(), await counted())
})

t.test('the totals follow every change of the rows', async t => {
  const { db, org, store, ada, bob, totals, counted } = await fixture(t)
  const memories = store()
  for (const text of ['one', words(50), words(900), '象'.repeat(3_000)]) await memories.remember(ada, text, 'private')
  await memories.remember(bob, words(1_000), 'shared')
  t.same(await totals(), await counted(), 'inserts')
  await sql`update memories set scope = 'shared', memory = memory || 'more' where org_id = ${ada.orgId}`.execute(db)
  t.same(await totals(), await counted(), 'updates of several rows')
  const many = Array.from({ length: 300 }, (_, index) => ({ id: `mem_${index}`, memory: `${index}` }))
  const now = new Date(0)
  const row = { user_id: ada.userId, scope: 'private' as const, search: '', created_at: now, updated_at: now }
  await org
    .insertInto(
      'memories',
      many.map(each => ({ ...row, ...each })),
    )
    .execute()
  t.same(await totals(), await counted(), 'inserts of several rows')
  await org.deleteFrom('memories').where('memory', 'in', ['1', '17', '200']).execute()
  t.same(await totals(), await counted(), 'deletes of several rows')
  await sql`truncate memories`.execute(acrossOrgs(db))
  t.same(await totals(), {}, 'a truncation')
})

t.test('memories from before the limits count', async t => {
  const { db: guarded, migrate } = await testDatabase(t)
  const db = guarded.withoutPlugins()
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0009'))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => before } }).migrateToLatest()
  t.equal(error, undefined)
  await sql`with org as (insert into organizations (id, name, created_at) values ('org_1', '', now())),
    usr as (insert into users (id, created_at) values ('usr_1', now()), ('usr_2', now()))
    insert into memberships (org_id, user_id, role, created_at)
      select 'org_1', id, 'member', now() from unnest(array['usr_1', 'usr_2']) as id`.execute(db)
  await sql`insert into memories (org_id, id, user_id, scope, memory, search, created_at, updated_at)
    select 'org_1', 'mem_' || i, 'usr_' || (i % 2 + 1), 'private', repeat('text', 2000), 'text', now(), now()
    from generate_series(1, 5) as i`.execute(db)
  await migrate()
  const { rows } = await sql`select user_id, memories, bytes > 0 as some from memory_totals
    where org_id = 'org_1' order by user_id nulls first`.execute(db)
  t.same(rows, [
    { user_id: null, memories: 5, some: true },
    { user_id: 'usr_1', memories: 2, some: true },
    { user_id: 'usr_2', memories: 3, some: true },
  ])
  await sql`delete from memories`.execute(db)
  const left = await sql`select distinct memories, bytes from memory_totals`.execute(db)
  t.same(left.rows, [{ memories: 0, bytes: 0 }])
})
