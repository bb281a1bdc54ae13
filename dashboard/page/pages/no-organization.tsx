import { type FormEvent, useState } from 'react'
import { request } from '../lib/api.ts'
import { changeOrganization } from '../lib/outdated.ts'
import { useAction } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { endSession } from '../lib/sign-out.ts'
import { Alone } from '../ui/alone.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ErrorPanel, Notice } from '../ui/states.tsx'

/** What a user without an active organization sees: the organizations to choose from, or whom to ask. */
export function NoOrganization() {
  const { user, organizations, may } = useSession()
  const choose = useAction({
    run: (id: string) =>
      changeOrganization(() =>
        request('PATCH', '/api/me', { body: { active_organization_id: id }, changesSession: true }),
      ),
    changes: [],
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
      {may.create_organizations && <CreateOrganization />}
      {choose.error && <ErrorPanel error={choose.error} />}
      <Button kind="quiet" icon="log-out" onClick={() => signOut.mutate()} busy={signOut.isPending}>
        Sign out
      </Button>
    </Alone>
  )
}

function CreateOrganization() {
  const [name, setName] = useState('')
  const create = useAction({
    run: (_: undefined, key) =>
      changeOrganization(() => request('POST', '/api/organizations', { body: { name }, key, changesSession: true })),
    changes: [],
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '') create.mutate(undefined)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Or create an organization"
        value={name}
        onChange={setName}
        maxLength={100}
        placeholder="Analytical Engines"
      />
      {create.error && <ErrorPanel error={create.error} />}
      <Button type="submit" kind="primary" busy={create.isPending}>
        Create
      </Button>
    </form>
  )
}
