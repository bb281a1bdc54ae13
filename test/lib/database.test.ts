import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { DatabaseTimeout, isDatabaseUnavailable, retryRead, withDeadline } from '../../lib/database/database-errors.ts'
import { lockDirectory } from '../../lib/database/directory-lock.ts'
import type { DatabaseEvent, EventTopic } from '../../lib/database/events.ts'
import { MIGRATIONS } from '../../lib/database/migrate.ts'
import { type DatabaseOptions, type OpenDatabase, openDatabase } from '../../lib/database/open-database.ts'
import { TENANT_TABLES } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { silent, testDatabase, testDatabaseUrl, testDataDir, testPostgres } from '../fixtures/database.ts'
import { waitedMs } from '../fixtures/elapsed.ts'
import { faultProxy } from '../fixtures/fault-proxy.ts'

// Embedded database: data directories, their locks, and migrations on its engine.

const notLinux = process.platform === 'linux' ? false : 'needs /proc'
const onPostgres = testDatabaseUrl === undefined ? { skip: 'needs TEST_DATABASE_URL' } : {}
const server = testDatabaseUrl ?? ''
const now = new Date(0)

async function open(t: Test, options: Partial<DatabaseOptions>): Promise<OpenDatabase> {
  const database = await openDatabase({ dataDir: t.testdir(), log: silent, ...options })
  t.teardown(() => database.close())
  return database
}

/** The error that a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    error => error,
  )
}

/** Another process that holds the lock file: a Node process, or a shell that starts one. */
async function lockHolder(t: Test, file: string, shell?: string) {
  const script = fileURLToPath(new URL('../fixtures/lock-holder.ts', import.meta.url))
  const node = [process.execPath, script, file]
  const [command = '', ...args] = shell === undefined ? node : ['sh', '-c', shell, ...node]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Whether a PID is in use, even by a zombie. */
function exists(pid = 0): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function addMembers({ db }: OpenDatabase, count: number, orgId = 'org_1'): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `usr_${index}`)
  await db.insertInto('organizations').values({ id: orgId, name: orgId, created_at: now }).execute()
  await db
    .insertInto('users')
    .values(ids.map(id => ({ id, email: null, created_at: now })))
    .execute()
  const rows = ids.map(user_id => ({ user_id, role: 'member' as const, created_at: now }))
  await forOrg(db, orgId).insertInto('memberships', rows).execute()
}

t.test('migrations', async t => {
  const folder = new URL('../../lib/database/migrations/', import.meta.url)

  await t.test('a migration that landed never changes', async t => {
    const checksums = JSON.parse(readFileSync(new URL('checksums.json', folder), 'utf8'))
    const actual = Object.keys(MIGRATIONS).map(name => {
      return [
        name,
        createHash('sha256')
          .update(readFileSync(new URL(`${name}.ts`, folder)))
          .digest('hex'),
      ]
    })
    t.same(Object.fromEntries(actual), checksums, 'a new migration adds a line to checksums.json; an old one stays')
  })

  await t.test('every file of the folder is listed, in order', async t => {
    const files = readdirSync(folder).filter(name => name.endsWith('.ts'))
    t.same(Object.keys(MIGRATIONS), files.map(name => name.slice(0, -3)).sort())
  })

  await t.test('a migrated database has nothing pending, and migrating again has no effect', async t => {
    const database = await testDatabase(t)
    t.equal(await database.migrationsPending(), false)
    await database.migrate()
    await sql`insert into kysely_migration (name, timestamp) values ('9999_newer', '')`.execute(database.db)
    t.equal(await database.migrationsPending(), false, 'a newer schema is no concern of an older version')
    await database.migrate()
  })

  await t.test('of several processes that start on an empty database, only one migrates', onPostgres, async t => {
    const url = await testPostgres(t, server, 'empty')
    const databases = await Promise.all([1, 2, 3].map(() => open(t, { postgres: { url, maxConnections: 2 } })))
    t.equal(await databases[0]?.migrationsPending(), true)
    await Promise.all(databases.map(database => database.migrate()))
    for (const database of databases) t.equal(await database.migrationsPending(), false)
  })
})

