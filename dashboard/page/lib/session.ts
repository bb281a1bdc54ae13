import { createContext, useContext } from 'react'
import type { SessionView } from '../../../schemas/organizations/dashboard.ts'
import { request } from './api.ts'
import { forgetDraft } from './draft.ts'

/** The URL of the session, which is the key of its query. */
export const SESSION_URL = '/api/session'

/** Provides the session to the pages that need one. Their buttons and the navigation depend only on its `may`. */
export const SessionContext = createContext<SessionView | null>(null)

/** The session of the signed-in user. */
export function useSession(): SessionView {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('This page needs a signed-in user.')
  return session
}

/** Ends this session, or all sessions of the user, here and at the authorization server. */
export async function endSession({ everywhere }: { everywhere: boolean }): Promise<void> {
  const { location: next } = await request<{ location: string | null }>('POST', '/api/sign-out', {
    body: { everywhere },
  })
  forgetDraft()
  localStorage.removeItem('dashboard-token')
  // A load of a new page: nothing of the session stays in memory.
  location.assign(next ?? '/sign-in')
}
