import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { request } from '../lib/api.ts'
import { replaceSession } from '../lib/outdated.ts'
import { useAction } from '../lib/queries.ts'
import { browserId, safePath } from '../lib/token.ts'
import { Alone } from '../ui/alone.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorPanel, Skeleton } from '../ui/states.tsx'

/** Where the authorization server sends the browser back to. Sends its answer on, once, and cleans the address bar. */
export function SignInCallback() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const sent = useRef(false)
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
  const { mutate } = finish
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    const { search, pathname } = location
    history.replaceState(null, '', pathname)
    mutate(search)
  }, [mutate])

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
