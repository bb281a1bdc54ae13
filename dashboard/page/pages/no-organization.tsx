import { useState } from 'react'
import { request } from '../lib/api.ts'
import { changeOrganization } from '../lib/outdated.ts'
import { useAction } from '../lib/queries.ts'
import { endSession, useSession } from '../lib/session.ts'
import { Alone } from '../ui/alone.tsx'
import { Button } from '../ui/button.tsx'
import { Form, TextField } from '../ui/field.tsx'
import { ErrorPanel, Notice } from '../ui/states.tsx'

/** What a user without an active organization sees: the organizations to choose from, or whom to ask. */
export default function NoOrganization() {
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
    <Alone title={organizations.length > 0 ? 'Choose an organization' : 'You do not belong to an organization yet'}>
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
  const [tried, setTried] = useState(false)
  const create = useAction({
    run: (_: undefined, key) =>
      changeOrganization(() => request('POST', '/api/organizations', { body: { name }, key, changesSession: true })),
    changes: [],
  })
  function submit() {
    setTried(true)
    if (name.trim() !== '') create.mutate(undefined)
  }
  return (
    <Form onSubmit={submit} error={create.error}>
      <TextField
        label="Or create an organization"
        value={name}
        onChange={setName}
        maxLength={100}
        placeholder="Analytical Engines"
        problem={tried && name.trim() === '' ? 'Enter the name of your organization.' : undefined}
      />
      {create.error && <ErrorPanel error={create.error} />}
      <Button type="submit" kind="primary" busy={create.isPending}>
        Create
      </Button>
    </Form>
  )
}
