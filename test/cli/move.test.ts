import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { columnsOf, fingerprint, prepareCopy } from '../../cli/move/copy-database.ts'
import { moveArtifacts } from '../../cli/move/move-artifacts.ts'
import { type Moved, moveEmbedded } from '../../cli/move/move-embedded.ts'
import { MIGRATION_TABLES, MOVED_TABLES } from '../../cli/move/moved-tables.ts'
import { movedWarning, readMoved } from '../../lib/database/moved-marker.ts'
import { type OpenDatabase, openDatabase } from '../../lib/database/open-database.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { createS3Store } from '../../services/artifacts/s3-store.ts'
import { loadMoveConfig } from '../../services/settings/move.ts'
import { build } from '../fixtures/build.ts'
import { silent, testDatabase } from '../fixtures/database.ts'
import { vaultKeys } from '../fixtures/grant-fixture.ts'
import { callerOfApp } from '../fixtures/journey-fixture.ts'
import { filledSource, moveSettings } from '../fixtures/move-fixture.ts'
import { startS3 } from '../fixtures/s3-double.ts'

// Embedded database: it is what is moved.

/** One source for all tests. A move only reads it. */
const source = await filledSource(t)
const opened = source.database
const openSource = async () => ({ ...opened, close: async () => {} })

/** Moves to a database that stays open. */
async function move(
  t: Test,
  {
    dataDir = source.dataDir,
    target,
    ...options
  }: Partial<Parameters<typeof moveEmbedded>[0]> & { dataDir?: string; target?: OpenDatabase } = {},
): Promise<Moved & { target: OpenDatabase }> {
  const database = target ?? (await testDatabase(t))
  const moved = await moveEmbedded({
    settings: moveSettings(dataDir),
    log: silent,
    say: () => {},
    isRunning: async () => false,
    openSource,
    openTarget: async () => ({ ...database, close: async () => {} }),
    ...options,
  })
  return { ...moved, target: database }
}

async function rowsIn({ db }: Pick<OpenDatabase, 'db'>): Promise<number> {
  let rows = 0
  for (const table of Object.keys(MOVED_TABLES)) {
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(acrossOrgs(db))
    rows += counted.rows[0]?.n ?? 0
  }
  return rows
}

