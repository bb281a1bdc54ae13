import { useState } from 'react'
import type { RemoteAuthMode, RemoteConnectorRead } from '../../../../schemas/remote.ts'
import { ApiError } from '../../lib/api.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { AuthFields, type AuthValues, authOf, NO_AUTH_VALUES } from './auth-fields.tsx'
import { type RemoteChange, useRemoteChange } from './change-remote.tsx'

/** The form that changes where a registered server is, and how the gateway authenticates to it. */
export function ChangeConnection(change: RemoteChange) {
  const { remote } = change.entry
  const [url, setUrl] = useState(remote.upstream_url)
  const [chosen, setChosen] = useState(false)
  const [mode, setMode] = useState<RemoteAuthMode>(remote.auth_mode)
  const [values, setValues] = useState<AuthValues>({
    ...NO_AUTH_VALUES,
    ...(remote.credential !== undefined && { per: remote.credential.per }),
  })
  const [tried, setTried] = useState(false)
  const save = useRemoteChange(change, 'Saved. Changes of its tools wait for you.')
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
        problem={atUrl ? error?.message : tried && url.trim() === '' ? 'Enter the URL of its MCP endpoint.' : undefined}
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
