/** The least part of a page that a cut at the end of a block, of a line or of a word leaves. */
const MIN_PART = 0.5

/**
 * The end of the part of a text that begins at `from` and has at most `maxChars` characters: at the end of a block if
 * possible, else of a line, else of a word, never within a character.
 */
export function endOfPart(text: string, from: number, maxChars: number): number {
  const furthest = from + maxChars
  if (furthest >= text.length) return text.length
  const earliest = from + Math.ceil(maxChars * MIN_PART)
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, furthest - separator.length)
    if (at >= earliest) return at + separator.length
  }
  return isWithinCharacter(text, furthest) ? furthest - 1 : furthest
}

function isWithinCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF]$/.test(text.charAt(at - 1)) && /^[\uDC00-\uDFFF]$/.test(text.charAt(at))
}
