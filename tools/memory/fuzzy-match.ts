import { fold, isDense, spacedWords } from './words.ts'

/** Share of common trigrams from which two long words are forms of one (`preferred`, `prefers`). */
const ALIKE = 0.5

/** How many words and windows may still be compared; without an end, one search could hold up everybody's requests. */
export interface Effort {
  left: number
}

/** Windows of one text that one word without spaces is compared with: more say that the text is one thing over and over. */
const MAX_WINDOWS = 1_000

/**
 * A judge of one text: whether a folded word stands in it as a part of a word, with one slip, or in another form. The
 * index only knows that the trigrams stand somewhere in the text. Where the effort is used up, nothing more resembles.
 */
export function resembles(text: string, effort: Effort): (word: string) => boolean {
  const folded = fold(text)
  let words: Set<string> | undefined
  return word => {
    if (folded.includes(word)) return true
    if (isDense(word)) return standsWithSlip(folded, word, effort)
    words ??= new Set(spacedWords(folded))
    const letters = Array.from(word)
    const trigrams = trigramsOf(word)
    for (const other of words) {
      if (effort.left-- <= 0) return false
      if (letters.length >= 5 && oneSlip(letters, Array.from(other))) return true
      if (letters.length >= 6 && other.startsWith(word.slice(0, 3)) && alike(trigrams, trigramsOf(other))) return true
    }
    return false
  }
}

/** Whether at most one letter was added, left out, changed, or swapped with its neighbour. */
export function oneSlip(a: readonly string[], b: readonly string[]): boolean {
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

function alike(a: Set<string>, b: Set<string>): boolean {
  let common = 0
  for (const trigram of a) if (b.has(trigram)) common++
  return common / (a.size + b.size - common) >= ALIKE
}

function trigramsOf(word: string): Set<string> {
  const letters = Array.from(`  ${word} `)
  return new Set(letters.slice(2).map((_, i) => letters.slice(i, i + 3).join('')))
}

/** Where words have no spaces, around each spared half of the word stands what it is compared with. */
function standsWithSlip(folded: string, word: string, effort: Effort): boolean {
  const letters = Array.from(word)
  if (letters.length < 4) return false
  const middle = Math.ceil(letters.length / 2)
  const first = letters.slice(0, middle).join('')
  const last = letters.slice(middle).join('')
  const sizes = [letters.length, letters.length - 1, letters.length + 1]
  // Twice the length in code units holds the window whatever planes its letters are of.
  const reach = 2 * (letters.length + 1)

  for (const at of occurrences(folded, first, effort)) {
    const window = Array.from(folded.slice(at, at + reach))
    if (sizes.some(size => oneSlip(letters, window.slice(0, size)))) return true
  }
  for (const at of occurrences(folded, last, effort)) {
    const end = at + last.length
    const window = Array.from(folded.slice(Math.max(0, end - reach), end))
    if (sizes.some(size => oneSlip(letters, window.slice(-size)))) return true
  }
  return false
}

/** Where a part stands in a text, as far as the effort goes. */
function* occurrences(text: string, part: string, effort: Effort): Generator<number> {
  let at = text.indexOf(part)
  for (let count = 0; at !== -1 && count < MAX_WINDOWS && effort.left-- > 0; count++) {
    yield at
    at = text.indexOf(part, at + 1)
  }
}
