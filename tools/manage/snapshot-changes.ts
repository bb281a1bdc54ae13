import type { SnapshotChanges, ToolChange } from '../../schemas/remote.ts'

/** How many changes of a kind the text lists. The structured content has all. */
const SHOWN = 50

/** The changes of a refresh in words, the risky ones first. */
export function saidOf({ added, removed, changed, renamed }: SnapshotChanges): string {
  const lines = [
    ...listed('Changed', changed, change => `${named(change)}: ${whatOf(change)}`),
    ...listed('Renamed', renamed, ({ from, to, risky }) => `${from} is now ${to}${mark(risky)}`),
    ...listed('Added', added, change => (change.risky ? `${named(change)}: ${whatOf(change)}` : change.name)),
    ...listed('Removed', removed, named),
  ]
  if (lines.length === 0) return 'Nothing changed.'
  const risky = [added, removed, changed, renamed].flat().filter(change => change.risky).length
  const verdict =
    risky === 0
      ? 'None of the changes is risky.'
      : `${risky} of the changes ${risky === 1 ? 'is' : 'are'} RISKY: review them.`
  return `${verdict}\n${lines.join('\n')}`
}

function listed<T extends { risky: boolean }>(kind: string, changes: readonly T[], say: (change: T) => string) {
  const sorted = changes.toSorted((one, other) => Number(other.risky) - Number(one.risky))
  const more = sorted.length > SHOWN ? [`${kind}: ${sorted.length - SHOWN} more.`] : []
  return [...sorted.slice(0, SHOWN).map(change => `${kind}: ${say(change)}`), ...more]
}

function named({ name, risky }: ToolChange): string {
  return name + mark(risky)
}

function mark(risky: boolean): string {
  return risky ? ' (RISKY)' : ''
}

function whatOf({ changes }: ToolChange): string {
  return changes.map(({ what, risky, detail }) => `${what}${mark(risky)}: ${detail}`).join('; ')
}