t.test('the list of moved tables names every table of the schema, after those that it refers to', async t => {
  const { db } = await testDatabase(t)
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1
  `.execute(acrossOrgs(db))
  const names = tables.map(({ name }) => name)
  t.same([...Object.keys(MOVED_TABLES), ...MIGRATION_TABLES].sort(), names, 'decide in cli/move/moved-tables.ts')

  const { rows: references } = await sql<{ from: string; to: string }>`
    select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
  `.execute(acrossOrgs(db))
  const order = Object.keys(MOVED_TABLES)
  t.ok(references.length > 20)
  t.same(
    references.filter(({ from, to }) => order.indexOf(to) >= order.indexOf(from)),
    [],
  )
  const { rows: generated } = await sql`
    select attrelid::regclass::text, attname from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and (attgenerated <> '' or attidentity <> '')
    union all select relname, 'sequence' from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
  `.execute(acrossOrgs(db))
  t.same(generated, [], 'a move sets no sequence')
})

t.test('everything arrives equal, and a gateway in production mode serves it', async t => {
  const sums = await fingerprints(opened)
  t.same(
    Object.entries(sums).filter(([, { rows }]) => rows === 0),
    [],
    'the source has rows in every table',
  )
  const credits = await sql<{ n: number }>`
    select count(*) as n from ledger_postings where description = 'Credit to try tools with'`.execute(opened.db)

  const toDataDir = t.testdir()
  const { target, ...moved } = await move(t, { toDataDir })
  t.same(
    moved.tables.map(({ table }) => table),
    Object.keys(MOVED_TABLES),
  )

  await t.test('nothing but the ends of holds, and the credits and plans of development, differs', async t => {
    const after = await fingerprints(target)
    const changed = Object.keys(sums).filter(table => sums[table]?.sum !== after[table]?.sum)
    const expected = ['memory_totals', 'jobs', 'audit', 'reconciliations']
    const money = [
      'wallets',
      'holds',
      'key_months',
      'ledger_postings',
      'ledger_entries',
      'subscriptions',
      'plan_grants',
    ]
    t.same(
      changed.filter(table => ![...expected, ...money].includes(table)),
      [],
    )
    t.same(
      money.filter(table => !changed.includes(table)),
      [],
    )
    t.equal(after.audit?.rows, (sums.audit?.rows ?? 0) + moved.reversed.length + 1, 'the end of a plan')
    t.equal(after.ledger_postings?.rows, (sums.ledger_postings?.rows ?? 0) + moved.reversed.length + 1, 'its credits')
    t.equal(after.reconciliations?.rows, (sums.reconciliations?.rows ?? 0) + 1, 'the hold that was overdue')
  })

  await t.test('a plan that nobody paid for ends, and its unused credits are taken back', async t => {
    const db = acrossOrgs(target.db)
    const plans = await sql`select s.id, status, expired_micros > 40000000 as expired from subscriptions as s
      join plan_grants as g on g.subscription_id = s.id order by s.id`.execute(db)
    t.same(plans.rows, [
      { id: 'pln_1', status: 'active', expired: null },
      { id: 'pln_2', status: 'canceled', expired: true },
    ])
  })

  await t.test('the totals of memories and results count what is stored', async t => {
    const db = acrossOrgs(target.db)
    const { rows: totals } = await sql`
      select org_id, user_id, memories, bytes from memory_totals where memories > 0 order by 1, 2 nulls first`.execute(
      db,
    )
    const { rows: counted } = await sql`
      select org_id, user_id, count(*) as memories, sum(pg_column_size(memory) + pg_column_size(search))::int8 as bytes
      from memories group by grouping sets ((org_id), (org_id, user_id)) order by 1, 2 nulls first`.execute(db)
    t.same(totals, counted)
    const { rows: results } = await sql<{ differ: boolean }>`
      select sum(bytes) is distinct from (select sum(result_bytes) from idempotency) as differ from result_totals
    `.execute(db)
    t.same(results, [{ differ: false }])
    // The trigger finds the row of each slot again.
    await sql`delete from idempotency where result_bytes > 0`.execute(db)
    t.same((await sql`select from result_totals`.execute(db)).rows.length, 0)
  })

  const playMoney = moved.reversed.filter(({ amountMicros }) => amountMicros === 30_000)
  t.match(playMoney, [{ id: /^txn_/ }], 'the payment of the built-in provider')
  t.equal(moved.reversed.length, (credits.rows[0]?.n ?? 0) + 1)
  t.ok(moved.reversed.length >= 2)
  for (const { amountMicros, id } of moved.reversed)
    t.match([[5_000_000, 30_000].includes(amountMicros), id], [true, /^txn_/])
  t.same(moved.ledger.found, 0)
  t.same(moved.sealed.lost, 0)
  t.ok(moved.sealed.sealed >= 3)
  t.match(moved.rejectedKeys, [
    { prefix: /^cgw_dev_/, name: 'laptop', email: 'ada@example.test', userId: source.userId, agentId: null },
    { prefix: /^cgw_dev_/, agentId: /^agt_/ },
  ])
  t.equal(moved.rejectedKeys.length, 2, 'not the revoked one')
  const file = join(toDataDir, 'artifacts', source.artifact.id)
  t.equal(readFileSync(file, 'utf8'), source.artifact.content)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(moved.artifacts, { files: 1, bytes: source.artifact.content.length, damaged: [] })
  t.match(readMoved(source.dataDir), { host: 'db.example', database: 'gateway', moved_at: /Z$/ })
  t.notMatch(readFileSync(join(source.dataDir, 'moved'), 'utf8'), 'secretive')
  t.match(
    movedWarning(source.dataDir),
    /was moved to PostgreSQL on db\.example \(database gateway\) at .* Set DATABASE_URL/,
  )
  t.equal(movedWarning(toDataDir), undefined)

  const { peppers, vaultKeys } = moveSettings(source.dataDir)
  const settings = { environment: 'production', dataDir: toDataDir, peppers, vaultKeys } as const
  const built = await build(t, { database: target, settings, connectors: [source.connector] })
  const { orgId, userId } = source
  const old = callerOfApp(built, { 'x-api-key': source.key })
  t.match(await old.call('memory__list_memories'), { status: 401, outcome: 'invalid_api_key' })
  const { key } = await built.services.keys.create({ orgId, userId, by: 'operator' })
  const { call, tools } = callerOfApp(built, { 'x-api-key': key })
  t.same([...(await tools('vaulted')).keys()], ['vaulted__list_sites'])
  t.match((await call('memory__search_memory', { query: 'demo friday' })).text, 'The demo is on Friday.')
  t.match((await call('vaulted__list_sites')).data, { items: [{ id: 's1' }] }, 'the sealed credential opens')
  const { pathname, search } = new URL(source.artifactUrl)
  const served = await built.app.inject({ url: pathname + search })
  t.equal(served.body, source.artifact.content, 'a URL from before the move works')
  t.equal((await built.services.auditLedger()).found, 0)
})

t.test(
  'a target that has data is rejected and stays unchanged; the schedules of a started gateway do not count as data',
  async t => {
    // An earlier test moved to a database of the same name.
    rmSync(join(source.dataDir, 'moved'), { force: true })
    const target = await testDatabase(t)
    const hand = acrossOrgs(target.db)
    await sql`insert into users (id, created_at) values ('usr_1', now())`.execute(hand)
    await t.rejects(move(t, { target }), {
      name: 'UsageError',
      message: /^The database of DATABASE_URL is not empty: it has rows in users\. .* Nothing was changed\.$/,
    })
    t.equal(await rowsIn(target), 1)
    await sql`delete from users`.execute(hand)
    await sql`insert into jobs (id, kind, payload, run_at, dedupe, created_at)
    values ('every:billing.audit', 'billing.audit', '{}', now(), 'every:billing.audit', now())`.execute(hand)
    const { tables } = await move(t, { target })
    t.match(tables, [{ table: 'organizations', rows: 2 }])
    t.ok((await rowsIn(target)) > 1_000)
    const { database } = moveSettings(source.dataDir)
    const again = {
      message: /^Already moved: at \d{4}-\S+Z, .* \(gateway on db\.example\)\. .*secrets\.json\. Nothing/,
    }
    await t.rejects(move(t, { target }), again)
    const url = database?.url.replace(/gateway$/, 'other') ?? ''
    const settings = moveSettings(source.dataDir, { database: { url, directUrl: url } })
    await t.rejects(move(t, { target, settings }), {
      message: /is not empty: it has rows in organizations, users, user_subjects and \d\d other tables\. /,
    })
  },
)

t.test('a directory is rejected while a gateway runs on it, and one without a database', async t => {
  const inUse = { name: 'UsageError', message: /^A gateway runs on .*\. Stop it, then run this command again\. / }
  await t.rejects(move(t, { isRunning: async () => true }), inUse)
  const openInUse = () => openDatabase({ dataDir: source.dataDir, log: silent })
  await t.rejects(move(t, { openSource: openInUse }), inUse)
  const dataDir = t.testdir()
  const nothing = {
    name: 'UsageError',
    message: /^There is no embedded database in .*\. Set DATA_DIR to the directory/,
  }
  t.throws(() => loadMoveConfig({ DATA_DIR: dataDir }), nothing, 'not that secrets are missing')
  await t.rejects(move(t, { settings: moveSettings(dataDir) }), nothing)
  t.notOk(existsSync(join(dataDir, 'db')), 'and none was created')
  const settings = moveSettings(source.dataDir, { database: undefined })
  const message = await move(t, { settings }).then(String, error => error.message)
  t.match(message, /^Set DATABASE_URL to the PostgreSQL database/)
  t.equal(createScrubber().text(message), message, 'the output of the command redacts nothing of it')
})

t.test(
  'secrets that do not open what is moved are rejected, and older keys behind the own ones are enough',
  async t => {
    const target = await testDatabase(t)
    const { dataDir } = source
    const own = vaultKeys('own')
    const { embedded } = moveSettings(dataDir)
    const [vaultKey, pepper] = [embedded?.vaultKeys[0], embedded?.peppers[0]]
    if (vaultKey === undefined || pepper === undefined) throw new Error('The source has no secrets')
    const rejected = (overrides: Parameters<typeof moveSettings>[1], message: RegExp) =>
      t.rejects(move(t, { target, settings: moveSettings(dataDir, overrides) }), { name: 'UsageError', message })
    const lacking =
      /^VAULT_KEYS does not open 4 of 4 sealed values .* Leave VAULT_KEYS unset .*secrets\.json.* Nothing was copied/
    await rejected({ vaultKeys: own }, lacking)
    await rejected({ vaultKeys: vaultKeys('dev') }, lacking)
    await rejected(
      { vaultKeys: own, embedded: undefined },
      /^VAULT_KEYS does not open 4 .* Set VAULT_KEYS to what its gateway used/,
    )
    const environment = 'development'
    await rejected({ environment, peppers: own }, /^API_KEY_PEPPERS does not match 2 of 2 API keys/)
    await rejected({ environment, peppers: vaultKeys('dev') }, /^API_KEY_PEPPERS does not match 2 of 2 API keys/)
    t.equal(await rowsIn(target), 0)

    // Production rejects the keys of development anyway, so their pepper is not needed there.
    const settings = moveSettings(dataDir, { vaultKeys: [...own, vaultKey], peppers: own })
    const moved = await move(t, { target, settings })
    t.match(moved.sealed, { sealed: 4, lost: 0 })
    t.equal(moved.rejectedKeys.length, 2)
  },
)

t.test('in development and staging the credit stays, and in development the keys work', async t => {
  const settings = moveSettings(source.dataDir, { environment: 'development' })
  const { target, ...moved } = await move(t, { settings })
  t.match(moved, { reversed: [], rejectedKeys: [] })
  const { peppers, vaultKeys } = settings
  const built = await build(t, { database: target, settings: { peppers, vaultKeys }, connectors: [source.connector] })
  const { call } = callerOfApp(built, { 'x-api-key': source.key })
  t.match((await call('vaulted__list_sites')).data, { items: [{ id: 's1' }] })
})

t.test('a move that fails in the middle leaves the target empty, and the next one succeeds', async t => {
  const target = await testDatabase(t)
  const cut: OpenDatabase = {
    ...target,
    onDirectConnection: (work, signal) =>
      target.onDirectConnection(async direct => {
        const failing = direct.withPlugin({
          transformQuery({ node }) {
            if (JSON.stringify(node).includes('insert into ') && JSON.stringify(node).includes('"ledger_postings"'))
              throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
            return node
          },
          transformResult: async ({ result }) => result,
        })
        return work(failing)
      }, signal),
  }
  await t.rejects(move(t, { target: cut }), {
    name: 'UsageError',
    message: /^The connection to the database of DATABASE_URL failed: read ECONNRESET\. The database is still empty/,
  })
  t.equal(await rowsIn(target), 0)
  t.match((await move(t, { target })).ledger, { found: 0 })
})

t.test('rows that arrive changed, or do not arrive, end the move with an empty target', async t => {
  for (const [result, message] of [
    ['null', /^The copy of users differs: \d+ rows were read, 0 arrived\. The target stays empty\.$/],
    [
      `new.email := 'x'; return new`,
      /^The copy of users differs: (\d+) rows were read, \1 arrived, and their content is not the same\./,
    ],
  ] as const) {
    const target = await testDatabase(t)
    const hand = acrossOrgs(target.db)
    const body = result === 'null' ? 'return null' : result
    await sql.raw(`create function spoil() returns trigger language plpgsql as $$ begin ${body}; end $$`).execute(hand)
    await sql`create trigger spoil before insert on users for each row execute function spoil()`.execute(hand)
    await t.rejects(move(t, { target }), { name: 'UsageError', message })
    t.equal(await rowsIn(target), 0)
  }
})

t.test('a ledger with differences is not moved', async t => {
  const change = (micros: number) =>
    sql`update wallets set balance_micros = balance_micros + ${micros}::int where org_id = ${source.orgId}`.execute(
      opened.db,
    )
  await change(1)
  const target = await testDatabase(t)
  await t.rejects(move(t, { target }), {
    name: 'UsageError',
    message: /^The ledger of the embedded database has 1 difference\. Repair it there.*The balance of/,
  })
  t.equal(await rowsIn(target), 0)
  await change(-1)
})

t.test('files that cannot be stored end the move', async t => {
  rmSync(join(source.dataDir, 'moved'), { force: true })
  const toDataDir = t.testdir({ artifacts: 'a file in the way' })
  const target = await testDatabase(t)
  await t.rejects(move(t, { target, toDataDir }), {
    name: 'UsageError',
    message:
      /^Cannot store .*artifacts \(EEXIST\)\. Check the disk and the rights of --to-data-dir\. Nothing was moved\.$/,
  })
  t.equal(await rowsIn(target), 0)
  t.equal(readMoved(source.dataDir), undefined, 'nothing says that the data was moved')
})

t.test('files are copied once, a damaged copy is replaced, and missing or damaged originals are reported', async t => {
  const [from, to] = [join(t.testdir(), 'from'), join(t.testdir(), 'to')]
  cpSync(join(source.dataDir, 'artifacts'), from, { recursive: true })
  const run = () => moveArtifacts({ db: opened.db, clock: { now: Date.now }, from, to })
  const { id, content } = source.artifact
  const whole = { files: 1, bytes: content.length, damaged: [] }
  t.same(await run(), whole)
  const stored = statSync(join(to, id))
  t.same(await run(), whole)
  t.equal(statSync(join(to, id)).ino, stored.ino)
  writeFileSync(join(to, id), 'cut')
  t.same(await run(), whole)
  t.equal(readFileSync(join(to, id), 'utf8'), content)
  t.same(readdirSync(to), [id], 'no partial file stays')

  writeFileSync(join(from, id), 'cut')
  const damaged = { files: 0, bytes: 0, damaged: [id] }
  t.same(await run(), damaged)
  rmSync(join(from, id))
  t.same(await run(), damaged)
})

t.test('files are moved to the bucket of the settings, and those that are there already stay', async t => {
  const root = t.testdir()
  const s3 = await startS3({ directory: join(root, 's3') })
  t.teardown(s3.close)
  const from = join(root, 'from')
  cpSync(join(source.dataDir, 'artifacts'), from, { recursive: true })
  const store = createS3Store(s3.settings)
  const run = (to = store) => moveArtifacts({ db: opened.db, clock: { now: Date.now }, from, to })
  const { id, content } = source.artifact
  const whole = { files: 1, bytes: content.length, damaged: [] }
  t.same(await run(), whole)
  t.equal(await text((await store.read(id)) ?? Readable.from([])), content)
  t.same(await run(), whole)
  t.equal(s3.log.filter(request => request.startsWith('PUT')).length, 1)
  rmSync(join(from, id))
  t.same(await run(), whole, 'the gateway on the embedded database used the bucket')
  await store.remove([id])
  t.same(await run(), { files: 0, bytes: 0, damaged: [id] })

  writeFileSync(join(from, id), content)
  await t.rejects(run(createS3Store({ ...s3.settings, bucket: 'missing' })), {
    name: 'UsageError',
    message: /^Cannot store art_\w+ in the bucket \(.*\)\. Check ARTIFACTS_S3_BUCKET and the rights in it\. Nothing/,
  })
  const artifactsS3 = s3.settings
  const target = await testDatabase(t)
  await t.rejects(move(t, { target, toDataDir: root, settings: { ...moveSettings(source.dataDir), artifactsS3 } }), {
    name: 'UsageError',
    message: /^Omit --to-data-dir/,
  })
})

t.test('a source of a newer version is rejected', async t => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '')`.execute(opened.db)
  await t.rejects(move(t), {
    name: 'UsageError',
    message: /^The embedded database in .* was migrated by a newer version \(9999_later\)\. Use that version/,
  })
  await sql`delete from kysely_migration where name = '9999_later'`.execute(opened.db)
})

async function fingerprints({ db }: Pick<OpenDatabase, 'db'>) {
  return acrossOrgs(db)
    .transaction()
    .execute(async trx => {
      await prepareCopy(trx)
      const sums: Record<string, Awaited<ReturnType<typeof fingerprint>>> = {}
      for (const table of Object.keys(MOVED_TABLES))
        sums[table] = await fingerprint(trx, { table, columns: await columnsOf(trx, table) })
      return sums
    })
}
