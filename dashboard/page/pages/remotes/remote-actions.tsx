import { useState } from 'react'
import { useLocation } from 'wouter'
import type {
  RefreshedRemoteConnector,
  RemoteAuthMode,
  RemoteConnectorRead,
  UpdateRemoteRequest,
} from '../../../../schemas/remotes/remote.ts'
import { ApiError, request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Toggle } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  AuthFields,
  type AuthValues,
  authOf,
  formatLines,
  NO_AUTH_VALUES,
  RefreshChoice,
} from './connection-fields.tsx'

/** What admins do with a registered server. */
export function RemoteActions({ entry }: { entry: RemoteConnectorRead }) {
  const [open, setOpen] = useState<'rename' | 'connection' | 'refresh' | 'remove'>()
  const close = () => setOpen(undefined)
  const known = entry.remote.tool_count !== null
  const check = useAction({
    // The first tools are live at once. Later ones are only shown.
    run: () =>
      request<RefreshedRemoteConnector>('POST', `${remoteUrl(entry.id)}/refresh${known ? '?preview=1' : ''}`, {
        body: {},
      }),
    changes: REMOTE_CHANGES,
    onDone: ({ changes }) => toast(known ? foundOf(changes) : 'The tools are read.'),
  })
  return (
    <>
      {entry.remote.credential?.connected !== false && (
        <Button
          icon="refresh-cw"
          busy={check.isPending}
          onClick={() => check.mutate(undefined, { onError: error => toast(error.message, 'bad') })}
        >
          {known ? 'Check for changes' : 'Read the tools'}
        </Button>
      )}
      <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${entry.name}`} />}>
        <MenuItem icon="pencil" onClick={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon="link" onClick={() => setOpen('connection')}>
          Change the connection
        </MenuItem>
        <MenuItem icon="refresh-cw" onClick={() => setOpen('refresh')}>
          Who accepts changes
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash-2" danger onClick={() => setOpen('remove')}>
          Remove
        </MenuItem>
      </Menu>
      {open === 'rename' && <RenameRemote entry={entry} onClose={close} />}
      {open === 'connection' && <ChangeConnection entry={entry} onClose={close} />}
      {open === 'refresh' && <ChangeRefresh entry={entry} onClose={close} />}
      {open === 'remove' && <RemoveRemote entry={entry} onClose={close} />}
    </>
  )
}

function foundOf(changes: RefreshedRemoteConnector['changes']): string {
  const { length } = Object.values(changes).flat()
  if (length === 0) return 'Nothing has changed at the server.'
  return length === 1 ? 'One change waits for you.' : `${length} changes wait for you.`
}

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
function RenameRemote(change: RemoteChange) {
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
        hint={`The names of the server’s tools keep the prefix org__${change.entry.id}__.`}
      />
    </FormDialog>
  )
}

/** The form that sets who accepts changes of the server. */
function ChangeRefresh(change: RemoteChange) {
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
function RemoveRemote({ entry, onClose }: RemoteChange) {
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
        All members lose the server’s tools. Its pinned tools, stored credentials and settings are deleted. This cannot
        be undone.
      </p>
    </FormDialog>
  )
}

/** The form that changes where a registered server is, and how the gateway authenticates to it. */
function ChangeConnection(change: RemoteChange) {
  const { remote } = change.entry
  const [url, setUrl] = useState(remote.upstream_url)
  const [chosen, setChosen] = useState(false)
  const [mode, setMode] = useState<RemoteAuthMode>(remote.auth_mode)
  const [values, setValues] = useState<AuthValues>({
    ...NO_AUTH_VALUES,
    ...(remote.credential !== undefined && { per: remote.credential.per }),
    params: formatLines(remote.oauth?.authorization_params),
  })
  const [tried, setTried] = useState(false)
  const save = useRemoteChange(change, 'Saved. Changes to the server’s tools wait for you.')
  const { error } = save
  const atUrl = error instanceof ApiError && (error.code === 'invalid_upstream_url' || error.code === 'snapshot_failed')
  const needed = needsAuth(remote, url)
  const withAuth = chosen || needed
  const auth = authOf(mode, values)

  function submit() {
    setTried(true)
    if (url.trim() === '' || (withAuth && auth === undefined)) return
    if (url.trim() === remote.upstream_url && !withAuth) return change.onClose()
    save.mutate({
      ...(url.trim() !== remote.upstream_url && { upstream_url: url.trim() }),
      ...(withAuth && auth !== undefined && { auth }),
    })
  }

  return (
    <FormDialog
      onClose={change.onClose}
      title="Change the connection"
      submit="Save"
      action={{ isPending: save.isPending, error: atUrl ? null : error }}
      onSubmit={submit}
    >
      <TextField
        label="URL"
        type="url"
        maxLength={2048}
        value={url}
        onChange={setUrl}
        problem={
          atUrl
            ? error?.message
            : tried && url.trim() === ''
              ? 'Enter the URL of the server’s MCP endpoint.'
              : undefined
        }
        hint="The gateway first lists the tools there. A tool that changed goes live once you accept it."
      />
      <Toggle
        label="Change the authentication"
        hint={
          needed
            ? 'Needed for this URL: a stored credential is never sent to another server.'
            : 'Credentials that are stored now are deleted.'
        }
        checked={withAuth}
        disabled={needed}
        onChange={setChosen}
      />
      {withAuth && (
        <AuthFields
          mode={mode}
          onMode={setMode}
          values={values}
          onChange={setValues}
          tried={tried}
          clientProblem={
            error instanceof ApiError && error.code === 'oauth_registration_failed' ? error.message : undefined
          }
        />
      )}
    </FormDialog>
  )
}

/**
 * Whether the stored credential and headers are of no use at another URL: OAuth tokens and credentials of members are for one
 * URL, other secrets for one origin.
 */
function needsAuth(
  { upstream_url, auth_mode, header_names, credential }: RemoteConnectorRead['remote'],
  text: string,
): boolean {
  const url = URL.parse(text.trim())
  if (url === null || url.href === upstream_url) return false
  if (auth_mode === 'oauth' || auth_mode === 'client_credentials') return true
  if (auth_mode !== 'assertion' && credential?.per === 'member') return true
  const isSecret = (auth_mode !== 'none' && auth_mode !== 'assertion') || header_names !== undefined
  return isSecret && url.origin !== new URL(upstream_url).origin
}
