/** The words of a text, in lower case, each with its number. */
function words(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * How well a text has the words of the expected one: the harmonic mean of precision and recall, from 0 to 1. This is the
 * measure of WCXB, so figures can be compared with published ones.
 */
export function wordF1(text: string, expected: string): number {
  const found = words(text)
  const wanted = words(expected)
  const size = (counts: Map<string, number>) => counts.values().reduce((sum, count) => sum + count, 0)
  if (size(wanted) === 0) return size(found) === 0 ? 1 : 0
  let common = 0
  for (const [word, count] of found) common += Math.min(count, wanted.get(word) ?? 0)
  return (2 * common) / (size(found) + size(wanted))
}

/** Markdown as the text that a reader sees: without the URLs of links and images, and without the marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/g, ']')
    .replace(/<(https?:[^>]*)>/g, '$1')
    .replace(/[\\*`#|>[\]]/g, ' ')
}

/** The mean of numbers. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
