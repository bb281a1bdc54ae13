import { hash } from 'node:crypto'

const DIGITS = 8

/**
 * The names under which tools are published, by the names they have: letters, digits, `_` and `-`, at most `room` long
 * (at least 24), each one's own. A name that is so already stays; the others do without what is not allowed, and
 * what would then be too long or another's has a hash in its middle. It depends on which names there are, on nothing else.
 */
export function wireNames(originals: Iterable<string>, room: number): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const assign = (original: string, name: string) => {
    names.set(original, name)
    taken.add(name)
  }
  const unsafe = new Map<string, string>()
  for (const original of new Set(originals)) {
    const plain = transliterated(original)
    if (plain === original && plain.length <= room) assign(original, plain)
    else unsafe.set(original, plain)
  }
  let left = settle(unsafe, plain => plain !== '' && plain.length <= room)
  for (let round = 0; left.size > 0; round++) {
    const hashed = [...left.keys()].map((original): [string, string] => [
      original,
      withHash(unsafe.get(original) || 'tool', hash('sha256', `${round} ${original}`).slice(0, DIGITS), room),
    ])
    left = settle(new Map(hashed), () => true)
  }
  return names

  /** Gives each its name where that is free and only one wants it; answers with the others. */
  function settle(wanted: ReadonlyMap<string, string>, fits: (name: string) => boolean): Map<string, string> {
    const wishes = Map.groupBy(wanted, ([, name]) => name)
    const free = [...wishes].filter(([name, by]) => by.length === 1 && fits(name) && !taken.has(name))
    for (const [name, [only]] of free) if (only !== undefined) assign(only[0], name)
    return new Map([...wanted].filter(([original]) => !names.has(original)))
  }
}

/** A name in the characters that the wire takes; one that has only those is itself. */
function transliterated(name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** What tells names apart stands at their ends as often as at their beginnings. */
function withHash(name: string, digits: string, room: number): string {
  const kept = room - DIGITS - 1
  if (name.length <= kept) return `${name}_${digits}`
  const tail = Math.floor((kept - 1) / 2)
  return `${name.slice(0, kept - 1 - tail)}_${digits}_${name.slice(-tail)}`
}
