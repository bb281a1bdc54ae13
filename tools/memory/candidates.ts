import { type RawBuilder, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { idsInIndex, matches, type SearchScope, visible } from './matching.ts'
import { COUNT_LIMIT, type Query, type WeighedWord } from './weigh-words.ts'

/** All memories with rare words are ranked, up to this number; of those with common or similar words, the newest. */
const CANDIDATES = 2_000
/** From these frequencies on, reading memories finds all matches, or the newest, sooner than the index does. */
const ALL_BY_READING = 0.25
const NEWEST_BY_READING = 0.1
/** How well a word matched. A weaker match scores less, so that the order for one word is exact, prefix, similar. */
const EXACT = 4
const PREFIX = 2
/** The trigrams of a similar word occur in the text. Whether they occur together is not known yet. */
export const SIMILAR = 1

/** A memory that may be a result. */
interface Candidate {
  id: string
  /** How well each word matched, in the order of the words: EXACT, PREFIX, SIMILAR, or 0 for no match. */
  strengths: number[]
}

/** The candidates with the best scores, at most `limit`; of equal ones the last changed. */
export function bestCandidates(
  org: OrgDatabase,
  searched: SearchScope,
  words: readonly WeighedWord[],
  limit: number,
): Promise<Candidate[]> {
  const { rare, common } = byRarity(words)
  const strengths = sql<number[]>`array[${sql.join(words.map(matchStrength))}]::int[]`.as('strengths')
  const columns = (rows: ReturnType<typeof visible>) => rows.select(['id', 'updated_at', strengths])

  const reading = (queries: readonly Query[]) => columns(visible(org, searched).where(matches(anyOf(queries))))
  const byId = (ids: RawBuilder<unknown>) =>
    columns(visible(org, searched).where(sql<boolean>`memories.id in (${ids})`))
  const matching = (queries: readonly Query[]) => {
    const indexed = indexedQuery(queries, ALL_BY_READING)
    return indexed === undefined ? reading(queries) : byId(idsInIndex(org, searched, indexed))
  }
  const newest = (queries: readonly Query[]) => {
    const indexed = indexedQuery(queries, NEWEST_BY_READING)
    return indexed === undefined
      ? reading(queries).orderBy('id', 'desc').limit(CANDIDATES)
      : byId(sql`${idsInIndex(org, searched, indexed)} order by id desc limit ${CANDIDATES}`)
  }

  const similar = rare.flatMap(({ fuzzy }) => fuzzy ?? [])
  const arms = [
    ...(rare.length === 0 ? [] : [matching(rare.map(({ prefix }) => prefix))]),
    ...(similar.length === 0 ? [] : [newest(similar)]),
    ...(common.length === 0 ? [] : [newest(common.map(({ prefix }) => prefix))]),
  ]
  const score = words.map(({ weight }, i) => sql`strengths[${sql.lit(i + 1)}] * ${sql.lit(weight)}`)

  return (
    org.db
      // Materialized, so that each row is compared once, and not once for its rank and once for the result.
      .with(
        cte => cte('hits').materialized(),
        () => arms.reduce((all, arm) => all.union(eb => eb.parens(arm))),
      )
      .selectFrom('hits')
      .select(['id', 'strengths'])
      .orderBy(sql`${sql.join(score, sql` + `)}`, 'desc')
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  )
}

/** Splits the words, which are ordered from rare to common. */
function byRarity(words: readonly WeighedWord[]): { rare: readonly WeighedWord[]; common: readonly WeighedWord[] } {
  let candidates = 0
  const firstCommon = words.findIndex(({ count }) => {
    candidates += count
    return count >= COUNT_LIMIT || candidates > CANDIDATES
  })
  return firstCommon === -1
    ? { rare: words, common: [] }
    : { rare: words.slice(0, firstCommon), common: words.slice(firstCommon) }
}

function anyOf(queries: readonly Query[]): string {
  return queries.map(({ text }) => text).join(' | ')
}

/** The same for the index by organization; undefined if the words are too frequent, or if the index is not used. */
function indexedQuery(queries: readonly Query[], tooFrequent: number): string | undefined {
  const frequency = queries.reduce((sum, query) => sum + query.frequency, 0)
  const texts = queries.flatMap(({ indexed }) => indexed ?? [])
  return texts.length === 0 || frequency >= tooFrequent ? undefined : texts.join(' | ')
}

function matchStrength({ exact, prefix, fuzzy }: WeighedWord): RawBuilder<number> {
  const cases = [
    sql`when ${matches(exact)} then ${sql.lit(EXACT)}`,
    sql`when ${matches(prefix.text)} then ${sql.lit(PREFIX)}`,
  ]
  if (fuzzy !== undefined) cases.push(sql`when ${matches(fuzzy.text)} then ${sql.lit(SIMILAR)}`)
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}
