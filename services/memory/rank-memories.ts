import { type RawBuilder, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import { idsInIndex, matches, type SearchScope, visible } from './matching.ts'
import { COLUMNS, type Memory, toMemory } from './memory.ts'
import { fold, isDense, queryWords, spacedWords } from './search-text.ts'
import { COUNT_LIMIT, type Query, type WeighedWord, weighWords } from './weigh-words.ts'

/** Comparisons of words and windows in one search: about 100 ms, and more than ordinary memories need. */
const COMPARISONS = 50_000

interface Ranking {
  query: string
  limit: number
  /** Whether the index by organization is complete. */
  hasIndex: boolean
}

/** The memories that have words of the query, the best first; of equal ones the last changed. */
export async function rankMemories(
  org: OrgDatabase,
  searched: SearchScope,
  { query, limit, hasIndex }: Ranking,
): Promise<Memory[]> {
  const words = await weighWords(org, searched, { words: queryWords(query), hasIndex })
  if (words.length === 0) return []
  // More than requested, because the texts may show that some similar words do not match.
  const candidates = await bestCandidates(org, searched, words, 2 * limit + 20)
  if (candidates.length === 0) return []

  const ids = candidates.map(({ id }) => id)
  const rows = await visible(org, searched).select(COLUMNS).where('id', 'in', ids).execute()
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const budget = { left: COMPARISONS }
  const scored: { memory: Memory; score: number }[] = []
  // Long texts take milliseconds each.
  const yieldIfDue = createYield()
  for (const { id, strengths } of candidates) {
    const row = rowOf.get(id)
    if (row === undefined) continue
    const score = scoreOf(row.memory, { strengths, words, budget })
    if (score > 0) scored.push({ memory: toMemory(row), score })
    await yieldIfDue()
  }
  return scored
    .sort((a, b) => b.score - a.score || newestFirst(a.memory, b.memory))
    .slice(0, limit)
    .map(({ memory }) => memory)
}

function scoreOf(
  text: string,
  { strengths, words, budget }: { strengths: number[]; words: readonly WeighedWord[]; budget: ComparisonBudget },
): number {
  const isSimilar = fuzzyMatch(text, budget)
  let score = 0
  for (const [i, { word, weight }] of words.entries()) {
    const strength = strengths[i] ?? 0
    if (strength !== SIMILAR || isSimilar(word)) score += strength * weight
  }
  return score
}

function newestFirst(a: Memory, b: Memory): number {
  if (a.updated_at !== b.updated_at) return a.updated_at < b.updated_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}

/** All memories with rare words are ranked, up to this number; of those with common or similar words, the newest. */
const CANDIDATES = 2_000
/** From these frequencies on, reading memories finds all matches, or the newest, sooner than the index does. */
const ALL_BY_READING = 0.25
const NEWEST_BY_READING = 0.1
/** How well a word matched. A weaker match scores less, so that the order for one word is exact, prefix, similar. */
const EXACT = 4
const PREFIX = 2
/** The trigrams of a similar word occur in the text. Whether they occur together is not known yet. */
const SIMILAR = 1

/** A memory that may be a result. */
interface Candidate {
  id: string
  /** How well each word matched, in the order of the words: EXACT, PREFIX, SIMILAR, or 0 for no match. */
  strengths: number[]
}

/** The candidates with the best scores, at most `limit`; of equal ones the last changed. */
function bestCandidates(
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

/** The share of common trigrams from which two long words count as forms of one word (`preferred`, `prefers`). */
const SAME_WORD = 0.5
/** How often one word without spaces is compared within a text. A text with more occurrences repeats itself. */
const MAX_WINDOWS = 1_000

/** The comparisons that a search has left. Without a limit, one search could block all other requests. */
interface ComparisonBudget {
  left: number
}

/**
 * Creates a matcher for one text. It finds a folded word as part of a word, with one typo, or in another form. The index
 * only knows that the trigrams of the word occur somewhere in the text. Once the budget is used up, only literal
 * occurrences match.
 */
export function fuzzyMatch(text: string, budget: ComparisonBudget): (word: string) => boolean {
  const folded = fold(text)
  let words: Set<string> | undefined
  return word => {
    if (folded.includes(word)) return true
    if (isDense(word)) return matchesDense(folded, word, budget)
    words ??= new Set(spacedWords(folded))
    const letters = Array.from(word)
    const trigrams = trigramsOf(word)
    for (const other of words) {
      if (budget.left-- <= 0) return false
      if (letters.length >= 5 && isOneEdit(letters, Array.from(other))) return true
      if (letters.length >= 6 && other.startsWith(word.slice(0, 3)) && isSameWord(trigrams, trigramsOf(other)))
        return true
    }
    return false
  }
}

/** Whether the edit distance is at most 1: one letter added, left out, changed, or swapped with its neighbor. */
export function isOneEdit(a: readonly string[], b: readonly string[]): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const restA = a.length - start - end
  const restB = b.length - start - end
  if (restA <= 1 && restB <= 1) return true
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}

function isSameWord(a: Set<string>, b: Set<string>): boolean {
  let common = 0
  for (const trigram of a) if (b.has(trigram)) common++
  return common / (a.size + b.size - common) >= SAME_WORD
}

function trigramsOf(word: string): Set<string> {
  const letters = Array.from(`  ${word} `)
  return new Set(letters.slice(2).map((_, i) => letters.slice(i, i + 3).join('')))
}

/** A typo leaves one half of the word intact: in a script without spaces, compares the text around each such half. */
function matchesDense(folded: string, word: string, budget: ComparisonBudget): boolean {
  const letters = Array.from(word)
  if (letters.length < 4) return false
  const middle = Math.ceil(letters.length / 2)
  const first = letters.slice(0, middle).join('')
  const last = letters.slice(middle).join('')
  const sizes = [letters.length, letters.length - 1, letters.length + 1]
  // Twice the length in code units has room for the window even if each letter is a surrogate pair.
  const reach = 2 * (letters.length + 1)

  for (const at of occurrences(folded, first, budget)) {
    const window = Array.from(folded.slice(at, at + reach))
    if (sizes.some(size => isOneEdit(letters, window.slice(0, size)))) return true
  }
  for (const at of occurrences(folded, last, budget)) {
    const end = at + last.length
    const window = Array.from(folded.slice(Math.max(0, end - reach), end))
    if (sizes.some(size => isOneEdit(letters, window.slice(-size)))) return true
  }
  return false
}

/** The positions of a part in a text, until the budget is used up. */
function* occurrences(text: string, part: string, budget: ComparisonBudget): Generator<number> {
  let at = text.indexOf(part)
  for (let count = 0; at !== -1 && count < MAX_WINDOWS && budget.left-- > 0; count++) {
    yield at
    at = text.indexOf(part, at + 1)
  }
}
