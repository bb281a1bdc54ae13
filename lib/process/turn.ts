import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work holds the event loop before others have their turn. */
const TURN_MS = 4

/** Lets others run where the work since the last turn has taken long enough; to be awaited after each piece of it. */
export function createTurn(): () => Promise<void> {
  let begun = performance.now()
  return async function turn() {
    if (performance.now() - begun < TURN_MS) return
    await nextTurn()
    begun = performance.now()
  }
}
