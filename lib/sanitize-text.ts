/**
 * Characters that people cannot see but models read: controls, bidirectional and zero-width characters, tags, variation
 * selectors, fillers, lone surrogates. Tabs, line breaks and one emoji selector stay.
 */
const HIDDEN = /(?!\t|\n|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const LINE_BREAK = /\r\n|[\r\v\f\u0085\p{Zl}\p{Zp}]/gu
const SELECTORS = /\uFE0F{2,}/gu
const TAG = /<[/!A-Za-z][^<>]{0,200}>/g
/** A gap so wide that it moves the following text out of sight. */
const WIDE_GAP = /[^\S\n]{40,}/g

/**
 * Sanitizes a description for people and models: removes hidden characters, keeps line breaks, at most `length`
 * characters.
 */
export function sanitizeText(text: string, length: number): string {
  // Cutting first bounds the work.
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

/** Sanitizes a title or name: as sanitizeText, on one line. */
export function sanitizeTitle(text: string, length: number): string {
  return cut(sanitizeText(text, length * 4).replace(/\s+/g, ' '), length)
}

/**
 * Sanitizes a provider's or upstream's text for use in a sentence: one line, no tags, at most `length` characters.
 * Hidden characters become gaps, so that no name turns into another one.
 */
export function sanitizeLine(text: string, length = 500): string {
  const seen = text
    .slice(0, length * 4)
    .toWellFormed()
    .replace(HIDDEN, ' ')
  return sanitizeTitle(seen.replace(TAG, ' '), length)
}

/** Whether a text has hidden characters, a line break or a tab. */
export function hasHidden(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.trimEnd()}…`
}

/**
 * Makes untrusted text safe to print on a terminal: replaces control and invisible characters with `?`. `lines` keeps tabs
 * and line breaks.
 */
export function terminalText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  return text.replaceAll(lines ? UNSAFE_IN_LINES : UNSAFE, '?').toWellFormed()
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same without tabs and line breaks. */
const UNSAFE_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
