import { fold, isDense, spacedWords } from './search-text.ts'

/** The share of common trigrams from which two long words count as forms of one word (`preferred`, `prefers`). */
const SAME_WORD = 0.5
/** How often one word without spaces is compared within a text. A text with more occurrences repeats itself. */
const MAX_WINDOWS = 1_000

/** The comparisons that a search has left. Without a limit, one search could block all other requests. */
export interface ComparisonBudget {
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
