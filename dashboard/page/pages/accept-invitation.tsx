import { useState } from 'react'
import { useLocation } from 'wouter'
import { request } from '../lib/api.ts'
import { useAction } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { takeFragment } from '../lib/token.ts'
import { Alone } from '../ui/alone.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ErrorPanel, Notice } from '../ui/states.tsx'

interface Joined {
  organization: { id: string; name: string }
}

/** The page of the link of an invitation. A user without an organization sees it too. */
export function AcceptInvitation() {
  const { user } = useSession()
  const [, navigate] = useLocation()
  const [token] = useState(takeFragment)
  const accept = useAction({
    async run() {
      const joined = await request<Joined>('POST', '/api/invitations/accept', { body: { token } })
      await request('PATCH', '/api/me', { body: { active_organization_id: joined.organization.id } })
      return joined
    },
    changes: ['/api/'],
    onDone: () => navigate('/', { replace: true }),
  })
  if (token === undefined)
    return (
      <Alone title="Join an organization">
        <Notice kind="warn" title="This address lacks the token of an invitation.">
          Open the whole link again, with everything after #.
        </Notice>
        <ButtonLink href="/">Go to the start page</ButtonLink>
      </Alone>
    )
  return (
    <Alone title="Join the organization" text={`You are signed in as ${user.email ?? user.id}.`}>
      <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
        Accept the invitation
      </Button>
      {accept.error && <ErrorPanel error={accept.error} />}
      <ButtonLink href="/" kind="quiet">
        Not now
      </ButtonLink>
    </Alone>
  )
}
