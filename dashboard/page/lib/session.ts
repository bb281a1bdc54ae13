import { createContext, useContext } from 'react'
import type { SessionView } from '../../../schemas/dashboard.ts'

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
