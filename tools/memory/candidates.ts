import { type RawBuilder, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { QueryWord } from './search-text.ts'
import { type SearchScope, visible } from './visible.ts'

/** Memories are counted no further: a word of more is common, and its exact number tells nothing. */
const COUNT_LIMIT = 1_000
/** Memories with rare words are all ranked, up to this number; of those with common words and of likenesses, the newest. */
const CANDIDATES = 2_000
/** How well a word matched. The worse weighs less, so that one word's matches come in the order exact, prefix, likeness. */
const EXACT = 4
const PREFIX = 2
/** The trigrams of a likeness stand somewhere in the text; whether they stand together is not known yet. */
export const LIKENESS = 1

export interface WeighedWord extends QueryWord {
  /** How many memories have it as a word or its beginning, up to COUNT_LIMIT. */
  count: number
  /** Rare words tell more than common ones: inverse document frequency. */
  weight: number
}

/** A memory that may be an answer. */
interface Candidate {
  id: string
  /** How well each word matched, in the order of the words: EXACT, PREFIX, LIKENESS, or 0 where it did not. */
  strengths: number[]
}

/** What each word tells, the rarest first. */
export async function weighWords(org: OrgDatabase, searched: SearchScope, words: QueryWord[]): Promise<WeighedWord[]> {
  if (words.length === 0) return []
  const counts = [undefined, ...words].map(word => {
    const few = visible(org, searched).select('id').limit(COUNT_LIMIT)
    return sql`(select count(*) from ${word === undefined ? few : few.where(matches(word.prefix))} few)`
  })
  const answer = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::int[] as counts`.execute(org.db)
  const [total = 0, ...found] = answer.rows[0]?.counts ?? []
  return words
    .map((word, i) => ({ ...word, count: found[i] ?? 0, weight: Math.log(1 + total / Math.max(1, found[i] ?? 0)) }))
    .sort((a, b) => a.count - b.count)
}

/** The candidates with the best scores, at most `limit`; of equals those changed last. */
export function bestCandidates(
  org: OrgDatabase,
  searched: SearchScope,
  words: WeighedWord[],
  limit: number,
): Promise<Candidate[]> {
  const { rare, common } = byRarity(words)
  const likenesses = rare.flatMap(({ fuzzy }) => fuzzy ?? [])
  const strengths = sql<number[]>`array[${sql.join(words.map(matchStrength))}]::int[]`.as('strengths')
  const having = (queries: string[]) =>
    visible(org, searched)
      .where(matches(queries.join(' | ')))
      .select(['id', 'updated_at', strengths])
  const newest = (queries: string[]) => having(queries).orderBy('id', 'desc').limit(CANDIDATES)

  const arms = [
    ...(rare.length === 0 ? [] : [having(rare.map(({ prefix }) => prefix))]),
    ...(likenesses.length === 0 ? [] : [newest(likenesses)]),
    ...(common.length === 0 ? [] : [newest(common.map(({ prefix }) => prefix))]),
  ]
  const score = words.map(({ weight }, i) => sql`strengths[${sql.lit(i + 1)}] * ${sql.lit(weight)}`)

  return (
    org.db
      // Materialized, so that each row is compared once and not once for its rank and once for the answer.
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

/** Splits the words, which come the rarest first. */
function byRarity(words: WeighedWord[]): { rare: WeighedWord[]; common: WeighedWord[] } {
  let candidates = 0
  const firstCommon = words.findIndex(({ count }) => {
    candidates += count
    return count >= COUNT_LIMIT || candidates > CANDIDATES
  })
  return firstCommon === -1
    ? { rare: words, common: [] }
    : { rare: words.slice(0, firstCommon), common: words.slice(firstCommon) }
}

function matches(query: string): RawBuilder<boolean> {
  return sql<boolean>`memories.search @@ ${query}::tsquery`
}

function matchStrength({ exact, prefix, fuzzy }: WeighedWord): RawBuilder<number> {
  const cases = [
    sql`when ${matches(exact)} then ${sql.lit(EXACT)}`,
    sql`when ${matches(prefix)} then ${sql.lit(PREFIX)}`,
  ]
  if (fuzzy !== undefined) cases.push(sql`when ${matches(fuzzy)} then ${sql.lit(LIKENESS)}`)
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}
