import { type ReactNode, useEffect } from 'react'
import { useGet } from '../lib/queries.ts'
import { SESSION_URL, type Session, SessionContext } from '../lib/session.ts'
import { leave, readToken } from '../lib/token.ts'
import { Frame } from '../ui/frame.tsx'
import { ErrorPanel, Skeleton } from '../ui/states.tsx'
import { NoOrganization } from './no-organization.tsx'

/** Loads the session and shows the page in the frame. Without a session it opens the sign-in page. */
export function Signed({ children }: { children: ReactNode }) {
  const signedIn = readToken() !== null
  const { data: session, error, refetch } = useGet<Session>(SESSION_URL, { enabled: signedIn })
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
      {session.organization === null ? <NoOrganization /> : <Frame>{children}</Frame>}
    </SessionContext>
  )
}
