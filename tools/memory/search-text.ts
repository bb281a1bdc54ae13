import { denseRuns, fold, isDense, lengthOf, wordsOf } from './words.ts'

/** At most so many different words of a query are looked for. */
export const QUERY_WORDS = 16

/** A word of a query and the ways it may be met, each a `tsquery`. */
export interface QueryWord {
  word: string
  exact: string
  /** As the beginning of a word, or as a whole one where it is too short for that. */
  prefix: string
  /** Candidates for a slip of one letter, another form, or a part of a longer word; undefined when it is too short. */
  fuzzy: string | undefined
}

/**
 * The `tsvector` that a memory is found by: its words, and marked by a tilde the trigrams of each word, or the pairs of
 * scripts without spaces. Made here and not in the database, because a C locale knows neither case nor Cyrillic trigrams.
 */
export function searchVector(text: string): string {
  const folded = fold(text)
  const lexemes = new Set<string>()
  for (const word of wordsOf(folded)) {
    lexemes.add(word)
    if (!isDense(word)) addGrams(lexemes, `  ${word} `, 3)
  }
  for (const run of denseRuns(folded)) {
    addGrams(lexemes, run, 1)
    addGrams(lexemes, run, 2)
  }
  return Array.from(lexemes, quote).join(' ')
}

/** The words of a query that are looked for; empty when it has none. */
export function queryWords(query: string): QueryWord[] {
  const words = [...new Set(wordsOf(fold(query)))].slice(0, QUERY_WORDS)
  return words.map(word => {
    const exact = quote(word)
    const prefix = isDense(word) || lengthOf(word) >= 3 ? `${exact}:*` : exact
    const fuzzy = isDense(word) ? denseFuzzy(word) : spacedFuzzy(word)
    return { word, exact, prefix, fuzzy }
  })
}

/**
 * One slip spares the first or the second half of a word; two neighbours that changed places in the middle spare both
 * ends. So each typo has a set of trigrams that all stand in the index, which asks for far fewer rows than any of them.
 */
function spacedFuzzy(word: string): string | undefined {
  const letters = Array.from(word)
  if (letters.length < 4) return undefined
  const inside = all(grams(word, 3))
  if (letters.length < 5) return inside
  const middle = Math.ceil(letters.length / 2)
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  const start = grams(`  ${part(0, middle)}`, 3)
  // Never a single trigram: the ends of words are too much alike.
  const end = grams(`${part(Math.min(middle, letters.length - 3), letters.length)} `, 3)
  const rest = part(Math.min(middle + 1, letters.length - 2), letters.length)
  const ends = [...grams(`  ${part(0, middle - 1)}`, 3), ...grams(`${rest} `, 3)]
  return [inside, all(start), all(end), all(ends)].join(' | ')
}

function denseFuzzy(word: string): string {
  const letters = Array.from(word)
  if (letters.length === 1) return all([word])
  const inside = all(grams(word, 2))
  if (letters.length < 4) return inside
  const middle = Math.ceil(letters.length / 2)
  return [inside, all(grams(letters.slice(0, middle).join(''), 2)), all(grams(letters.slice(middle).join(''), 2))].join(
    ' | ',
  )
}

function all(parts: string[]): string {
  return `(${parts.map(part => quote(`~${part}`)).join(' & ')})`
}

function addGrams(lexemes: Set<string>, text: string, size: number): void {
  for (const gram of grams(text, size)) lexemes.add(`~${gram}`)
}

function grams(text: string, size: number): string[] {
  const letters = Array.from(text)
  const found: string[] = []
  for (let i = 0; i + size <= letters.length; i++) found.push(letters.slice(i, i + size).join(''))
  return found
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