t.test('the schema keeps organizations apart', async t => {
  const { db } = await testDatabase(t)
  const keys = await sql<{ table: string; type: string; columns: string[]; target: string | null }>`
    select conrelid::regclass::text as table, contype as type, nullif(confrelid, 0)::regclass::text as target,
      (select array_agg(attname::text order by attname) from pg_attribute
        where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
  `.execute(db)
  const columns = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns where table_schema = 'public'
  `.execute(db)
  const tables = new Set<string>(TENANT_TABLES)

  for (const table of TENANT_TABLES) {
    const own = columns.rows.filter(row => row.table_name === table).map(row => row.column_name)
    t.ok(own.includes('org_id'), `${table} has org_id`)
    if (!own.includes('id')) continue
    const unique = keys.rows.some(key => key.table === table && key.type !== 'f' && `${key.columns}` === 'id,org_id')
    t.ok(unique, `${table} is unique by (org_id, id)`)
  }
  for (const { table, target, columns } of keys.rows) {
    if (target !== null && tables.has(target))
      t.ok(columns.includes('org_id'), `${table} refers to ${target} by org_id`)
  }
  const strays = columns.rows.filter(row => row.column_name === 'org_id' && !tables.has(row.table_name))
  t.same(
    strays.map(row => row.table_name),
    ['active_organizations'],
    'every other table with org_id is a tenant table',
  )
})

t.test('both engines read and write the same values', async t => {
  const { db } = await testDatabase(t)
  const { rows } = await sql`
    select 9007199254740991::bigint as big, count(*) as count, '\\x0102'::bytea as bytes, '2026-01-02'::date as day,
      '2026-01-02T03:04:05.678Z'::timestamptz as time, '1 day'::interval as span, '[1]'::jsonb as list, null::bigint as none
    from (values (1)) one
  `.execute(db)
  t.strictSame(rows, [
    {
      big: 9007199254740991,
      count: 1,
      bytes: Buffer.from([1, 2]),
      day: '2026-01-02',
      time: new Date('2026-01-02T03:04:05.678Z'),
      span: '1 day',
      list: [1],
      none: null,
    },
  ])
  await t.rejects(sql`select 9007199254740993::bigint as big`.execute(db), /is not a safe integer/)
  t.equal((await sql`select 1 as one`.execute(db)).rows.length, 1, 'and go on after a value they cannot read')
})

t.test('a setting for all members is one row', async t => {
  const database = await testDatabase(t)
  await addMembers(database, 1)
  const org = forOrg(database.db, 'org_1')
  const setting = { user_id: null, capability: 'memory', enabled: false, updated_at: now }
  await org.insertInto('capability_settings', setting).execute()
  await t.rejects(org.insertInto('capability_settings', setting).execute(), { code: '23505' })
})

t.test('change events', async t => {
  /** Resolves when all earlier changes have been delivered: events keep the order of their commits. */
  async function allHeard({ db, events }: OpenDatabase) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = events.on('surface', ({ orgId }) => orgId === 'org_mark' && resolve())
    await sql`select pg_notify('gateway_events', '{"topic": "surface", "org_id": "org_mark"}')`.execute(db)
    await promise
    stop()
  }

  /** The events of the work, without earlier ones. */
  async function heardDuring(database: OpenDatabase, topics: EventTopic[], work: () => Promise<unknown>) {
    await allHeard(database)
    const heard: DatabaseEvent[] = []
    const stops = topics.map(topic => database.events.on(topic, event => heard.push(event)))
    await work()
    await allHeard(database)
    for (const stop of stops) stop()
    return heard.filter(({ orgId }) => orgId !== 'org_mark')
  }

  const database = await testDatabase(t)
  const { db, events } = database
  await addMembers(database, 101)
  const org = forOrg(db, 'org_1')
  const version = async () => (await org.selectFrom('org_surface').select('version').executeTakeFirst())?.version

  await t.test('name the change and increment the surface version of its organization', async t => {
    const before = (await version()) ?? 0
    const heard = await heardDuring(database, ['surface', 'membership'], () =>
      org.updateTable('memberships').set({ role: 'admin' }).where('user_id', '=', 'usr_1').execute(),
    )
    t.same(
      new Set(heard),
      new Set([
        { topic: 'surface', orgId: 'org_1', id: null },
        { topic: 'membership', orgId: 'org_1', id: 'usr_1' },
      ]),
    )
    t.equal(await version(), before + 1)

    await org
      .insertInto('capability_settings', { user_id: null, capability: 'memory', enabled: false, updated_at: now })
      .execute()
    await org.deleteFrom('capability_settings').execute()
    t.equal(await version(), before + 3)
  })

  await t.test('report every change of keys and agents', async t => {
    const heard = await heardDuring(database, ['api_key', 'agent'], async () => {
      const hand = acrossOrgs(db)
      await sql`insert into agents values ('org_1', 'agt_1', 'usr_1', 'Ada', 'active', now())`.execute(hand)
      await sql`insert into api_keys values
        ('org_1', 'key_1', 'usr_1', 'agt_1', '', 'hash', 'p', 'cgw', 'last', now(), null, null)`.execute(hand)
      await sql`update api_keys set revoked_at = now()`.execute(hand)
      await sql`delete from api_keys`.execute(hand)
    })
    const key = { topic: 'api_key', orgId: 'org_1', id: 'key_1' }
    t.same(heard, [{ topic: 'agent', orgId: 'org_1', id: 'agt_1' }, key, key, key])
  })

  await t.test('are merged into one per organization when many rows change at once', async t => {
    const hundred = () =>
      org.updateTable('memberships').set({ role: 'member' }).where('user_id', '!=', 'usr_0').execute()
    t.equal((await heardDuring(database, ['membership'], hundred)).length, 100)
    const more = () => org.updateTable('memberships').set({ role: 'member' }).execute()
    t.same(await heardDuring(database, ['membership'], more), [{ topic: 'membership', orgId: 'org_1', id: null }])
  })

  await t.test('are not sent for rolled-back changes', async t => {
    const heard = await heardDuring(database, ['membership', 'surface'], () =>
      org
        .transaction(async org => {
          await org.updateTable('memberships').set({ role: 'owner' }).execute()
          throw new Error('no')
        })
        .catch(() => {}),
    )
    t.same(heard, [])
  })

  await t.test('a truncated table is a reset', async t => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = events.onReset(resolve)
    const before = (await version()) ?? 0
    await sql`truncate capability_settings`.execute(acrossOrgs(db))
    await promise
    stop()
    t.equal(await version(), before + 1)
  })

  await t.test('a listener that throws, and a payload of a newer version, affect no other listener', async t => {
    const stop = events.on('agent', () => {
      throw new Error('a broken listener')
    })
    const heard = await heardDuring(database, ['agent'], async () => {
      for (const payload of ['no json', 'null', '{"topic":"newer","org_id":"org_1"}', '{"topic":"agent"}']) {
        await sql`select pg_notify('gateway_events', ${payload})`.execute(db)
      }
      await org.updateTable('agents').set({ name: 'Eve' }).execute()
    })
    stop()
    t.equal(heard.length, 1)
  })

  await t.test('a lost connection causes a reset once it is restored', onPostgres, async t => {
    const { promise, resolve } = Promise.withResolvers<void>()
    events.onReset(resolve)
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'
    `.execute(db)
    t.equal(rows.length, 1)
    await promise
    const heard = await heardDuring(database, ['agent'], () => org.updateTable('agents').set({ name: 'Eve' }).execute())
    t.equal(heard.length, 1, 'and events are heard again')
  })
})

