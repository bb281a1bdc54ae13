import { type Kysely, type RawBuilder, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { OpenDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** The index over words of all organizations, which migration 0001 creates. */
const OLD_INDEX = 'memories_search'
/** The index whose words begin with their organization, so that a search reads only entries of its own. */
const INDEX = 'memories_search_by_org'
/** Without a pending list, which every search would have to read, whichever organization's rows are on it. */
const DEFINITION = sql.raw(
  `${INDEX} on memories using gin (gateway_org_search(org_id, search)) with (fastupdate = off)`,
)

const CONCURRENTLY = sql.raw('concurrently')
const NOTHING = sql.raw('')

/** insufficient_privilege */
const NOT_PERMITTED = '42501'

const KIND = 'memories.search_index'
const HOUR_MS = 3_600_000
/** How long a process may search with the old index after the other one is complete. Shorter than a job's lease. */
const RECHECK_MS = 30_000
/** The embedded database answers nothing while it builds an index: up to about 1 ms for each memory. */
const EMBEDDED_MEMORIES = 20_000

/** Creates a check whether searches can use the index by organization. It asks the database every 30 s. */
export function createIndexCheck({ db, clock }: Pick<Infrastructure, 'db' | 'clock'>): () => Promise<boolean> {
  let known: { isValid: boolean; at: number } | undefined
  return async () => {
    if (known === undefined || Math.abs(clock.now() - known.at) >= RECHECK_MS)
      known = { isValid: (await stateOf(INDEX, db)) === 'valid', at: clock.now() }
    return known.isValid
  }
}

/** Defines the job that builds the index by organization and then drops the old one, and runs it every hour. */
export function defineMemoryIndex(
  jobs: Jobs,
  { db, engine, onDirectConnection }: Pick<OpenDatabase, 'db' | 'engine' | 'onDirectConnection'>,
): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    if ((await stateOf(INDEX, db)) === 'valid' && (await stateOf(OLD_INDEX, db)) === 'absent') return
    if (engine === 'pglite') return advanceEmbedded(acrossOrgs(db), log)
    try {
      await onDirectConnection(direct => advance(direct, log), signal)
    } catch (error) {
      if (signal.aborted)
        log.info('this process no longer waits for the index of memories; the database may still build it')
      else if (errorCode(error) === NOT_PERMITTED)
        log.warn({ err: error }, 'only the owner of the table memories can build its index: see docs/deployment.md')
      else throw error
    }
  })
  jobs.every(KIND, HOUR_MS)
}

/** Does the next step on PostgreSQL, without blocking readers or writers. */
async function advance(db: Kysely<Database>, log: Logger): Promise<void> {
  // Each step waits until older transactions have ended, however long that takes.
  await sql`set lock_timeout = 0`.execute(db)
  await sql`set statement_timeout = 0`.execute(db)
  // A server goes on building after the process that asked for it was killed. Never waits: the build itself would wait
  // for the transaction that waits for the lock.
  const lock = await sql<{ held: boolean }>`select pg_try_advisory_lock(hashtext(${INDEX})) as held`.execute(db)
  if (lock.rows[0]?.held !== true) {
    log.info({ index: INDEX }, 'another connection builds the index of memories')
    return
  }
  const state = await stateOf(INDEX, db)
  if (state === 'valid') return dropOld(db, log, CONCURRENTLY)
  if (state === 'invalid') {
    log.warn({ index: INDEX }, 'the index of memories is incomplete and is built again')
    await sql`drop index concurrently if exists ${sql.raw(INDEX)}`.execute(db)
  }
  await build(db, log, CONCURRENTLY)
  // The planner does not know yet how frequent the indexed words are.
  await sql`analyze memories`.execute(db)
}

/** Does the next step on the embedded database. Its plain statements leave no incomplete index. */
async function advanceEmbedded(db: Kysely<Database>, log: Logger): Promise<void> {
  if ((await stateOf(INDEX, db)) === 'valid') return dropOld(db, log, NOTHING)
  const { memories } = await db
    .selectFrom('memories')
    .select(eb => eb.fn.countAll<number>().as('memories'))
    .executeTakeFirstOrThrow()
  if (memories <= EMBEDDED_MEMORIES) return build(db, log, NOTHING)
  log.info({ memories, atMost: EMBEDDED_MEMORIES }, 'the embedded database keeps its old index of memories')
}

async function build(db: Kysely<Database>, log: Logger, concurrently: RawBuilder<unknown>): Promise<void> {
  const started = performance.now()
  log.info({ index: INDEX }, 'building the index of memories')
  await sql`create index ${concurrently} ${DEFINITION}`.execute(db)
  log.info({ index: INDEX, ms: Math.round(performance.now() - started) }, 'built the index of memories')
}

/** Runs an hour after the build or later: by then all processes search with the new index. */
async function dropOld(db: Kysely<Database>, log: Logger, concurrently: RawBuilder<unknown>): Promise<void> {
  await sql`drop index ${concurrently} if exists ${sql.raw(OLD_INDEX)}`.execute(db)
  log.info({ index: OLD_INDEX }, 'dropped the old index of memories')
}

type IndexState = 'valid' | 'invalid' | 'absent'

async function stateOf(index: string, db: Kysely<Database>): Promise<IndexState> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`.execute(db)
  const [row] = rows
  if (row === undefined) return 'absent'
  return row.valid ? 'valid' : 'invalid'
}
