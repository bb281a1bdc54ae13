import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import { bestCandidates, SIMILAR } from './candidates.ts'
import { type ComparisonBudget, fuzzyMatch } from './fuzzy-match.ts'
import { type SearchScope, visible } from './matching.ts'
import { COLUMNS, type Memory, toMemory } from './memory.ts'
import { queryWords } from './search-text.ts'
import { type WeighedWord, weighWords } from './weigh-words.ts'

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
