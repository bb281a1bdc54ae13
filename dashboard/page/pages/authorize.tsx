import { useState } from 'react'
import { useParams } from 'wouter'
import type { AuthorizationView } from '../../../schemas/organizations/dashboard.ts'
import { request } from '../lib/api.ts'
import { changeOrganization } from '../lib/outdated.ts'
import { useAction, useGet } from '../lib/queries.ts'
import { endSession, useSession } from '../lib/session.ts'
import { Alone } from '../ui/alone.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Facts } from '../ui/layout.tsx'
import { SelectField } from '../ui/select.tsx'
import { ErrorPanel, Notice, Skeleton } from '../ui/states.tsx'

type Decision = 'allow' | 'deny'

/** Asks the signed-in user whether an MCP client may call tools as them, and leads back to the client. */
export default function Authorize() {
  const { uid = '' } = useParams()
  const url = `/api/authorizations/${encodeURIComponent(uid)}`
  const { data: asked, error } = useGet<AuthorizationView>(url)
  const [left, setLeft] = useState(false)
  const decide = useAction({
    run: (decision: Decision) => request<{ location: string }>('POST', url, { body: { decision } }),
    changes: [],
    onDone(answer) {
      setLeft(true)
      location.assign(answer.location)
    },
  })
  if (asked === undefined)
    return (
      <Alone title="Sign-in of a client">
        {error ? (
          <>
            <ErrorPanel error={error} />
            <ButtonLink href="/">Go to the start page</ButtonLink>
          </>
        ) : (
          <Skeleton lines={4} />
        )}
      </Alone>
    )
  if (left)
    return (
      <Alone title={decide.variables === 'allow' ? 'Allowed' : 'Denied'} text="Continue in your client.">
        <ButtonLink href="/calls">See the client’s calls</ButtonLink>
      </Alone>
    )
  const { client } = asked
  return (
    <Alone title={`Allow ${client.name} to call tools?`} text={<Acting />}>
      <Organization />
      <Facts
        facts={[
          ...(client.host === null ? [] : [['Published by', client.host] as const]),
          ['Returns to', describe(asked.returns_to)],
        ]}
      />
      <Notice kind="info">
        {client.host === null && 'The client chose this name itself. '}Allow access only if you just started to sign in
        from that client.
      </Notice>
      <Button
        kind="primary"
        busy={decide.isPending && decide.variables === 'allow'}
        disabled={decide.isPending}
        onClick={() => decide.mutate('allow')}
      >
        Allow
      </Button>
      <Button
        busy={decide.isPending && decide.variables === 'deny'}
        disabled={decide.isPending}
        onClick={() => decide.mutate('deny')}
      >
        Deny
      </Button>
      {decide.error && <ErrorPanel error={decide.error} />}
      <SignOut />
    </Alone>
  )
}

/** As whom the client would act. */
function Acting() {
  const { user, organization } = useSession()
  return (
    <>
      The client would act as <strong>{user.email ?? user.id}</strong> in <strong>{organization?.name}</strong>, with
      your connected accounts.
    </>
  )
}

/** The choice of the organization, for members of several. */
function Organization() {
  const { organization, organizations } = useSession()
  const choose = useAction({
    run: (id: string) =>
      changeOrganization(
        () => request('PATCH', '/api/me', { body: { active_organization_id: id }, changesSession: true }),
        location.pathname,
      ),
    changes: [],
  })
  if (organizations.length < 2 || organization === null) return null
  return (
    <>
      <SelectField
        label="Organization"
        value={organization.id}
        options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={id => choose.mutate(id)}
      />
      {choose.error && <ErrorPanel error={choose.error} />}
    </>
  )
}

function SignOut() {
  const signOut = useAction({ run: () => endSession({ everywhere: false }), changes: [] })
  return (
    <Button kind="quiet" icon="log-out" onClick={() => signOut.mutate()} busy={signOut.isPending}>
      Not you? Sign out
    </Button>
  )
}

function describe({ kind, name }: AuthorizationView['returns_to']): string {
  if (kind === 'loopback') return `This computer (${name})`
  return kind === 'web' ? name : `The app for ${name}: on this computer`
}
