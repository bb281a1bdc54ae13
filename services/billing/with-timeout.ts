import { withDeadline } from '../../lib/database/unavailable.ts'

/** What the work comes to; undefined when it fails, or goes on for longer than so many milliseconds. It is not stopped. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return withDeadline(work, milliseconds).catch(() => undefined)
}
