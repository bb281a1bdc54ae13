import { type RawBuilder, sql } from 'kysely'
import type { MemoryScope } from '../../plugins/database/tables.ts'
import type { OrgDatabase } from '../../plugins/database/tenant.ts'
import type { QueryWord } from './search-text.ts'
import { inScope } from './visible.ts'

/** Memories are counted no further: a word of more is common, and its exact number tells nothing. */
const COUNT_LIMIT = 1_000
/** Memories with rare words are all ranked, up to this number; of those with common words and of likenesses, the newest. */
const CANDIDATES = 2_000
/** How a word was met. The worse weighs less, so that one word's matches come in the order exact, prefix, likeness. */
const EXACT = 4
const PREFIX = 2
/** The trigrams of a likeness stand somewhere in the text; whether they stand together is not known yet. */
export const LIKENESS = 1

/** Who looks, and where. */
export interface Look {
  userId: string
  scope?: MemoryScope | undefined
}

export interface WeighedWord extends QueryWord {
  /** How many memories have it as a word or its beginning, up to COUNT_LIMIT. */
  count: number
  /** Rare words tell more than common ones: inverse document frequency. */
  weight: number
}

/** A memory that may be an answer. */
export interface Candidate {
  id: string
  /** How each word was met, in the order of the words; 0 where it was not. */
  met: number[]
}

/** What each word tells, the rarest first. */
export async function weighWords(org: OrgDatabase, look: Look, words: QueryWord[]): Promise<WeighedWord[]> {
  if (words.length === 0) return []
  const counts = [undefined, ...words].map(word => {
    const few = visible(org, look).select('id').limit(COUNT_LIMIT)
    return sql`(select count(*) from ${word === undefined ? few : few.where(meets(word.prefix))} few)`
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
  look: Look,
  words: WeighedWord[],
  limit: number,
): Promise<Candidate[]> {
  const { rare, common } = byRarity(words)
  const likenesses = rare.flatMap(({ fuzzy }) => fuzzy ?? [])
  const met = sql<number[]>`array[${sql.join(words.map(howMet))}]::int[]`.as('met')
  const having = (queries: string[]) =>
    visible(org, look)
      .where(meets(queries.join(' | ')))
      .select(['id', 'updated_at', met])
  const newest = (queries: string[]) => having(queries).orderBy('id', 'desc').limit(CANDIDATES)

  const arms = [
    ...(rare.length === 0 ? [] : [having(rare.map(({ prefix }) => prefix))]),
    ...(likenesses.length === 0 ? [] : [newest(likenesses)]),
    ...(common.length === 0 ? [] : [newest(common.map(({ prefix }) => prefix))]),
  ]
  const score = words.map(({ weight }, i) => sql`met[${sql.lit(i + 1)}] * ${sql.lit(weight)}`)

  return (
    org.db
      // Materialized, so that each row is compared once and not once for its rank and once for the answer.
      .with(
        cte => cte('hits').materialized(),
        () => arms.reduce((all, arm) => all.union(eb => eb.parens(arm))),
      )
      .selectFrom('hits')
      .select(['id', 'met'])
      .orderBy(sql`${sql.join(score, sql` + `)}`, 'desc')
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  )
}

/** The memories that the one who looks may see. */
export function visible(org: OrgDatabase, { userId, scope }: Look) {
  return org.selectFrom('memories').where(inScope(userId, scope))
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

function meets(query: string): RawBuilder<boolean> {
  return sql<boolean>`memories.search @@ ${query}::tsquery`
}

function howMet({ exact, prefix, fuzzy }: WeighedWord): RawBuilder<number> {
  const cases = [sql`when ${meets(exact)} then ${sql.lit(EXACT)}`, sql`when ${meets(prefix)} then ${sql.lit(PREFIX)}`]
  if (fuzzy !== undefined) cases.push(sql`when ${meets(fuzzy)} then ${sql.lit(LIKENESS)}`)
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}
