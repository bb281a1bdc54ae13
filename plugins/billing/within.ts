import { setTimeout as sleep } from 'node:timers/promises'

/** What the work comes to; undefined when it fails, or goes on for longer than so many milliseconds. It is not stopped. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const timer = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: timer.signal })
  try {
    return await Promise.race([work, late])
  } catch {
    return undefined
  } finally {
    timer.abort()
    late.catch(() => {})
  }
}
