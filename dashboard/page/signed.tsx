import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { matchRoute, Route, useLocation, useRouter } from 'wouter'
import type { SessionView } from '../../schemas/organizations/dashboard.ts'
import { request } from './lib/api.ts'
import { outdatedNotice } from './lib/outdated.ts'
import { SESSION_URL, SessionContext } from './lib/session.ts'
import { leave, readToken, showAs } from './lib/token.ts'
import { NOT_FOUND, PAGES } from './pages.ts'
import { CurrentPageContext, type PageEntry } from './ui/current-page.ts'
import { Card } from './ui/layout.tsx'
import { ErrorPanel, Skeleton } from './ui/states.tsx'
import { toast } from './ui/toast.tsx'

const loadFrame = () => import('./ui/frame.tsx')
const Frame = lazy(loadFrame)
const NoOrganization = lazy(() => import('./pages/no-organization.tsx'))
const NotFound = lazy(NOT_FOUND.load)
const COMPONENTS = new Map<PageEntry, ComponentType>(PAGES.map(page => [page, lazy(page.load)]))

/** Loads the session and shows the page of the path, in the frame. Without a session it opens the sign-in page. */
export function Signed() {
  const page = useMatchingPage()
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
  useEffect(() => {
    if (!signedIn) return
    // While the session is read. React reports a part that cannot be loaded when it renders it.
    loadFrame().catch(() => undefined)
    page.load().catch(() => undefined)
  }, [signedIn, page])
  if (!signedIn) return null
  if (session === undefined)
    return error ? (
      <main className="alone">
        <ErrorPanel error={error} onRetry={refetch} />
      </main>
    ) : (
      <LoadingAlone />
    )
  const shown = <Route path={page.path} component={COMPONENTS.get(page) ?? NotFound} />
  return (
    <SessionContext value={session}>
      <CurrentPageContext value={page}>
        <Suspense fallback={<LoadingAlone />}>
          {session.organization === null && !page.withoutOrganization ? (
            <NoOrganization />
          ) : page.alone ? (
            shown
          ) : (
            <Frame pages={PAGES}>
              <Suspense fallback={<Loading />}>{shown}</Suspense>
            </Frame>
          )}
        </Suspense>
      </CurrentPageContext>
    </SessionContext>
  )
}

function useMatchingPage(): PageEntry {
  const { parser } = useRouter()
  const [path] = useLocation()
  return PAGES.find(page => matchRoute(parser, page.path, path)[0]) ?? NOT_FOUND
}

function LoadingAlone() {
  return (
    <main className="alone">
      <Skeleton lines={5} />
    </main>
  )
}

function Loading() {
  return (
    <Card>
      <Skeleton lines={5} />
    </Card>
  )
}
