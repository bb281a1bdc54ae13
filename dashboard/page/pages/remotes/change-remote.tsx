import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RemoteConnectorRead } from '../../../../schemas/remote.ts'
import type { UpdateRemoteRequest } from '../../../../schemas/remote-requests.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { RefreshChoice } from './refresh-choice.tsx'

/** A change of a registered server in a dialog. */
export interface RemoteChange {
  entry: RemoteConnectorRead
  onClose: () => void
}

/** Sends a change of a registered server, then closes its dialog. */
export function useRemoteChange({ entry, onClose }: RemoteChange, done: string) {
  return useAction({
    run: (body: UpdateRemoteRequest) => request<RemoteConnectorRead>('PATCH', remoteUrl(entry.id), { body }),
    changes: REMOTE_CHANGES,
    onDone() {
      toast(done)
      onClose()
    },
  })
}

/** The form that renames a registered server. */
export function RenameRemote(change: RemoteChange) {
  const [name, setName] = useState(change.entry.name)
  const save = useRemoteChange(change, 'The server is renamed.')
  return (
    <FormDialog
      onClose={change.onClose}
      title="Rename the server"
      submit="Save"
      action={save}
      onSubmit={() => name.trim() !== '' && save.mutate({ name: name.trim() })}
    >
      <TextField
        label="Name"
        maxLength={80}
        value={name}
        onChange={setName}
        problem={name.trim() === '' ? 'Enter a name.' : undefined}
        hint={`The names of its tools keep their prefix org__${change.entry.id}__.`}
      />
    </FormDialog>
  )
}

/** The form that sets who accepts changes of the server. */
export function ChangeRefresh(change: RemoteChange) {
  const [refresh, setRefresh] = useState(change.entry.remote.refresh)
  const save = useRemoteChange(change, 'Saved.')
  return (
    <FormDialog
      onClose={change.onClose}
      title="Who accepts changes"
      submit="Save"
      action={save}
      onSubmit={() => save.mutate({ refresh })}
    >
      <RefreshChoice value={refresh} onChange={setRefresh} />
    </FormDialog>
  )
}

/** Asks before a registered server is removed. */
export function RemoveRemote({ entry, onClose }: RemoteChange) {
  const [, navigate] = useLocation()
  const remove = useAction({
    run: () => request('DELETE', remoteUrl(entry.id)),
    changes: REMOTE_CHANGES,
    onDone() {
      toast(`${entry.name} is removed.`)
      navigate('/connectors')
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Remove ${entry.name}?`}
      submit="Remove"
      danger
      action={remove}
      onSubmit={() => remove.mutate()}
    >
      <p>
        All members lose its tools. Its pinned tools, stored credentials and settings are deleted. This cannot be
        undone.
      </p>
    </FormDialog>
  )
}
