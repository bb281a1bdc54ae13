import { type RawBuilder, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { idsInIndex, indexedQueryWord, matches, type SearchScope, visible } from './matching.ts'
import { type QueryWord, queryWord } from './search-text.ts'

/** Matches are counted up to this number: a word with more is common, and its exact number does not matter. */
export const COUNT_LIMIT = 1_000
/** The newest memories of each scope that are read. If there are no more of them, no count needs the index. */
const NEWEST = COUNT_LIMIT + 1
/** How many of these are searched for similar words: enough to know whether they are common. */
const FUZZY_NEWEST = 200

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
  const { searchWords, total, counts } = hasIndex
    ? await countWithIndex(org, searched, words)
    : await countByReading(org, searched, words)
  return searchWords
    .map((word, i) => {
      const count = counts[i] ?? 0
      return { ...word, count, weight: Math.log(1 + total / Math.max(1, count)) }
    })
    .sort((a, b) => a.count - b.count)
}

/** How many memories there are and how many have each word, up to COUNT_LIMIT. */
interface Counts {
  searchWords: SearchWord[]
  total: number
  counts: readonly number[]
}

async function countByReading(org: OrgDatabase, searched: SearchScope, words: readonly string[]): Promise<Counts> {
  const searchWords = words.map(word => toSearchWord(queryWord(word)))
  const all = visible(org, searched).select('id').limit(COUNT_LIMIT)
  const queries = [all, ...searchWords.map(({ prefix }) => all.where(matches(prefix.text)))]
  const [total = 0, ...counts] = await countRows(
    org,
    queries.map(query => sql`${query}`),
  )
  return { searchWords, total, counts }
}

async function countWithIndex(org: OrgDatabase, searched: SearchScope, words: readonly string[]): Promise<Counts> {
  const newest = await readNewest(org, searched, words)
  const searchWords = words.map((word, i) => {
    if (newest.total < FUZZY_NEWEST) return toSearchWord(queryWord(word))
    const frequencies = { prefix: (newest.counts[i] ?? 0) / newest.total, fuzzy: newest.fuzzy[i] ?? 0 }
    return toSearchWord(queryWord(word), indexedQueryWord(org, word), frequencies)
  })
  if (newest.areAll) return { searchWords, total: Math.min(newest.total, COUNT_LIMIT), counts: newest.counts }
  const rest = searchWords.flatMap(({ prefix }, i) =>
    (newest.counts[i] ?? 0) >= COUNT_LIMIT ? [] : [{ i, query: idsInIndex(org, searched, prefix.indexed ?? '') }],
  )
  const found = await countRows(
    org,
    rest.map(({ query }) => sql`${query} limit ${COUNT_LIMIT}`),
  )
  const counts = words.map((_, i) => found[rest.findIndex(word => word.i === i)] ?? COUNT_LIMIT)
  return { searchWords, total: COUNT_LIMIT, counts }
}

function toSearchWord(
  { word, exact, prefix, fuzzy }: QueryWord,
  indexed?: QueryWord,
  frequencies = { prefix: 1, fuzzy: 1 },
): SearchWord {
  return {
    word,
    exact,
    prefix: { text: prefix, indexed: indexed?.prefix, frequency: frequencies.prefix },
    fuzzy: fuzzy === undefined ? undefined : { text: fuzzy, indexed: indexed?.fuzzy, frequency: frequencies.fuzzy },
  }
}

async function countRows(org: OrgDatabase, queries: readonly RawBuilder<unknown>[]): Promise<number[]> {
  if (queries.length === 0) return []
  const counts = queries.map(query => sql`(select count(*) from (${query}) as counted)`)
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::int[] as counts`.execute(org.db)
  return rows[0]?.counts ?? []
}

/** What the newest memories of each scope say about the words. */
interface Newest {
  /** Whether the search covers no other memories. */
  areAll: boolean
  total: number
  /** How many of them have each word. */
  counts: readonly number[]
  /** The share that may have a similar word. */
  fuzzy: readonly number[]
}

async function readNewest(org: OrgDatabase, searched: SearchScope, words: readonly string[]): Promise<Newest> {
  // One scope at a time, each with its own index: a query over both would read other members' private memories.
  const scopes = searched.scope === undefined ? (['private', 'shared'] as const) : [searched.scope]
  const newest = (limit: number) =>
    sql.join(
      scopes.map(scope => {
        const rows = visible(org, { ...searched, scope }).select(['scope', 'search'])
        return sql`(${rows.orderBy('id', 'desc').limit(limit)})`
      }),
      sql` union all `,
    )
  const queries = words.map(word => queryWord(word))
  const count = (query: string | undefined) =>
    query === undefined ? sql`0` : sql`count(*) filter (where ${matches(query, 'newest')})`
  const counts = sql.join(queries.map(({ prefix }) => count(prefix)))
  const fuzzy = sql.join(queries.map(query => count(query.fuzzy)))
  const { rows } = await sql<{ counts: number[]; sizes: number[]; fuzzy: number[]; few: number }>`
    select * from
      (select array[${counts}]::int[] as counts,
        array[count(*) filter (where scope = 'private'), count(*) filter (where scope = 'shared')]::int[] as sizes
        from (${newest(NEWEST)}) as newest) as counted,
      (select array[${fuzzy}]::int[] as fuzzy, count(*)::int as few from (${newest(FUZZY_NEWEST)}) as newest) as similar_words
  `.execute(org.db)
  const [row] = rows
  if (row === undefined) throw new Error('The database answered an aggregate without a row')
  return {
    areAll: row.sizes.every(size => size < NEWEST),
    total: row.sizes.reduce((sum, size) => sum + size, 0),
    counts: row.counts.map(found => Math.min(found, COUNT_LIMIT)),
    fuzzy: row.fuzzy.map(found => found / Math.max(1, row.few)),
  }
}
