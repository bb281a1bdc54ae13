/** The maximum number of different words of a query that are searched for. */
export const QUERY_WORDS = 16

/** A word of a query, and a `tsquery` for each way to match it. */
export interface QueryWord {
  word: string
  exact: string
  /** Matches the beginning of a word. The same as `exact` if the word is too short for that. */
  prefix: string
  /** Finds candidates for a typo of one letter, another form, or a part of a longer word; undefined if the word is too short. */
  fuzzy: string | undefined
}

/**
 * The `tsvector` of a memory: its words, and marked with a tilde the trigrams of each word, or the pairs of characters in
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

/** The words of a query to search for; empty if it has none. */
export function queryWords(query: string): string[] {
  return [...new Set(wordsOf(fold(query)))].slice(0, QUERY_WORDS)
}

/** The queries for a word. With a lexeme prefix, they match in an index whose lexemes have that prefix. */
export function queryWord(word: string, lexemePrefix = ''): QueryWord {
  const asLexeme = (text: string) => quote(lexemePrefix + text)
  const exact = asLexeme(word)
  const prefix = isDense(word) || lengthOf(word) >= 3 ? `${exact}:*` : exact
  const alternatives = isDense(word) ? denseFuzzy(word) : spacedFuzzy(word)
  const fuzzy = alternatives.map(parts => `(${parts.map(part => asLexeme(`~${part}`)).join(' & ')})`).join(' | ')
  return { word, exact, prefix, fuzzy: fuzzy === '' ? undefined : fuzzy }
}

/**
 * The sets of trigrams of which a text must have one completely. A typo leaves the first or the second half of a word
 * intact; two swapped letters in the middle leave both ends intact. A whole set selects far fewer rows than any single
 * trigram.
 */
function spacedFuzzy(word: string): string[][] {
  const letters = Array.from(word)
  if (letters.length < 4) return []
  const inside = grams(word, 3)
  if (letters.length < 5) return [inside]
  const middle = Math.ceil(letters.length / 2)
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  const start = grams(`  ${part(0, middle)}`, 3)
  // Never a single trigram: too many words end alike.
  const end = grams(`${part(Math.min(middle, letters.length - 3), letters.length)} `, 3)
  const rest = part(Math.min(middle + 1, letters.length - 2), letters.length)
  const ends = [...grams(`  ${part(0, middle - 1)}`, 3), ...grams(`${rest} `, 3)]
  return [inside, start, end, ends]
}

/** The same for a word of a script without spaces, in pairs of characters. */
function denseFuzzy(word: string): string[][] {
  const letters = Array.from(word)
  if (letters.length === 1) return [[word]]
  const inside = grams(word, 2)
  if (letters.length < 4) return [inside]
  const middle = Math.ceil(letters.length / 2)
  return [inside, grams(letters.slice(0, middle).join(''), 2), grams(letters.slice(middle).join(''), 2)]
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

/** Letters of scripts without spaces between words, and Hangul, whose particles are attached to the words. */
const DENSE = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const DENSE_RUN = new RegExp(`(?:(?=[\\p{L}\\p{M}])[${DENSE}])+`, 'gu')
const HAS_DENSE = new RegExp(`(?=[\\p{L}\\p{M}])[${DENSE}]`, 'u')
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Accents of Latin, Greek and Cyrillic, and the vowel signs of Arabic; not the vowels of Thai or the dakuten of kana. */
const ACCENTS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670]/gu
/** The code points of a word that are compared. A longer word is data, and PostgreSQL limits the length of a lexeme. */
const WORD_LENGTH = 64

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Normalizes text for comparison: one width, one case, no accents (`Größe` and `GROSSE` are the same word). */
export function fold(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')
  return plain.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** The words of a folded text in its order. ICU's dictionaries split languages without spaces. */
export function wordsOf(folded: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(folded)) {
    if (isWordLike !== true) continue
    for (const [word] of segment.matchAll(WORD)) words.push(cut(word))
  }
  return words
}

/** The words of a folded text, split at spaces and punctuation: faster than `wordsOf`, and as good where words have spaces. */
export function spacedWords(folded: string): string[] {
  return Array.from(folded.matchAll(WORD), ([word]) => cut(word))
}

/** The parts of a folded text that are written without spaces. */
function denseRuns(folded: string): string[] {
  return Array.from(folded.matchAll(DENSE_RUN), ([run]) => run)
}

/** Whether a word belongs to a script without spaces. */
export function isDense(word: string): boolean {
  return HAS_DENSE.test(word)
}

function lengthOf(word: string): number {
  return Array.from(word).length
}

function cut(word: string): string {
  return word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
}