t.test('queries are published to subscribers, without their parameters', async t => {
  const { db } = await testDatabase(t)
  const heard: unknown[] = []
  const hear = (message: unknown) => heard.push(message)
  await sql`select 'before'`.execute(db)
  subscribe('connector-gateway:query', hear)
  await sql`select ${'secret'}::text`.execute(db)
  await t.rejects(sql`select 1 / ${0}::int`.execute(db))
  unsubscribe('connector-gateway:query', hear)
  t.match(heard, [
    { sql: 'select $1::text', durationMs: Number },
    { sql: 'select 1 / $1::int', error: { code: '22012' } },
  ])
  t.equal(heard.length, 2)
  t.notMatch(JSON.stringify(heard), 'secret')
})

t.test('an unavailable database is distinguished from errors of the query', async t => {
  const withCode = (code: string) => Object.assign(new Error('…'), { code })
  const away = [
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE'].map(withCode),
    ...['57P01', '57P02', '57P03', '53300', '08006', '08001'].map(withCode),
    new DatabaseTimeout('late'),
    new Error('Query read timeout'),
    new Error('wrapped', { cause: withCode('ECONNRESET') }),
    new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
  ]
  for (const error of away) t.equal(isDatabaseUnavailable(error), true, `${error}`)
  for (const error of [...['23505', '22P02', '42P01', '40001'].map(withCode), new Error('no'), 'text', undefined]) {
    t.equal(isDatabaseUnavailable(error), false, `${error}`)
  }
  const database = await testDatabase(t)
  await database.close()
  t.equal(isDatabaseUnavailable(await rejection(database.ping())), true, 'a closed database is away')
})

