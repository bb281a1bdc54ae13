import { setImmediate as nextIteration } from 'node:timers/promises'

/** How long work may hold the event loop. */
const HOLD_MS = 4

/** Makes a function to await after each step of long work: it lets other work run once the steps took 4 ms. */
export function createYield(): () => Promise<void> {
  let startedAt = performance.now()
  return async function yieldIfDue() {
    if (performance.now() - startedAt < HOLD_MS) return
    await nextIteration()
    startedAt = performance.now()
  }
}

/** Calls `next` with a value: at once, or after its promise resolves. */
export function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
