import type { SessionView } from '../../../schemas/organizations/dashboard.ts'
import { beginSession, readToken, shownHeaders } from './token.ts'

const LOCK = 'dashboard-session'
const NOTICE = 'dashboard-outdated'
/** How soon after a reload this tab does not reload itself again. */
const AGAIN_MS = 5_000

let changing = false

/**
 * Runs a change of the organization, which replaces the secrets of the session, then loads the start page, or the given one:
 * nothing of the other organization stays in view. Other tabs wait for the new token meanwhile. The requests of the change
 * need `changesSession`.
 */
export async function changeOrganization<T>(run: () => Promise<T>, path = '/'): Promise<T> {
  changing = true
  try {
    const changed = await navigator.locks.request(LOCK, run)
    location.assign(path)
    return changed
  } catch (error) {
    changing = false
    throw error
  }
}

/** Runs a sign-in and keeps its token. It ends the former session of this browser; other tabs wait for the new token. */
export function replaceSession<T extends { token: string }>(run: () => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, async () => {
    const session = await run()
    beginSession(session.token)
    return session
  })
}

/** Whether another tab has replaced the token that a request was sent with. Waits for a change that is under way. */
export function isTokenReplaced(sent: string | null): Promise<boolean> {
  return navigator.locks.request(LOCK, async () => readToken() !== null && readToken() !== sent)
}

/** Loads this page again, because it shows another organization or user than those of the session. */
export function reloadOutdated(): void {
  if (changing || Date.now() - lastReload().at < AGAIN_MS) return
  sessionStorage.setItem(NOTICE, JSON.stringify({ at: Date.now(), shown: shownHeaders() }))
  location.reload()
}

interface Reload {
  /** In milliseconds since the epoch; 0 if there was none. */
  at: number
  /** What the page showed before. */
  shown: ReturnType<typeof shownHeaders>
}

function lastReload(): Reload {
  return JSON.parse(sessionStorage.getItem(NOTICE) ?? '{"at":0,"shown":{}}') as Reload
}

/** Why this page was loaded again, if it was outdated; undefined if it was not. */
export function outdatedNotice({ user, organizations }: SessionView): string | undefined {
  const { at, shown } = lastReload()
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type !== 'reload' || Math.abs(performance.timeOrigin - at) >= AGAIN_MS) return undefined
  const { 'x-dashboard-user': userId, 'x-dashboard-organization': orgId } = shown
  if (userId === user.id && orgId !== undefined && organizations.every(({ id }) => id !== orgId))
    return 'You are no longer a member of the organization that this page showed.'
  return 'You changed the organization or signed in again elsewhere. This page is up to date now.'
}
