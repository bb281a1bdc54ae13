import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import t from 'tap'
import { type Database, TENANT_TABLES } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { testDatabase, testDatabaseUrl } from '../fixtures/database.ts'
import { TenantGuard } from '../fixtures/tenant-guard.ts'

// Embedded database: all transactions share its one session.

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new TenantGuard()],
})
const now = new Date(0)
const agent = { id: 'agt_1', owner_id: 'usr_1', name: 'Ada', status: 'active', created_at: now } as const

t.test('the guard refuses a query that does not name its organization', async t => {
  const queries: Record<string, () => Compilable> = {
    'a select without conditions': () => db.selectFrom('memories').selectAll(),
    'a select by another column': () => db.selectFrom('memories').selectAll().where('id', '=', 'mem_1'),
    'a select by an alias': () => db.selectFrom('memories as m').selectAll().where('m.id', '=', 'mem_1'),
    'the organization in one branch of an or': () =>
      db
        .selectFrom('memories')
        .selectAll()
        .where(eb => eb.or([eb('org_id', '=', 'org_1'), eb('scope', '=', 'shared')])),
    'the organization under a not': () =>
      db
        .selectFrom('memories')
        .selectAll()
        .where(eb => eb.not(eb('org_id', '=', 'org_1'))),
    'another operator than equality': () => db.selectFrom('memories').selectAll().where('org_id', '!=', 'org_1'),
    'a list of organizations': () => db.selectFrom('memories').selectAll().where('org_id', 'in', ['org_1', 'org_2']),
    'an empty organization': () => db.selectFrom('memories').selectAll().where('org_id', '=', ''),
    'an organization that is compared with itself': () =>
      db.selectFrom('memories').selectAll().whereRef('org_id', '=', 'org_id'),
    'a join that ties only the member': () =>
      db
        .selectFrom('api_keys')
        .innerJoin('memberships', 'memberships.user_id', 'api_keys.user_id')
        .selectAll('api_keys')
        .where('api_keys.org_id', '=', 'org_1'),
    'a left join that ties only the other table': () =>
      db
        .selectFrom('api_keys')
        .leftJoin('memberships', join => join.on('api_keys.org_id', '=', 'org_1'))
        .selectAll('api_keys')
        .where('api_keys.org_id', '=', 'org_1'),
    'the table that a left join leaves whole': () =>
      db
        .selectFrom('api_keys')
        .leftJoin('memberships', join =>
          join.onRef('memberships.org_id', '=', 'api_keys.org_id').on('memberships.org_id', '=', 'org_1'),
        )
        .selectAll('api_keys'),
    'a full join': () =>
      db
        .selectFrom('api_keys')
        .fullJoin('memberships', join => join.onRef('memberships.org_id', '=', 'api_keys.org_id'))
        .selectAll('api_keys')
        .where('api_keys.org_id', '=', 'org_1'),
    'a subquery in a condition': () =>
      db
        .selectFrom('memories')
        .selectAll()
        .where('org_id', '=', 'org_1')
        .where('user_id', 'in', eb => eb.selectFrom('memberships').select('user_id')),
    'a subquery that hides the outer table': () =>
      db
        .selectFrom('memories')
        .selectAll()
        .where('memories.org_id', '=', 'org_1')
        .where(eb => eb.exists(eb.selectFrom('memories').select('id').whereRef('memories.id', '=', 'memories.id'))),
    'a subquery in from': () => db.selectFrom(db.selectFrom('memories').selectAll().as('m')).selectAll(),
    'a subquery among the columns': () =>
      db.selectFrom('users').select(eb => eb.selectFrom('memories').select('memory').limit(1).as('one')),
    'a CTE': () =>
      db
        .with('all', db => db.selectFrom('memories').selectAll())
        .selectFrom('all')
        .selectAll(),
    'one side of a union': () =>
      db.selectFrom('memories').select('id').where('org_id', '=', 'org_1').union(db.selectFrom('agents').select('id')),
    'an update': () => db.updateTable('agents').set({ name: 'Eve' }).where('id', '=', 'agt_1'),
    'an update that moves the row': () =>
      db.updateTable('agents').set({ org_id: 'org_2' }).where('org_id', '=', 'org_1'),
    'an update from another table': () =>
      db
        .updateTable('agents')
        .from('memberships')
        .set({ name: 'Eve' })
        .where('agents.org_id', '=', 'org_1')
        .whereRef('memberships.user_id', '=', 'agents.owner_id'),
    'a delete': () => db.deleteFrom('memories').where('id', '=', 'mem_1'),
    'a delete using another table': () =>
      db.deleteFrom('memories').using('agents').where('memories.org_id', '=', 'org_1'),
    'an insert without the column': () => db.insertInto('agents').values(agent as never),
    'an insert of an empty organization': () => db.insertInto('agents').values({ ...agent, org_id: '' }),
    'one row of an insert': () =>
      db.insertInto('agents').values([
        { ...agent, org_id: 'org_1' },
        { ...agent, org_id: undefined as never },
      ]),
    'an insert from a query': () =>
      db
        .insertInto('org_surface')
        .columns(['org_id', 'version'])
        .expression(db.selectFrom('organizations').select(['id', sql<number>`1`.as('version')])),
    'an upsert by a column that other organizations share': () =>
      db
        .insertInto('agents')
        .values({ ...agent, org_id: 'org_1' })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ name: 'Eve' })),
    'a merge': () => db.mergeInto('agents').using('users', 'users.id', 'agents.owner_id').whenMatched().thenDelete(),
    'raw SQL': () => ({ compile: () => sql`select * from memories where id = ${'mem_1'}`.compile(db) }),
    'raw SQL with a comma': () => ({ compile: () => sql`select from users, memories`.compile(db) }),
    'raw SQL in a query': () =>
      db.selectFrom('users').select(sql`(select count(*) from ${sql.table('memories')})`.as('count')),
  }
  for (const [name, query] of Object.entries(queries)) {
    t.throws(() => query().compile(), /does not name its organization/, name)
  }
})

