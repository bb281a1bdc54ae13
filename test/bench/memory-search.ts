import { createMemoryStore, type MemoryStore } from '../../services/memory/memory-store.ts'
import { MEMORY_LIMITS } from '../fixtures/settings.ts'
import { median } from './measure.ts'
import {
  type MemoryDatabase,
  type MemoryOrganization,
  makeMemoryDatabase,
  wordsByFrequency,
} from './memory-database.ts'

/** One line of the table: medians in milliseconds. */
interface MemoryLine {
  own: number
  query: string
  onlyOne: number
  withOthers: number
  /** The maximum ratio of the time with foreign rows to the time without. */
  atMost: number | undefined
}

export interface MemorySearch {
  foreign: number
  /** How long the job took to build the index over all rows. */
  buildMs: number
  lines: readonly MemoryLine[]
}

const FOREIGN = 1_000_000
const OWN = [
  { memories: 1_000, atMost: 1.3 },
  { memories: 100_000, atMost: undefined },
]
/** Searches of one line, alternating between the two databases. */
const SEARCHES = 60

/** Searches in organizations of two sizes: as the only one in a database, and in a database with a million memories of others. */
export async function measureMemorySearch(server: string): Promise<MemorySearch> {
  const own = OWN.map(({ memories }) => ({ id: `org_${memories}`, memories }))
  const opened: MemoryDatabase[] = []
  const open = async (organizations: readonly MemoryOrganization[]) => {
    const made = await makeMemoryDatabase(server, organizations)
    opened.push(made)
    return made
  }
  try {
    const withOthers = await open([...own, ...foreign()])
    const lines: MemoryLine[] = []
    for (const [i, organization] of own.entries()) {
      const onlyOne = await open([organization])
      for (const { title, query } of queries())
        lines.push({
          own: organization.memories,
          query: title,
          atMost: OWN[i]?.atMost,
          ...(await measureLine({ onlyOne, withOthers, organization, query })),
        })
    }
    return { foreign: FOREIGN, buildMs: withOthers.buildMs, lines }
  } finally {
    for (const { remove } of opened) await remove()
  }
}

/** Half of the foreign memories in many small organizations, half in a few large ones. */
function foreign(): MemoryOrganization[] {
  const of = (memories: number) =>
    Array.from({ length: FOREIGN / 2 / memories }, (_, i) => ({ id: `org_foreign_${memories}_${i}`, memories }))
  return [...of(1_000), ...of(50_000)]
}

function queries(): { title: string; query: string }[] {
  const words = wordsByFrequency()
  const at = (share: number) => words.find(word => word.share >= share) ?? { word: '', share: 0 }
  const [rare, medium, common] = [at(0.002), at(0.01), at(0.1)]
  const most = words.at(-1) ?? common
  const title = (name: string, { share }: { share: number }) => `${name} (${(share * 100).toFixed(1)} % of memories)`
  return [
    { title: title('a rare word', rare), query: rare.word },
    { title: title('a word of medium frequency', medium), query: medium.word },
    { title: title('a common word', common), query: common.word },
    { title: title('the most common word', most), query: most.word },
    { title: 'these four words', query: [rare, medium, common, most].map(({ word }) => word).join(' ') },
  ]
}

async function measureLine(line: {
  onlyOne: MemoryDatabase
  withOthers: MemoryDatabase
  organization: MemoryOrganization
  query: string
}): Promise<Pick<MemoryLine, 'onlyOne' | 'withOthers'>> {
  const { organization, query } = line
  const caller = { orgId: organization.id, userId: `usr_${organization.id}`, role: 'owner' as const }
  const sides = [storeOn(line.onlyOne), storeOn(line.withOthers)].map(store => ({ store, times: [] as number[] }))
  // The first searches warm up.
  for (let round = -10; round < SEARCHES; round++) {
    for (const { store, times } of sides) {
      const started = performance.now()
      await store.search(caller, query, { limit: 10 })
      if (round >= 0) times.push(performance.now() - started)
    }
  }
  const [onlyOne, withOthers] = sides.map(({ times }) => median(times))
  return { onlyOne: onlyOne ?? Number.NaN, withOthers: withOthers ?? Number.NaN }
}

function storeOn({ database: { db } }: MemoryDatabase): MemoryStore {
  return createMemoryStore({ db, clock: { now: Date.now }, ids: prefix => prefix, limits: MEMORY_LIMITS })
}
