/**
 * What nobody sees and a model reads all the same: controls, bidirectional and zero-width characters, tags, variation
 * selectors, fillers, halves of surrogate pairs. Tabs, line breaks and one emoji selector stay.
 */
const HIDDEN = /(?!\t|\n|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const LINE_BREAK = /\r\n|[\r\v\f\u0085\p{Zl}\p{Zp}]/gu
const SELECTORS = /\uFE0F{2,}/gu
const TAG = /<[/!A-Za-z][^<>]{0,200}>/g
/** So wide that what follows is out of a reader's sight. */
const WIDE_GAP = /[^\S\n]{40,}/g

/** A description as a person and a model may both read it: nothing hidden in it, its lines kept, at most `length` long. */
export function sanitizeText(text: string, length: number): string {
  // What is cut first costs nothing to clean.
  const clean = text
    .slice(0, length * 4)
    .replace(LINE_BREAK, '\n')
    .replace(HIDDEN, '')
    .replace(SELECTORS, '\uFE0F')
    .replace(WIDE_GAP, ' ')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return cut(clean, length)
}

/** The same on one line, for titles and names. */
export function sanitizeTitle(text: string, length: number): string {
  return cut(sanitizeText(text, length * 4).replace(/\s+/g, ' '), length)
}

/**
 * A provider's or an upstream's words as they may stand in a sentence of ours: on one line, without tags, at most `length`
 * long. What was hidden leaves a gap, so that no name becomes another one.
 */
export function sanitizeLine(text: string, length = 500): string {
  const seen = text
    .slice(0, length * 4)
    .toWellFormed()
    .replace(HIDDEN, ' ')
  return sanitizeTitle(seen.replace(TAG, ' '), length)
}

/** Whether a text has characters that nobody sees, a line break or a tab. */
export function hasHidden(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.trimEnd()}…`
}

/**
 * A text of other people's as a terminal shows it: an escape code in it moves no cursor, nothing in it is invisible or
 * turns the direction of writing, and a line break makes no line but where lines are wanted.
 */
export function terminalText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  return text.replaceAll(lines ? UNSAFE_IN_LINES : UNSAFE, '?').toWellFormed()
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** All of them but tabs and line breaks. */
const UNSAFE_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
