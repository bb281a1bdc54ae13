import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { SessionView } from '../../../schemas/dashboard.ts'
import { useGet } from '../lib/queries.ts'
import { SESSION_URL, SessionContext } from '../lib/session.ts'
import { leave, readToken } from '../lib/token.ts'
import { Frame } from '../ui/frame.tsx'
import { ErrorPanel, Skeleton } from '../ui/states.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { NoOrganization } from './no-organization.tsx'

/** Loads the session and shows the page in the frame. Without a session it opens the sign-in page. */
export function Signed({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const signedIn = readToken() !== null
  const { data: session, error, refetch } = useGet<SessionView>(SESSION_URL, { enabled: signedIn })
  useEffect(() => {
    if (!signedIn) leave()
  }, [signedIn])
  if (!signedIn) return null
  if (session === undefined)
    return (
      <main className="alone">{error ? <ErrorPanel error={error} onRetry={refetch} /> : <Skeleton lines={5} />}</main>
    )
  return (
    <SessionContext value={session}>
      {path === '/invitations' ? (
        <AcceptInvitation />
      ) : session.organization === null ? (
        <NoOrganization />
      ) : (
        <Frame>{children}</Frame>
      )}
    </SessionContext>
  )
}