t.test('a read is retried once when its connection fails, but not for errors of the query', async t => {
  const failing = (times: number, error: Error) => {
    let calls = 0
    return async () => {
      calls += 1
      if (calls <= times) throw error
      return calls
    }
  }
  const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET' })
  t.equal(await retryRead(failing(1, cut)), 2)
  await t.rejects(retryRead(failing(2, cut)), { code: 'ECONNRESET' })
  await t.rejects(retryRead(failing(1, new Error('syntax'))), { message: 'syntax' })
  await t.rejects(withDeadline(new Promise(() => {}), 1), { name: 'DatabaseTimeout' })

  let tries = 0
  const slowly = mock.method(performance, 'now', () => tries * 8_000)
  const late = retryRead(async () => {
    tries++
    throw cut
  })
  await t.rejects(late, { code: 'ECONNRESET' })
  slowly.mock.restore()
  t.equal(tries, 1, 'nor when the first try took 8 s')
})

t.test('PostgreSQL is unreachable', onPostgres, async t => {
  // Most of their time they wait.
  t.jobs = 4
  const buffered = { buffered: true }
  t.test('a server that refuses connections is unavailable at once, and the process survives', buffered, async t => {
    const { db, ping } = await open(t, { postgres: { url: 'postgres://nobody@127.0.0.1:1/none' } })
    t.equal(isDatabaseUnavailable(await rejection(sql`select 1`.execute(db))), true)
    await t.rejects(ping())
  })

  t.test('a connection is not reused after a query timed out on it', buffered, async t => {
    const proxy = await faultProxy(t, await testPostgres(t, server))
    const limits = { queryTimeoutMs: 2_000, connectTimeoutMs: 2_000, maxConnections: 4 }
    const { db, events } = await open(t, { postgres: { url: proxy.url, directUrl: server, ...limits } })
    const ask = () => sql`select 1`.execute(db)
    await Promise.all([ask(), ask(), ask(), ask()])

    proxy.blackhole()
    const late = await Promise.allSettled([ask(), ask(), ask(), ask()])
    for (const each of late) {
      t.equal(each.status === 'rejected' && isDatabaseUnavailable(each.reason), true)
    }
    const begun = db.transaction().execute(trx => sql`select 1`.execute(trx))
    t.equal(isDatabaseUnavailable(await rejection(begun)), true, 'new connections time out too')
    await proxy.heal()
    await Promise.all([ask(), ask(), ask(), ask()])
    t.ok(events)
  })

  t.test(
    'a transaction on a frozen connection fails as unavailable, and the connection is closed',
    buffered,
    async t => {
      const proxy = await faultProxy(t, await testPostgres(t, server))
      const limits = { queryTimeoutMs: 2_000, connectTimeoutMs: 2_000, maxConnections: 1 }
      const { db } = await open(t, { postgres: { url: proxy.url, directUrl: server, ...limits } })
      const failed = db.transaction().execute(async trx => {
        await sql`select 1`.execute(trx)
        proxy.blackhole()
        await sql`select 1`.execute(trx)
      })
      t.equal(isDatabaseUnavailable(await rejection(failed)), true)
      await proxy.heal()
      t.equal((await sql`select 1`.execute(db)).rows.length, 1)
    },
  )

  t.test('a read is retried when its backend was terminated', buffered, async t => {
    const url = await testPostgres(t, server)
    const { db } = await open(t, { postgres: { url, maxConnections: 1 } })
    const other = await open(t, { postgres: { url, maxConnections: 1 } })
    await sql`select 1`.execute(db)
    const killing = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db)
    t.equal((await retryRead(async () => (await sql`select 1`.execute(db)).rows)).length, 1)
    await killing
    t.equal((await retryRead(async () => (await sql`select 1`.execute(db)).rows)).length, 1)
  })

  t.test(
    'only one query waits for a dead server: idle connections are dropped with the first that times out',
    buffered,
    async t => {
      const proxy = await faultProxy(t, await testPostgres(t, server))
      const limits = { queryTimeoutMs: 2_000, connectTimeoutMs: 2_000, maxConnections: 4 }
      const { db } = await open(t, { postgres: { url: proxy.url, directUrl: server, ...limits } })
      const ask = () => sql`select 1`.execute(db)
      await Promise.all([ask(), ask(), ask(), ask()])
      proxy.blackhole()
      await proxy.heal()
      t.equal(isDatabaseUnavailable(await rejection(ask())), true)
      for (let i = 0; i < 4; i++) t.equal((await ask()).rows.length, 1)
    },
  )

  t.test('a frozen database is closed within 5 s, whatever runs on it', buffered, async t => {
    const proxy = await faultProxy(t, await testPostgres(t, server))
    const { db, close } = await open(t, { postgres: { url: proxy.url, queryTimeoutMs: 60_000 } })
    const ask = () => sql`select 1`.execute(db)
    await Promise.all([ask(), ask(), ask()])
    proxy.blackhole()
    const running = rejection(ask())
    await delay(50)
    t.ok((await waitedMs(close)) < 5_000)
    t.equal(isDatabaseUnavailable(await running), true)
  })

  t.test('a server that is frozen from the start blocks only pings, not the start', buffered, async t => {
    const proxy = await faultProxy(t, server)
    proxy.blackhole()
    const { ping } = await open(t, { postgres: { url: proxy.url, queryTimeoutMs: 100, connectTimeoutMs: 100 } })
    t.equal(isDatabaseUnavailable(await rejection(ping())), true)
  })
})

