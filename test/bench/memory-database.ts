import { sql } from 'kysely'
import { pino } from 'pino'
import { type OpenDatabase, openDatabase } from '../../lib/database/open-database.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import { defineMemoryIndex } from '../../services/memory/search-index.ts'
import { searchVector } from '../../services/memory/search-text.ts'
import { createDatabase } from './bench-database.ts'

/** A migrated database with memories of some organizations, and how long the job took to build the index. */
export interface MemoryDatabase {
  database: OpenDatabase
  buildMs: number
  remove(): Promise<void>
}

/** An organization and the number of its memories. All of them are visible to its only user, `usr_<id>`. */
export interface MemoryOrganization {
  id: string
  memories: number
}

const TEMPLATES = 20_000
const HOUR_MS = 3_600_000
const log = pino({ level: 'silent' })

/** Creates a database on this server, and fills it from the templates: rows of all organizations alternate. */
export async function makeMemoryDatabase(
  server: string,
  organizations: readonly MemoryOrganization[],
): Promise<MemoryDatabase> {
  const { url, drop } = await createDatabase(server)
  const database = await openDatabase({ postgres: { url, queryTimeoutMs: 0 }, dataDir: '', log })
  const remove = async () => {
    await database.close()
    await drop()
  }
  try {
    await database.migrate()
    const name = sql.id(new URL(url).pathname.slice(1))
    await sql`alter database ${name} set maintenance_work_mem = '512MB'`.execute(database.db)
    await database.onDirectConnection(db => fill(db, organizations), new AbortController().signal)
    return { database, buildMs: await buildIndex(database), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function fill(db: OpenDatabase['db'], organizations: readonly MemoryOrganization[]): Promise<void> {
  const texts = madeTexts()
  const ids = organizations.map(({ id }) => id)
  const sizes = organizations.map(({ memories }) => memories)
  // The job drops the old index, too, but rows are added faster without any.
  await sql`drop index memories_search`.execute(db)
  await sql`alter table memories disable trigger user`.execute(db)
  await sql`create temporary table templates (id integer primary key, memory text, search tsvector)`.execute(db)
  await sql`insert into templates select i - 1, memory, search::tsvector
    from unnest(${texts}::text[], ${texts.map(searchVector)}::text[]) with ordinality as made (memory, search, i)
  `.execute(db)
  await sql`insert into organizations (id, name, created_at) select id, '', now() from unnest(${ids}::text[]) as id`.execute(
    db,
  )
  await sql`insert into users (id, created_at) select 'usr_' || id, now() from unnest(${ids}::text[]) as id`.execute(db)
  await sql`insert into memberships (org_id, user_id, role, created_at)
    select id, 'usr_' || id, 'owner', now() from unnest(${ids}::text[]) as id`.execute(db)
  await sql`insert into memories (org_id, id, user_id, scope, memory, search, created_at, updated_at)
    select org_id, 'mem_' || md5(org_id) || lpad(number::text, 8, '0'), 'usr_' || org_id,
      case when number % 3 = 0 then 'shared' else 'private' end, memory, search, now(), now()
    from unnest(${ids}::text[], ${sizes}::int[]) as made (org_id, size)
      cross join generate_series(0, size - 1) as number
      join templates on templates.id = number % ${TEMPLATES}
    order by (number + 0.5) / size, org_id`.execute(db)
  await sql`alter table memories enable trigger user`.execute(db)
  await sql`vacuum analyze memories`.execute(db)
}

/** Builds the index as a process does after its start. */
async function buildIndex(database: OpenDatabase): Promise<number> {
  let now = Date.now()
  let made = 0
  const ids = (prefix: string) => `${prefix}_${++made}`
  const jobs = createJobs({ db: database.db, clock: { now: () => now }, ids, log, scrub: text => text, owner: 'bench' })
  defineMemoryIndex(jobs, database)
  const started = performance.now()
  await jobs.runDue()
  const buildMs = performance.now() - started
  now += HOUR_MS
  await jobs.runDue()
  return buildMs
}

/** Returns the words with the share of memories that contain them, rarest first. */
export function wordsByFrequency(): { word: string; share: number }[] {
  const counts = new Map<string, number>()
  for (const text of madeTexts())
    for (const word of new Set(text.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => ({ word, share: count / TEMPLATES })).sort((a, b) => a.share - b.share)
}

const SYLLABLES = [
  'ka',
  'ro',
  'mi',
  'te',
  'sa',
  'lu',
  'ne',
  'vo',
  'ti',
  'ra',
  'de',
  'po',
  'shi',
  'an',
  'er',
  'in',
  'gri',
]
const VOCABULARY = 20_000

/** Texts of 20 to 40 words. The frequency of a word is inverse to its rank, as in a language. */
function madeTexts(): string[] {
  const random = mulberry32(12_345)
  const vocabulary = new Set<string>()
  while (vocabulary.size < VOCABULARY) {
    const syllables = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(SYLLABLES, random()))
    vocabulary.add(syllables.join(''))
  }
  const words = [...vocabulary].sort((a, b) => a.length - b.length)
  const word = () => words[Math.floor(words.length ** random()) - 1] ?? ''
  return Array.from({ length: TEMPLATES }, () => {
    const length = 20 + Math.floor(random() * 20)
    return Array.from({ length }, word).join(' ')
  })
}

function pick(list: readonly string[], random: number): string {
  return list[Math.floor(random * list.length)] ?? ''
}

/** Numbers from 0 to 1 that are the same in each run. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
