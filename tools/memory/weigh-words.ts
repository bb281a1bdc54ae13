import { sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { idsInIndex, indexedQueryWord, matches, type SearchScope, visible } from './matching.ts'
import { queryWord } from './search-text.ts'

/** Matches are counted up to this number: a word with more is common, and its exact number does not matter. */
export const COUNT_LIMIT = 1_000
/** The newest memories of each scope that are read to find out how frequent a word is. */
const SAMPLE = 200
/** From this frequency on, reading memories finds COUNT_LIMIT matches sooner than the index does. */
const COUNT_BY_READING = 0.5

/** One way to match a word. */
export interface Query {
  /** A `tsquery` for the column `search`. */
  text: string
  /** The same for the index by organization; undefined if the index is not used. */
  indexed: string | undefined
  /** The share of the newest memories that match; 1 if the index is not used. */
  frequency: number
}

/** A word of the query and the ways to match it. */
interface SearchWord {
  word: string
  exact: string
  prefix: Query
  fuzzy: Query | undefined
}

export interface WeighedWord extends SearchWord {
  /** How many memories contain it as a word or as the beginning of one, up to COUNT_LIMIT. */
  count: number
  /** The inverse document frequency: rare words say more about a memory than common ones. */
  weight: number
}

/** Weighs the words of a query, the rarest first. */
export async function weighWords(
  org: OrgDatabase,
  searched: SearchScope,
  { words, hasIndex }: { words: readonly string[]; hasIndex: boolean },
): Promise<WeighedWord[]> {
  if (words.length === 0) return []
  const sample = hasIndex ? await sampleNewest(org, searched, words) : undefined
  const isComplete = sample?.isComplete === true
  const searchWords = words.map((word, i) => toSearchWord(org, word, isComplete ? undefined : sample?.frequencies[i]))
  const { total, counts } = isComplete ? sample : await countWords(org, searched, searchWords)
  return searchWords
    .map((word, i) => {
      const count = counts[i] ?? 0
      return { ...word, count, weight: Math.log(1 + total / Math.max(1, count)) }
    })
    .sort((a, b) => a.count - b.count)
}

interface Frequencies {
  prefix: number
  fuzzy: number
}

function toSearchWord(org: OrgDatabase, word: string, frequencies: Frequencies | undefined): SearchWord {
  const { exact, prefix, fuzzy } = queryWord(word)
  const indexed = frequencies && indexedQueryWord(org, word)
  return {
    word,
    exact,
    prefix: { text: prefix, indexed: indexed?.prefix, frequency: frequencies?.prefix ?? 1 },
    fuzzy:
      fuzzy === undefined ? undefined : { text: fuzzy, indexed: indexed?.fuzzy, frequency: frequencies?.fuzzy ?? 1 },
  }
}

interface Sample {
  frequencies: Frequencies[]
  /** Whether these are all memories that the search covers. Then the counts are exact. */
  isComplete: boolean
  total: number
  counts: number[]
}

/** Looks for the words in the newest memories. This costs little, and tells which way to find the others is faster. */
async function sampleNewest(org: OrgDatabase, searched: SearchScope, words: readonly string[]): Promise<Sample> {
  // One scope at a time, each with its own index: a query over both would read other members' private memories.
  const scopes = searched.scope === undefined ? (['private', 'shared'] as const) : [searched.scope]
  const newest = scopes.map(
    scope =>
      sql`(${visible(org, { ...searched, scope })
        .select(['scope', 'search'])
        .orderBy('id', 'desc')
        .limit(SAMPLE)})`,
  )
  const count = (query: string | undefined) =>
    query === undefined ? sql`0` : sql`count(*) filter (where ${matches(query, 'newest')})`
  const queries = words.map(word => queryWord(word))
  const answer = await sql<{ prefixes: number[]; fuzzy: number[]; scopes: number[] }>`
    with newest as materialized (${sql.join(newest, sql` union all `)})
    select array[${sql.join(queries.map(({ prefix }) => count(prefix)))}]::int[] as prefixes,
      array[${sql.join(queries.map(({ fuzzy }) => count(fuzzy)))}]::int[] as fuzzy,
      array[count(*) filter (where scope = 'private'), count(*) filter (where scope = 'shared')]::int[] as scopes
    from newest`.execute(org.db)
  const { prefixes = [], fuzzy = [], scopes: sizes = [] } = answer.rows[0] ?? {}
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return {
    frequencies: prefixes.map((found, i) => ({ prefix: found / total, fuzzy: (fuzzy[i] ?? 0) / total })),
    isComplete: sizes.every(size => size < SAMPLE),
    total,
    counts: prefixes,
  }
}

/** Counts the memories, and those with each word, up to COUNT_LIMIT. */
async function countWords(
  org: OrgDatabase,
  searched: SearchScope,
  words: readonly SearchWord[],
): Promise<{ total: number; counts: number[] }> {
  // In their order, so that the planner reads the organization's rows by its index and never the whole table.
  const all = visible(org, searched).select('id').orderBy('id', 'desc').limit(COUNT_LIMIT)
  const queries = words.map(({ prefix: { text, indexed, frequency } }) =>
    indexed === undefined || frequency >= COUNT_BY_READING
      ? all.where(matches(text))
      : sql`${idsInIndex(org, searched, indexed)} limit ${COUNT_LIMIT}`,
  )
  const counts = [all, ...queries].map(query => sql`(select count(*) from (${query}) as matching)`)
  const answer = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::int[] as counts`.execute(org.db)
  const [total = 0, ...found] = answer.rows[0]?.counts ?? []
  return { total, counts: found }
}
