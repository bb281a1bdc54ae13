import { createContext, useContext } from 'react'
import type { Role } from '../../../schemas/role.ts'

/** Who is signed in, where, and what they may do. Buttons and navigation depend only on `may`. */
export interface Session {
  user: { id: string; email: string | null; name: string | null }
  organization: { id: string; name: string } | null
  role: Role | null
  may: {
    /** See and change the keys of all members. */
    keys_all: boolean
    agents_all: boolean
    billing: boolean
    members: boolean
    connectors_org: boolean
  }
  organizations: { id: string; name: string; role: Role }[]
  /** The URL of /mcp. */
  gateway_url: string
  /** Whether an authorization server signs users in; otherwise one-time links do. */
  issuer: boolean
}

/** The URL of the session, which is the key of its query. */
export const SESSION_URL = '/api/session'

/** Provides the session to the pages that need one. */
export const SessionContext = createContext<Session | null>(null)

/** The session of the signed-in user. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('This page needs a signed-in user.')
  return session
}
