import { request } from '../lib/api.ts'
import { useAction } from '../lib/queries.ts'
import { SESSION_URL, useSession } from '../lib/session.ts'
import { endSession } from '../lib/sign-out.ts'
import { saveToken } from '../lib/token.ts'
import { Alone } from '../ui/alone.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorPanel, Notice } from '../ui/states.tsx'

/** What a user without an active organization sees: the organizations to choose from, or whom to ask. */
export function NoOrganization() {
  const { user, organizations } = useSession()
  const choose = useAction({
    run: (id: string) => request<{ token?: string }>('PATCH', '/api/me', { body: { active_organization_id: id } }),
    changes: [SESSION_URL],
    onDone({ token }) {
      if (token !== undefined) saveToken(token)
    },
  })
  const signOut = useAction({ run: () => endSession({ everywhere: false }), changes: [] })
  return (
    <Alone title={organizations.length > 0 ? 'Choose an organization' : 'You are in no organization yet'}>
      {organizations.map(({ id, name }) => (
        <Button key={id} onClick={() => choose.mutate(id)} busy={choose.isPending && choose.variables === id}>
          {name}
        </Button>
      ))}
      {organizations.length === 0 && (
        <Notice kind="info">
          Ask an admin of your organization to invite {user.email ?? 'your email address'}, then open the link that they
          send you.
        </Notice>
      )}
      {choose.error && <ErrorPanel error={choose.error} />}
      <Button kind="quiet" icon="log-out" onClick={() => signOut.mutate()} busy={signOut.isPending}>
        Sign out
      </Button>
    </Alone>
  )
}
