import { setImmediate } from 'node:timers/promises'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { bestCandidates, LIKENESS, type WeighedWord, weighWords } from './candidates.ts'
import { type Effort, resembles } from './fuzzy-match.ts'
import { COLUMNS, type Memory, toMemory } from './memory.ts'
import { queryWords } from './search-text.ts'
import { type SearchScope, visible } from './visible.ts'

/** Comparisons of words and windows in one search: some 100 ms, and more than ordinary memories need. */
const COMPARISONS = 50_000

/** The visible memories that have words of the query, the best first; of equals the one changed last. */
export async function rankMemories(
  org: OrgDatabase,
  searched: SearchScope,
  { query, limit }: { query: string; limit: number },
): Promise<Memory[]> {
  const words = await weighWords(org, searched, queryWords(query))
  if (words.length === 0) return []
  // More than asked for, because likenesses may turn out to be none once their text is read.
  const candidates = await bestCandidates(org, searched, words, 2 * limit + 20)
  const strengthsOf = new Map(candidates.map(({ id, strengths }) => [id, strengths]))
  if (strengthsOf.size === 0) return []

  const rows = await visible(org, searched)
    .select(COLUMNS)
    .where('id', 'in', [...strengthsOf.keys()])
    .execute()
  const effort = { left: COMPARISONS }
  const scored: { memory: Memory; score: number }[] = []
  for (const row of rows) {
    const score = scoreOf(row.memory, { strengths: strengthsOf.get(row.id) ?? [], words, effort })
    if (score > 0) scored.push({ memory: toMemory(row), score })
    // Long texts take milliseconds each: others' requests have their turn between two of them.
    await setImmediate()
  }
  return scored
    .sort((a, b) => b.score - a.score || newestFirst(a.memory, b.memory))
    .slice(0, limit)
    .map(({ memory }) => memory)
}

function scoreOf(
  text: string,
  { strengths, words, effort }: { strengths: number[]; words: WeighedWord[]; effort: Effort },
): number {
  const looksLike = resembles(text, effort)
  let score = 0
  for (const [i, { word, weight }] of words.entries()) {
    const strength = strengths[i] ?? 0
    if (strength !== LIKENESS || looksLike(word)) score += strength * weight
  }
  return score
}

function newestFirst(a: Memory, b: Memory): number {
  if (a.updated_at !== b.updated_at) return a.updated_at < b.updated_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
