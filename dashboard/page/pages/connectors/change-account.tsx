import { useState } from 'react'
import type { ConnectorAccount, CuratedConnectorEntry } from '../../../../schemas/connector.ts'
import { request } from '../../lib/api.ts'
import { CONNECTORS_URL, connectorUrl } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

interface Change {
  entry: CuratedConnectorEntry
  account: ConnectorAccount
  onClose: () => void
}

const urlOf = ({ entry, account }: Change) => `${connectorUrl(entry.id)}/accounts/${encodeURIComponent(account.id)}`

function useChange(change: Change, done: string) {
  return useAction({
    run: (body: object | null) =>
      body === null ? request('DELETE', urlOf(change)) : request('PATCH', urlOf(change), { body }),
    changes: [CONNECTORS_URL, TOOLS_KEY],
    onDone() {
      toast(done)
      change.onClose()
    },
  })
}

/** The form that changes the alias of an account. */
export function RenameAccount(change: Change) {
  const [alias, setAlias] = useState(change.account.alias)
  const save = useChange(change, 'The account is renamed.')
  return (
    <FormDialog
      onClose={change.onClose}
      title="Rename the account"
      submit="Save"
      action={save}
      onSubmit={() => alias.trim() !== '' && save.mutate({ alias: alias.trim() })}
    >
      <TextField
        label="Alias"
        maxLength={64}
        value={alias}
        onChange={setAlias}
        problem={alias.trim() === '' ? 'Enter a name.' : undefined}
        hint="Clients choose the account by this name. Calls with the old name fail."
      />
    </FormDialog>
  )
}

/** Asks before an account is shared, or made private again. */
export function ShareAccount(change: Change) {
  const { alias, identity, scope } = change.account
  const share = scope === 'private'
  const save = useChange(change, share ? 'The account is shared.' : 'The account is private.')
  return (
    <FormDialog
      onClose={change.onClose}
      title={share ? `Share “${alias}”?` : `Make “${alias}” private?`}
      submit={share ? 'Share' : 'Make private'}
      action={save}
      onSubmit={() => save.mutate({ scope: share ? 'shared' : 'private' })}
    >
      {share ? (
        <p>Every member of the organization and their agents can then act as {identity}.</p>
      ) : (
        <p>Only the member who connected it can use it then. Calls of others with this account fail.</p>
      )}
    </FormDialog>
  )
}

/** Asks before an account is removed. */
export function RemoveAccount(change: Change) {
  const { alias, scope } = change.account
  const remove = useChange(change, 'The account is removed.')
  return (
    <FormDialog
      onClose={change.onClose}
      title={`Remove “${alias}”?`}
      submit="Remove"
      danger
      action={remove}
      onSubmit={() => remove.mutate(null)}
    >
      <p>
        Its stored credential is deleted, and the provider is asked to revoke it.
        {scope === 'shared' && ' It is removed for the whole organization.'}
      </p>
    </FormDialog>
  )
}
