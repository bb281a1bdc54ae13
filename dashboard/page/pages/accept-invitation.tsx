import { useState } from 'react'
import { request } from '../lib/api.ts'
import { changeOrganization } from '../lib/outdated.ts'
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
export default function AcceptInvitation() {
  const { user } = useSession()
  const [token] = useState(takeFragment)
  const accept = useAction({
    run: () =>
      changeOrganization(async () => {
        const send = { changesSession: true }
        const { organization } = await request<Joined>('POST', '/api/invitations/accept', { ...send, body: { token } })
        await request('PATCH', '/api/me', { ...send, body: { active_organization_id: organization.id } })
      }),
    changes: [],
  })
  if (token === undefined)
    return (
      <Alone title="Join an organization">
        <Notice kind="warn" title="The token of the invitation is missing from this address.">
          Open the full link again, including everything after #.
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
