/** Longer words and names are not typing mistakes of each other. */
const MAX_LENGTH = 64
const MAX_EDITS = 3
/** The work of one search, which bounds it to a few milliseconds. A unit is at most 50 ns. */
const MAX_WORK = 100_000
/** The work of reading a name, besides one unit per letter. */
const READING = 16

/**
 * The names of a list that a word may mean, nearest first: the same but for case and separators, with few typing
 * mistakes, or with the same words and more. The work is bounded: of a very long list, the last names are not compared.
 * Several searches can share their `work`.
 */
export function similarNames(word: string, names: Iterable<string>, count = 1, work = { left: MAX_WORK }): string[] {
  if (word.length > MAX_LENGTH) return []
  const plain = plainOf(word)
  if (plain === '') return []
  const words = wordsOf(word)
  const found: { name: string; distance: number }[] = []
  for (const name of names) {
    if (work.left <= 0) break
    const distance = name.length > MAX_LENGTH ? undefined : distanceOf(name)
    if (distance !== undefined) found.push({ name, distance })
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name)

  function distanceOf(name: string): number | undefined {
    work.left -= READING + name.length
    const other = plainOf(name)
    if (other === plain) return 0
    const most = Math.min(MAX_EDITS, Math.floor(Math.min(plain.length, other.length) / 3))
    const edits = editDistance(plain, other, most, work)
    if (edits <= most) return edits
    const others = wordsOf(name)
    work.left -= words.length * others.length
    return contains(others, words) || contains(words, others)
      ? MAX_EDITS + Math.abs(other.length - plain.length)
      : undefined
  }
}

function plainOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

/** `maxResults` and `max_results` are `max` and `results`. */
function wordsOf(name: string): string[] {
  return name.match(/\p{Lu}*[\p{Ll}\p{Lo}\p{Lm}\p{N}]+|\p{Lu}+/gu)?.map(word => word.toLowerCase()) ?? []
}

/** Whether each word of `few` is in `many`, or is the beginning of one there. */
function contains(many: readonly string[], few: readonly string[]): boolean {
  const isIn = (word: string) => many.some(other => other === word || (word.length >= 3 && other.startsWith(word)))
  return (few.length > 1 || (few[0]?.length ?? 0) > 1) && few.every(isIn)
}

/**
 * How many letters must be added, removed, changed, or swapped with their neighbor to get from one text to another; a
 * number above `most` if there are more.
 */
export function editDistance(
  wholeA: string,
  wholeB: string,
  most: number,
  work: { left: number } = { left: Number.POSITIVE_INFINITY },
): number {
  const over = most + 1
  if (Math.abs(wholeA.length - wholeB.length) > most || most === 0) return over
  const [a, b] = withoutEnds(wholeA, wholeB)
  // Each row holds the cells around the diagonal; the others are above `most`.
  const width = 2 * most + 1
  let before: number[] = []
  let last = Array.from({ length: width }, (_, k) => (k < most ? over : k - most))
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = []
    let least = over
    for (let k = 0; k < width; k++) {
      const j = i + k - most
      let cost = over
      if (j === 0) cost = Math.min(over, i)
      else if (j > 0 && j <= b.length) {
        const changed = a[i - 1] === b[j - 1] ? 0 : 1
        cost = Math.min(over, (last[k] ?? over) + changed, (last[k + 1] ?? over) + 1, (row[k - 1] ?? over) + 1)
        if (changed === 1 && i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          cost = Math.min(cost, (before[k] ?? over) + 1)
      }
      row.push(cost)
      least = Math.min(least, cost)
    }
    work.left -= width
    if (least > most) return over
    before = last
    last = row
  }
  return last[b.length - a.length + most] ?? over
}

/** Two texts without their common beginning and end, which need no edit. */
function withoutEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}
