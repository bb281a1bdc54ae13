import type { Clock } from '../../schemas/time.ts'
import type { SocialCall } from './network.ts'

/** A token, and how long it can be used. */
interface IssuedToken {
  readonly token: string
  readonly lastsMs: number
}

/** Returns the token of the gateway's account, another one than a rejected one. Throws what `issue` throws. */
type SharedToken = (call: SocialCall, rejected?: string) => Promise<string>

/** Networks limit sign-ins (Bluesky: 300 a day), so that a failed one is not repeated at once. */
const FAILURE_LASTS_MS = 60_000
const DEADLINE_MS = 15_000

/** Keeps one token for all calls of this process. Concurrent calls wait for the same one. */
export function createSharedToken(clock: Clock, issue: (call: SocialCall) => Promise<IssuedToken>): SharedToken {
  let stored: { token: string; until: number } | undefined
  let failed: { error: unknown; until: number } | undefined
  let inFlight: Promise<string> | undefined

  async function renew(call: SocialCall): Promise<string> {
    try {
      // The result serves all callers, so that none of them ends it.
      const { token, lastsMs } = await issue({ ...call, signal: AbortSignal.timeout(DEADLINE_MS) })
      stored = { token, until: clock.now() + lastsMs }
      return token
    } catch (error) {
      failed = { error, until: clock.now() + FAILURE_LASTS_MS }
      throw error
    } finally {
      inFlight = undefined
    }
  }

  return async function sharedToken(call, rejected) {
    const now = clock.now()
    if (stored !== undefined && stored.until > now && stored.token !== rejected) return stored.token
    if (failed !== undefined && failed.until > now) throw failed.error
    inFlight ??= renew(call)
    return inFlight
  }
}
