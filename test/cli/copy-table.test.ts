import { type Kysely, sql, type Transaction } from 'kysely'
import t from 'tap'
import { columnsOf, copyTable, fingerprint, prepareCopy } from '../../cli/move/copy-database.ts'
import { embeddedEngine, startPGlite } from '../../lib/database/embedded.ts'
import { openOn } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { anyText } from '../fixtures/any-text.ts'
import { silent, testDatabase, testDatabaseUrl } from '../fixtures/database.ts'
import fc from '../fixtures/property.ts'

// Embedded database: its values are what is copied.

const target = (await testDatabase(t)).db
/** Embedded, whatever the target is. */
const source =
  testDatabaseUrl === undefined ? await testDatabase(t) : await openOn(embeddedEngine(await startPGlite()), silent)
t.teardown(() => source.close())

const TYPES = {
  text: 'text',
  json: 'jsonb',
  number: 'numeric',
  float: 'float8',
  bytes: 'bytea',
  list: 'text[]',
  long: 'bigint',
  at: 'timestamptz',
  day: 'date',
  lasts: 'interval',
  words: 'tsvector',
  yes: 'boolean',
} as const
type Row = Record<keyof typeof TYPES, string | null>

/** Text that PostgreSQL stores. */
const text = anyText({ maxLength: 40 }).map(value => value.replaceAll('\0', ''))
const ODD = `"'\\ \\\\x41 {a,"b"} (c) \t\r\n\u0001\u007f\u2028 e\u0301 ﬃ \u{1f600} \uffff NULL \\N $1 %`

const row: fc.Arbitrary<Row> = fc.record({
  text: fc.option(fc.oneof(text, fc.constant(ODD))),
  json: fc.option(
    fc.oneof(
      text.map(value => JSON.stringify([value])),
      fc.constant('{"b": 1.50, "a": 1e300}'),
    ),
  ),
  number: fc.constantFrom('12345678901234567890.123456789012345', '-0.10', 'NaN', null),
  float: fc.oneof(fc.double().map(String), fc.constant(null)),
  bytes: fc.uint8Array({ maxLength: 20 }).map(bytes => `\\x${Buffer.from(bytes).toString('hex')}`),
  list: fc.constantFrom('{}', '{a,NULL,"NULL","b,c","{d}","\\\\"}', null),
  long: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
  at: fc.constantFrom('2026-01-02 03:04:05.678901+14', '4713-01-01 00:00:00+00 BC', 'infinity', '-infinity', null),
  day: fc.constantFrom('2026-02-28', 'infinity', '0044-03-15 BC', null),
  lasts: fc.constantFrom('1 year -2 days 03:04:05.000006', '-00:00:01', null),
  words: fc.constantFrom(`'a''b':1A,2 'c\\\\d':16383 '  ' ':'`, '', null),
  yes: fc.constantFrom('t', 'f', null),
})

/** Creates the table of the test for the session of a transaction, which drops it at its end. */
async function createOdd(trx: Transaction<Database>): Promise<void> {
  const columns = Object.entries(TYPES).map(([name, type]) => `"${name}" ${type}`)
  await sql
    .raw(`create temporary table odd (${columns.join()}, made int generated always as (1) stored) on commit drop`)
    .execute(trx)
  await prepareCopy(trx)
}

/** Runs in a transaction of both databases. */
function both<R>(work: (from: Transaction<Database>, to: Transaction<Database>) => Promise<R>): Promise<R> {
  const begin = (db: Kysely<Database>) => acrossOrgs(db).transaction()
  return begin(source.db).execute(from =>
    begin(target).execute(async to => {
      await createOdd(from)
      await createOdd(to)
      return work(from, to)
    }),
  )
}

t.test('every value of every type arrives equal, whatever the size of the batches', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (rows, atOnce) => {
      await both(async (from, to) => {
        const names = sql.join(Object.keys(TYPES).map(name => sql.ref(name)))
        for (const one of rows) {
          const values = sql.join(
            Object.entries(TYPES).map(([name, type]) => sql`${one[name as keyof Row]}::text::${sql.raw(type)}`),
          )
          await sql`insert into odd (${names}) values (${values})`.execute(from)
        }
        const columns = await columnsOf(from, 'odd')
        t.same(
          columns.map(({ name }) => name),
          Object.keys(TYPES).sort(),
          'a generated column is not copied',
        )
        t.equal(await copyTable(from, to, { table: 'odd', columns, rows: atOnce }), rows.length)
        const sum = await fingerprint(from, { table: 'odd', columns })
        t.same(await fingerprint(to, { table: 'odd', columns }), sum)
        const content = sql`select odd::text as row from odd order by 1`
        t.same((await content.execute(to)).rows, (await content.execute(from)).rows)
        if (rows.length === 0) return
        await sql`update odd set "long" = coalesce("long", 0) # 1 where ctid = (select min(ctid) from odd)`.execute(to)
        t.notSame(await fingerprint(to, { table: 'odd', columns }), sum, 'one changed bit shows')
      })
    }),
    { numRuns: 15 },
  )
})

t.test('rows that belong together are inserted by one statement, also across batches', async t => {
  await both(async (from, to) => {
    await sql`insert into odd (text, long) select 'group ' || i / 3, i from generate_series(0, 19) as i`.execute(from)
    await sql`create temporary table statements (n bigint) on commit drop`.execute(to)
    await sql`create function pg_temp.note() returns trigger language plpgsql as $$ begin
      insert into statements select count(distinct long) from added group by text; return null; end $$`.execute(to)
    await sql`create trigger note after insert on odd referencing new table as added
      for each statement execute function pg_temp.note()`.execute(to)
    const columns = await columnsOf(from, 'odd')
    t.equal(await copyTable(from, to, { table: 'odd', columns, rows: 4, together: 'text' }), 20)
    const { rows } = await sql<{ n: number }>`select n from statements order by n`.execute(to)
    t.same(
      rows.map(({ n }) => n),
      [2, 3, 3, 3, 3, 3, 3],
    )
  })
})
