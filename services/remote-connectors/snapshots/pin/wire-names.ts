import { hash } from 'node:crypto'

const DIGITS = 8

/**
 * The published names of tools, by original name: unique, at most `room` characters long (at least 24), of letters, digits, `_`
 * and `-`. A valid name stays. Other names lose the invalid characters; a name that is then too long or taken gets a hash. The
 * result depends only on the set of names, not on their order.
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

  /** Assigns each name that is free and that only one tool wants. Returns the other tools. */
  function settle(wanted: ReadonlyMap<string, string>, fits: (name: string) => boolean): Map<string, string> {
    const wishes = Map.groupBy(wanted, ([, name]) => name)
    const free = [...wishes].filter(([name, by]) => by.length === 1 && fits(name) && !taken.has(name))
    for (const [name, [only]] of free) if (only !== undefined) assign(only[0], name)
    return new Map([...wanted].filter(([original]) => !names.has(original)))
  }
}

/** A name reduced to the allowed characters. */
function transliterated(name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** Keeps both ends of a long name, because names differ at either end. */
function withHash(name: string, digits: string, room: number): string {
  const kept = room - DIGITS - 1
  if (name.length <= kept) return `${name}_${digits}`
  const tail = Math.floor((kept - 1) / 2)
  return `${name.slice(0, kept - 1 - tail)}_${digits}_${name.slice(-tail)}`
}
