import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Route, useLocation } from 'wouter'
import type { SessionView } from '../../../schemas/dashboard.ts'
import { request } from '../lib/api.ts'
import { outdatedNotice } from '../lib/outdated.ts'
import { SESSION_URL, SessionContext } from '../lib/session.ts'
import { leave, readToken, showAs } from '../lib/token.ts'
import { Frame } from '../ui/frame.tsx'
import { ErrorPanel, Skeleton } from '../ui/states.tsx'
import { toast } from '../ui/toast.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { Authorize } from './authorize.tsx'
import { NoOrganization } from './no-organization.tsx'

/** Loads the session and shows the page in the frame. Without a session it opens the sign-in page. */
export function Signed({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const signedIn = readToken() !== null
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    queryKey: [SESSION_URL],
    enabled: signedIn,
    async queryFn({ signal }) {
      const session = await request<SessionView>('GET', SESSION_URL, { signal })
      showAs(session.user.id, session.organization?.id)
      return session
    },
  })
  const notice = session && outdatedNotice(session)
  useEffect(() => {
    // Not before: nothing listens for toasts when the page begins.
    if (notice !== undefined) toast(notice)
  }, [notice])
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
      ) : path.startsWith('/authorize/') ? (
        <Route path="/authorize/:uid" component={Authorize} />
      ) : (
        <Frame>{children}</Frame>
      )}
    </SessionContext>
  )
}
