/** Letters that are written without spaces between words, and Hangul, whose particles stick to them. */
const DENSE = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const DENSE_RUN = new RegExp(`(?:(?=[\\p{L}\\p{M}])[${DENSE}])+`, 'gu')
const HAS_DENSE = new RegExp(`(?=[\\p{L}\\p{M}])[${DENSE}]`, 'u')
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Accents of Latin, Greek and Cyrillic, and the vowel signs of Arabic; not the vowels of Thai or the dakuten of kana. */
const ACCENTS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670]/gu
/** Code points of a word that count: what follows is no word but data, and a lexeme has its limit. */
const WORD_LENGTH = 64

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Text as it is compared: one width, one case, no accents (`Größe` and `GROSSE` are one word). */
export function fold(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')
  return plain.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** The words of a folded text in its order; languages without spaces are cut by ICU's dictionaries. */
export function wordsOf(folded: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(folded)) {
    if (isWordLike !== true) continue
    for (const [word] of segment.matchAll(WORD)) words.push(cut(word))
  }
  return words
}

/** What stands between spaces and punctuation: quicker than `wordsOf`, and as good where words have spaces. */
export function spacedWords(folded: string): string[] {
  return Array.from(folded.matchAll(WORD), ([word]) => cut(word))
}

/** The stretches of a folded text that are written without spaces. */
export function denseRuns(folded: string): string[] {
  return Array.from(folded.matchAll(DENSE_RUN), ([run]) => run)
}

/** Whether a word belongs to a script that is written without spaces. */
export function isDense(word: string): boolean {
  return HAS_DENSE.test(word)
}

/** How many characters a reader would count. */
export function lengthOf(word: string): number {
  return Array.from(word).length
}

function cut(word: string): string {
  return word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
}