t.test('the guard accepts a query that names the organization of each tenant table', async t => {
  const queries: Record<string, () => Compilable> = {
    'a table of no tenant': () => db.selectFrom('users').selectAll(),
    'a condition among others': () =>
      db.selectFrom('memories').selectAll().where('id', '=', 'mem_1').where('org_id', '=', 'org_1'),
    'an alias': () => db.selectFrom('memories as m').selectAll().where('m.org_id', '=', 'org_1'),
    'a join on the same organization': () =>
      db
        .selectFrom('api_keys')
        .innerJoin('memberships', join =>
          join
            .onRef('memberships.user_id', '=', 'api_keys.user_id')
            .onRef('memberships.org_id', '=', 'api_keys.org_id'),
        )
        .leftJoin('agents', join =>
          join.onRef('agents.id', '=', 'api_keys.agent_id').onRef('agents.org_id', '=', 'memberships.org_id'),
        )
        .selectAll('api_keys')
        .where('api_keys.org_id', '=', 'org_1'),
    'a join on the organization itself': () =>
      db
        .selectFrom('organizations')
        .innerJoin('memberships', 'memberships.org_id', 'organizations.id')
        .selectAll('memberships')
        .where('organizations.id', '=', 'org_1'),
    'a subquery tied to the outer query': () =>
      db
        .selectFrom('memories')
        .selectAll()
        .where('memories.org_id', '=', 'org_1')
        .where(eb =>
          eb.exists(eb.selectFrom('memberships as m').select('m.user_id').whereRef('m.org_id', '=', 'memories.org_id')),
        ),
    'an upsert by the organization': () =>
      db
        .insertInto('org_surface')
        .values({ org_id: 'org_1', version: 1 })
        .onConflict(conflict => conflict.column('org_id').doUpdateSet({ version: 2 })),
    'a value that looks like a query': () =>
      db.insertInto('jobs').values({
        id: 'job_1',
        kind: 'x',
        payload: { kind: 'SelectQueryNode' } as never,
        run_at: now,
        lease_owner: null,
        last_error: null,
        dedupe: null,
        created_at: now,
      }),
  }
  for (const [name, query] of Object.entries(queries)) t.doesNotThrow(() => query().compile(), name)
})

t.test('each query of a handle names its organization, on every tenant table', async t => {
  const org = forOrg(db, 'org_1')
  for (const table of TENANT_TABLES) {
    const where = `where "${table}"."org_id" = $1`
    t.match(org.selectFrom(table).selectAll().compile(), {
      sql: `select * from "${table}" ${where}`,
      parameters: ['org_1'],
    })
    t.match(org.deleteFrom(table).compile(), { sql: `delete from "${table}" ${where}`, parameters: ['org_1'] })
  }
  t.match(org.updateTable('agents').set({ name: 'Eve' }).compile(), {
    sql: 'update "agents" set "name" = $1 where "agents"."org_id" = $2',
    parameters: ['Eve', 'org_1'],
  })
  const { sql: text, parameters } = org.insertInto('agents', [agent, { ...agent, id: 'agt_2' }]).compile()
  t.match(text, '"org_id"')
  t.equal(parameters.filter(parameter => parameter === 'org_1').length, 2)
})

