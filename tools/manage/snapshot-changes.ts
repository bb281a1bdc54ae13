import type { SnapshotChanges, ToolChange } from '../../schemas/remote.ts'

/** As many of a kind as a model is told one by one; all are in the data. */
const SHOWN = 50

/** What a refresh has changed, the risky first, in words that a person can be shown. */
export function saidOf({ added, removed, changed, renamed }: SnapshotChanges): string {
  const lines = [
    ...listed('Changed', changed, change => `${named(change)}: ${whatOf(change)}`),
    ...listed('Renamed', renamed, ({ from, to, risky }) => `${from} is ${to} now${mark(risky)}`),
    ...listed('Added', added, change => (change.risky ? `${named(change)}: ${whatOf(change)}` : change.name)),
    ...listed('Removed', removed, named),
  ]
  if (lines.length === 0) return 'Nothing has changed.'
  const risky = [added, removed, changed, renamed].flat().filter(change => change.risky).length
  const verdict =
    risky === 0
      ? 'Nothing of what changed is risky.'
      : `${risky} of the changes ${risky === 1 ? 'is' : 'are'} RISKY: look at them before the tools are used again.`
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