t.test('other users of the machine cannot access the files of the embedded database', async t => {
  const dataDir = await testDataDir(t)
  chmodSync(join(dataDir, 'db'), 0o755)
  const database = await openDatabase({ dataDir, log: silent })
  t.teardown(() => database.close())
  t.equal(statSync(join(dataDir, 'db')).mode & 0o777, 0o700)
})

t.test('the embedded database', async t => {
  const skip = testDatabaseUrl === undefined ? {} : { skip: 'PostgreSQL has many sessions' }
  await t.test('fails a query that waits for its own transaction, and keeps working', skip, async t => {
    const { db } = await testDatabase(t)
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const stuck = db.transaction().execute(async trx => {
      await sql`select 1`.execute(trx)
      const waiting = rejection(sql`select 1`.execute(db))
      await new Promise(setImmediate)
      mock.timers.tick(10_000)
      throw await waiting
    })
    const behind = [1, 2, 3].map(number => sql<{ n: number }>`select ${number}::int as n`.execute(db))
    await t.rejects(stuck, { name: 'DatabaseTimeout', message: /the handle it passes/ })
    const answers = await Promise.all(behind.map(rejection))
    t.equal(answers.filter(isDatabaseUnavailable).length, 3)
    t.equal((await sql`select 1`.execute(db)).rows.length, 1)
  })

  await t.test('passes from one test to the next without data of the previous one', skip, async t => {
    const before = await testDatabase(t)
    await addMembers(before, 1)
    const { promise: closed, resolve: goOn } = Promise.withResolvers<void>()
    const late = before.db.connection().execute(async connection => {
      await closed
      return sql`select 1`.execute(connection)
    })
    await before.close()
    const after = await testDatabase(t)
    t.same(await after.db.selectFrom('users').selectAll().execute(), [])
    t.notOk(await after.migrationsPending())
    goOn()
    t.ok(isDatabaseUnavailable(await rejection(late)))
    await sql`alter table users add column nickname text`.execute(after.db)
    await after.close()
    const { db } = await testDatabase(t)
    await t.rejects(sql`select nickname from users`.execute(db), { code: '42703' })
  })

  await t.test('belongs to one process, which the error names', async t => {
    const dataDir = await testDataDir(t)
    const first = await open(t, { dataDir })
    await t.rejects(openDatabase({ dataDir, log: silent }), { message: new RegExp(`process ${process.pid}\\b`) })
    await first.close()
    await (await open(t, { dataDir })).ping()
  })

  await t.test('keeps acknowledged commits when its process is killed', async t => {
    const dataDir = await testDataDir(t)
    const script = fileURLToPath(new URL('../fixtures/embedded-writer.ts', import.meta.url))
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await t.rejects(lockDirectory(join(dataDir, 'db.lock'), { waitMs: 0 }), {
      message: new RegExp(`process ${child.pid}\\b`),
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { db } = await open(t, { dataDir })
    t.match(await db.selectFrom('organizations').selectAll().execute(), [{ id: 'org_1', created_at: now }])
  })
})

t.test('a lock can be taken right after kill -9 of its holder, before the process disappears', async t => {
  const file = join(t.testdir(), 'db.lock')
  for (let round = 1; round <= 5; round++) {
    const holder = await lockHolder(t, file)
    holder.kill('SIGKILL')
    t.ok(exists(holder.pid), 'the killed process is still there: this process has not collected it')
    const lock = await lockDirectory(file)
    t.equal(JSON.parse(readFileSync(file, 'utf8')).pid, process.pid)
    lock.release()
  }
})

t.test('a zombie, whose parent never collects it, does not hold a lock', { skip: notLinux }, async t => {
  const file = join(t.testdir(), 'db.lock')
  // `sleep` replaces the shell that started the holder, and never collects its child.
  const holder = await lockHolder(t, file, '"$0" "$@" & exec sleep 600')
  const { pid } = JSON.parse(readFileSync(file, 'utf8'))
  process.kill(pid, 'SIGKILL')
  t.not(pid, holder.pid)
  const lock = await lockDirectory(file)
  t.ok(exists(pid), 'the killed process still has its pid')
  lock.release()
})

t.test('a start waits for a holder that is stopping', async t => {
  const file = join(t.testdir(), 'db.lock')
  await lockHolder(t, file)
  const waiting = lockDirectory(file, { waitMs: 60_000 })
  rmSync(file)
  ;(await waiting).release()
})

t.test('a lock is taken over only from a process that is gone', async t => {
  const holder = (pid: number, changes: object = {}) =>
    JSON.stringify({ pid, origin: performance.timeOrigin, started: null, ...changes })
  const stale: Record<string, string> = {
    'a process that ended': holder(2 ** 22 + 1),
    'an earlier run with our pid, as in a container': holder(process.pid, { origin: 1 }),
    'another process that was given the pid since': holder(process.ppid, { started: 'earlier' }),
    'a process that died while it wrote': '',
  }
  for (const [name, text] of Object.entries(stale)) {
    const file = join(t.testdir(), 'db.lock')
    writeFileSync(file, text)
    const lock = await lockDirectory(file)
    t.equal(JSON.parse(readFileSync(file, 'utf8')).pid, process.pid, name)
    await t.rejects(lockDirectory(file), /in use by process/)
    lock.release()
    t.same(readdirSync(t.testdirName), [], 'and is gone when it is released')
  }
  const file = join(t.testdir(), 'db.lock')
  writeFileSync(file, holder(process.ppid))
  await t.rejects(lockDirectory(file, { waitMs: 0 }), {
    message: new RegExp(`process ${process.ppid}\\b.*DATABASE_URL`),
  })
})
