import type { Static } from '@sinclair/typebox'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { NewSession, SignInMethods } from '../../../schemas/organizations/dashboard.ts'
import { request } from '../lib/api.ts'
import { replaceSession } from '../lib/outdated.ts'
import { useAction, useGet, useSearchOnce } from '../lib/queries.ts'
import { browserId, keepPage, onSignIn, safePath, takeFragment, takePage } from '../lib/token.ts'
import { Alone } from '../ui/alone.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { ErrorPanel, Notice, Skeleton } from '../ui/states.tsx'

type Methods = Static<typeof SignInMethods>
type SignedIn = Static<typeof NewSession>

/** The sign-in page. With a token after # it is the page of a one-time link. */
export function SignIn() {
  const [token] = useState(takeFragment)
  return token === undefined ? <Choose /> : <OneTimeLink token={token} />
}

function Choose() {
  const [search] = useSearchParams()
  const returnPath = safePath(search.get('return'))
  const [, navigate] = useLocation()
  useEffect(() => {
    keepPage(returnPath)
    return onSignIn(() => navigate(returnPath, { replace: true }))
  }, [returnPath, navigate])
  const { data: methods, error, refetch } = useGet<Methods>('/auth/methods')
  const start = useAction({
    run: () =>
      request<{ location: string }>('POST', '/auth/start', {
        body: { browser: browserId(), return_path: returnPath },
      }),
    changes: [],
    onDone: answer => location.assign(answer.location),
  })
  if (methods === undefined)
    return (
      <Alone title="Sign in">{error ? <ErrorPanel error={error} onRetry={refetch} /> : <Skeleton lines={2} />}</Alone>
    )
  if (!methods.issuer)
    return (
      <Alone title="Sign in with a link" text="A link signs you in once. It is valid for 10 minutes.">
        <p>
          The gateway prints a link for its owner when it first starts. For another link, ask the operator to run this
          command with your email address:
        </p>
        <CopyText text={methods.command} label="Copy the command" />
        <p className="muted">Then open the link in this browser to continue where you left off.</p>
      </Alone>
    )
  return (
    <Alone title="Sign in" text="Connect the services your team uses, and choose what its agents may call.">
      <Button kind="primary" busy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        Continue to sign in
      </Button>
      {start.error && <ErrorPanel error={start.error} />}
    </Alone>
  )
}

/** Spends the link by a button only: programs that open links to check them do not press it. */
function OneTimeLink({ token }: { token: string }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const signIn = useAction({
    run: () => replaceSession(() => request<SignedIn>('POST', '/auth/link', { body: { token } })),
    changes: [],
    onDone(answer) {
      client.clear()
      navigate(safePath(takePage() ?? answer.return_path), { replace: true })
    },
  })
  if (signIn.error)
    return (
      <Alone title="This link does not work">
        <ErrorPanel error={signIn.error} onRetry={() => signIn.mutate()} />
        <Button onClick={() => location.assign('/sign-in')}>Sign in another way</Button>
      </Alone>
    )
  return (
    <Alone title="Sign in to this browser" text="This link signs you in once, as the user it was created for.">
      <Button kind="primary" busy={signIn.isPending || signIn.isSuccess} onClick={() => signIn.mutate()}>
        Sign in
      </Button>
      <Notice kind="info">If you did not request this link, close this page.</Notice>
    </Alone>
  )
}

/** Where the authorization server sends the browser back to. Sends its answer on, once, and cleans the address bar. */
export function SignInCallback() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const finish = useAction({
    run: (search: string) =>
      replaceSession(() =>
        request<{ token: string; return_path: string }>('POST', '/auth/callback', {
          body: { browser: browserId(), search },
        }),
      ),
    changes: [],
    onDone(answer) {
      client.clear()
      navigate(safePath(answer.return_path), { replace: true })
    },
  })
  useSearchOnce(finish.mutate)

  if (finish.error === null)
    return (
      <Alone title="Signing in">
        <Skeleton lines={2} label="Signing in" />
      </Alone>
    )
  return (
    <Alone title="The sign-in failed">
      <ErrorPanel error={finish.error} />
      <ButtonLink href="/sign-in" kind="primary">
        Sign in again
      </ButtonLink>
    </Alone>
  )
}