t.test('the handle’s organization overrides one in an inserted row', async t => {
  const row = { ...agent, org_id: 'org_2' }
  t.notOk(forOrg(db, 'org_1').insertInto('agents', row).compile().parameters.includes('org_2'))
})

t.test('the compiler knows the columns of a handle', async t => {
  const org = forOrg(db, 'org_1')
  const names: () => Promise<{ name: string }[]> = () => org.selectFrom('agents').select('name').execute()
  t.type(names, 'function')
  // @ts-expect-error a memory has no such column
  t.type(() => org.selectFrom('memories').select('status').execute(), 'function')
  // @ts-expect-error no agent has such a status
  t.type(() => org.updateTable('agents').set({ status: 'gone' }), 'function')
  // @ts-expect-error a name is missing
  t.type(() => org.insertInto('agents', { ...agent, name: undefined }), 'function')
  // @ts-expect-error users belong to no organization
  t.type(() => org.selectFrom('users'), 'function')
})

t.test('organizations do not see each other', async t => {
  const { db } = await testDatabase(t)
  await db.insertInto('users').values({ id: 'usr_1', email: null, created_at: now }).execute()
  for (const id of ['org_1', 'org_2']) {
    await db.insertInto('organizations').values({ id, name: id, created_at: now }).execute()
    await forOrg(db, id).insertInto('memberships', { user_id: 'usr_1', role: 'owner', created_at: now }).execute()
  }
  const [one, two] = [forOrg(db, 'org_1'), forOrg(db, 'org_2')]
  await one.insertInto('agents', agent).execute()

  t.same(await two.selectFrom('agents').selectAll().execute(), [])
  t.equal((await two.updateTable('agents').set({ name: 'Eve' }).executeTakeFirst()).numUpdatedRows, 0n)
  t.equal((await two.deleteFrom('agents').executeTakeFirst()).numDeletedRows, 0n)
  t.match(await one.selectFrom('agents').select('name').execute(), [{ name: 'Ada' }])

  await t.test('a key cannot refer to the agent of another organization', async t => {
    const key = { id: 'key_1', user_id: 'usr_1', agent_id: 'agt_1', name: '', hash: 'h', pepper_id: 'p', prefix: '' }
    const insert = two.insertInto('api_keys', { ...key, last4: '', created_at: now })
    await t.rejects(insert.execute(), { code: '23503' })
  })

  await t.test('a nested transaction joins the outer one, and both are rolled back together', async t => {
    const failed = one.transaction(async org => {
      await org.updateTable('agents').set({ name: 'Eve' }).execute()
      await org.transaction(async inner => inner.insertInto('agents', { ...agent, id: 'agt_2' }).execute())
      throw new Error('undone')
    })
    await t.rejects(failed, { message: 'undone' })
    t.same(await one.selectFrom('agents').select(['id', 'name']).execute(), [{ id: 'agt_1', name: 'Ada' }])
  })

  await t.test('a query across organizations must use acrossOrgs', async t => {
    await t.rejects(db.selectFrom('agents').selectAll().execute(), /does not name its organization/)
    t.equal((await acrossOrgs(db).selectFrom('agents').selectAll().execute()).length, 1)
    await db.transaction().execute(async trx => {
      await t.rejects(async () => trx.selectFrom('agents').selectAll().execute(), /does not name its organization/)
      t.equal((await acrossOrgs(trx).selectFrom('agents').selectAll().execute()).length, 1)
    })
  })

  const skip = testDatabaseUrl === undefined && 'the embedded database has one session'
  await t.test('two changes that lock rows in opposite orders both succeed', { skip }, async t => {
    await one.insertInto('agents', { ...agent, id: 'agt_3' }).execute()
    const met = Promise.withResolvers<void>()
    let begun = 0
    const rename = (first: string, second: string) =>
      one.transaction(async org => {
        const set = (id: string) => org.updateTable('agents').where('id', '=', id).set({ name: first }).execute()
        await set(first)
        begun++
        if (begun === 2) met.resolve()
        await met.promise
        await set(second)
      })
    await Promise.all([rename('agt_1', 'agt_3'), rename('agt_3', 'agt_1')])
    // PostgreSQL ends both if both look for a deadlock at the same time.
    t.ok(begun > 2, 'one of them ran again')
    const names = await one.selectFrom('agents').select('name').distinct().execute()
    t.equal(names.length, 1, 'the last one changed both')
  })
})
