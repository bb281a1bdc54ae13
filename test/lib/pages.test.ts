import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'kysely'
import t from 'tap'
import { forOrg } from '../../lib/database/tenant.ts'
import { readCursor, readPage, writeCursor } from '../../lib/pages/pages.ts'
import { PageQuery, pageOf, pageRequest } from '../../schemas/primitives/page.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

const { db } = await testDatabase(t)
const AUDIT = { list: 'audit', at: 'audit.at', id: 'audit.id' }
const START = Date.UTC(2026, 10, 21)

/** An organization whose audit rows have these times, in microseconds after a start. */
async function auditOf(times: readonly number[]) {
  const [ada] = await directoryOn(db, testClock()).members('member')
  const org = forOrg(db, ada.orgId)
  await org.deleteFrom('audit').execute()
  let ids = 0
  const { orgId } = ada
  async function add(times: readonly number[]) {
    for (const micros of times)
      await org
        .insertInto('audit', {
          id: `aud_${orgId.slice(-20)}${String(ids++).padStart(6, '0')}`,
          at: sql`${new Date(START)}::timestamptz + ${micros} * interval '1 microsecond'` as never,
          user_id: null,
          action: 'a',
          target: String(micros),
          detail: '{}',
        })
        .execute()
  }
  await add(times)
  const read = (limit: number, cursor?: string | null) =>
    readPage(org.selectFrom('audit').select('target'), AUDIT, { limit, cursor: cursor ?? undefined })
  return { read, add }
}

t.test('pages of any size together are the list, newest first, with times that differ by a microsecond', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 5 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (times, limit) => {
        const { read } = await auditOf(times)
        const seen: number[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await read(limit, cursor)
          t.ok(page.rows.length <= limit)
          seen.push(...page.rows.map(({ target }) => Number(target)))
          cursor = page.nextCursor
        }
        t.same(
          seen,
          [...times].sort((a, b) => b - a),
        )
      },
    ),
    { numRuns: 15 },
  )
})

t.test('rows that are added meanwhile neither repeat nor move others', async t => {
  const { read, add } = await auditOf([1, 2, 3, 4])
  const first = await read(2)
  await add([9, 8])
  const second = await read(2, first.nextCursor)
  t.same(
    [first, second].map(({ rows }) => rows.map(({ target }) => target)),
    [
      ['4', '3'],
      ['2', '1'],
    ],
  )
  t.equal(second.nextCursor, null)
})

t.test('a cursor is readable only by its own list', t => {
  const position = { at: '2026-11-23T04:05:06.123456Z', id: 'aud_1' }
  const cursor = writeCursor('audit', position)
  t.match(cursor, /^[\w-]+$/)
  t.same(readCursor('audit', cursor), position)
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const text of [
    '',
    'x',
    cursor.slice(3),
    writeCursor('usage', position),
    made(null),
    made(['audit']),
    made(['audit', '2026-99-99T04:05:06.123456Z', 'aud_1']),
    // Times that JavaScript knows and PostgreSQL does not.
    made(['audit', '2026-02-30T04:05:06.123456Z', 'aud_1']),
    made(['audit', '0000-01-01T00:00:00.000000Z', 'aud_1']),
    made(['audit', position.at, "aud_1'; drop table audit"]),
    made(['audit', position.at, 'a\u0000']),
    made(['audit', [position.at], { a: 1 }]),
  ])
    t.throws(() => readCursor('audit', text), { code: 'invalid_request', message: /^cursor is not/ }, text)
  t.end()
})

t.test('a page has 50 rows if the request sets no limit', t => {
  t.same(pageRequest({}), { limit: 50, cursor: undefined })
  t.same(pageRequest({ limit: '7', cursor: 'c' }), { limit: 7, cursor: 'c' })
  t.end()
})

t.test('a page has 1 to 200 rows', t => {
  const valid = (limit: string) => Value.Check(Type.Object(PageQuery), { limit })
  for (let limit = 1; limit <= 200; limit++) if (!valid(`${limit}`)) t.fail(`${limit}`)
  for (const limit of ['', '0', '-1', '01', '1e2', '201', '999', '1000', ' 1']) t.notOk(valid(limit), limit)
  const schema = pageOf('keys', Type.String())
  t.ok(Value.Check(schema, { keys: ['a'], next_cursor: null }))
  t.notOk(Value.Check(schema, { keys: ['a'] }))
  t.end()
})
