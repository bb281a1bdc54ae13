/** Writes a number and its noun: `1 key`, `2 keys`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Joins texts with commas and, before the last one, a word: `a, b and c`. */
export function formatList(texts: readonly string[], word: 'and' | 'or'): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`
}
