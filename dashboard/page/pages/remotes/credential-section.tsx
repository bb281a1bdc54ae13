import { useState } from 'react'
import type { RemoteAuthorization } from '../../../../schemas/remotes/auth.ts'
import type { RemoteConnectorRead, StoredRemoteCredential } from '../../../../schemas/remotes/remote.ts'
import { request } from '../../lib/api.ts'
import { openProvider } from '../../lib/connect-flow.ts'
import { useAction } from '../../lib/queries.ts'
import { hostOf, isPerMember, REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'

/** With whose credential the server is called, and how to give, replace or remove it. */
export function CredentialSection({ entry }: { entry: RemoteConnectorRead }) {
  const { may } = useSession()
  const [open, setOpen] = useState<'key' | 'disconnect'>()
  const { credential } = entry.remote
  if (credential === undefined) return null
  if (entry.remote.auth_mode === 'assertion')
    return (
      <Section
        title="Access"
        text={`The gateway signs a token for ${entry.name} that identifies the caller of each call. Nobody has to connect.`}
      />
    )
  const own = isPerMember(entry)
  const mayGive = own || may.manage_connectors
  const close = () => setOpen(undefined)
  return (
    <Section
      title={own ? 'Your access' : 'Access'}
      text={
        own
          ? `${entry.name} sees each member as themselves. Your agents act with your credential too.`
          : `All members and their agents act with one credential. ${entry.name} does not learn who calls.`
      }
      action={
        mayGive &&
        isWorking(entry) && (
          <>
            {own && (
              <Button size="small" kind="quiet" onClick={() => setOpen('disconnect')}>
                Disconnect
              </Button>
            )}
            <GiveButton entry={entry} onKey={() => setOpen('key')} />
          </>
        )
      }
    >
      <CredentialState entry={entry} mayGive={mayGive} />
      {mayGive && !isWorking(entry) && (
        <div className="row">
          <GiveButton entry={entry} primary onKey={() => setOpen('key')} />
          {own && credential.connected && (
            <Button kind="quiet" onClick={() => setOpen('disconnect')}>
              Disconnect
            </Button>
          )}
        </div>
      )}
      {open === 'key' && <GiveKey entry={entry} onClose={close} />}
      {open === 'disconnect' && <Disconnect entry={entry} onClose={close} />}
    </Section>
  )
}

const isWorking = ({ status, remote }: RemoteConnectorRead) =>
  remote.credential?.connected === true && status !== 'needs_reauth'

function CredentialState({ entry, mayGive }: { entry: RemoteConnectorRead; mayGive: boolean }) {
  const { credential, auth_mode } = entry.remote
  const own = isPerMember(entry)
  if (isWorking(entry))
    return <Notice kind="good">{own ? 'You are connected.' : 'The organization is connected.'}</Notice>
  if (credential?.connected)
    return (
      <Notice kind="warn" title={`${entry.name} no longer accepts ${own ? 'your' : 'the'} credential.`}>
        {mayGive
          ? 'Calls fail until you renew the credential.'
          : 'Calls fail until an owner or admin renews the credential.'}
      </Notice>
    )
  const missing = auth_mode === 'oauth' ? 'signed in' : 'added a key'
  if (own)
    return (
      <Notice kind="info" title="You are not connected.">
        Your clients and agents see the server’s tools once you{' '}
        {auth_mode === 'oauth' ? 'sign in there' : 'add your own key'}.
      </Notice>
    )
  return (
    <Notice kind="warn" title={`Nobody has ${missing} for the organization yet.`}>
      {mayGive ? 'The server’s tools can be called once you do.' : 'An owner or admin can do this on this page.'}
    </Notice>
  )
}

interface GiveButtonProps {
  entry: RemoteConnectorRead
  primary?: boolean
  onKey: () => void
}

/** Leads to the sign-in at the server, or opens the form for a key. */
function GiveButton({ entry, primary = false, onKey }: GiveButtonProps) {
  const { auth_mode, credential } = entry.remote
  const begin = useAction({
    run: () =>
      request<RemoteAuthorization>('POST', `${remoteUrl(entry.id)}/credential/authorization`, {
        body: { redirect_uri: `${location.origin}/connect/callback` },
      }),
    changes: [],
    onDone: ({ authorization_url }) => openProvider(authorization_url),
  })
  const look = { size: primary ? 'normal' : 'small', kind: primary ? 'primary' : 'plain' } as const
  if (auth_mode !== 'oauth')
    return (
      <Button {...look} icon="key-round" onClick={onKey}>
        {credential?.connected ? 'Replace the key' : 'Add the key'}
      </Button>
    )
  return (
    <>
      <Button
        {...look}
        icon="external-link"
        busy={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate(undefined, { onError: error => toast(error.message, 'bad') })}
      >
        {credential?.connected ? 'Sign in again' : `Sign in at ${hostOf(entry)}`}
      </Button>
      {primary && begin.error && <ErrorPanel error={begin.error} />}
    </>
  )
}

interface FormProps {
  entry: RemoteConnectorRead
  onClose: () => void
}

/** What the key of each mode is called. */
const KEY_LABELS = {
  bearer: 'Token',
  header: 'Value of the header',
  client_credentials: 'Client secret or private key',
} as const

function GiveKey({ entry, onClose }: FormProps) {
  const [key, setKey] = useState('')
  const [tried, setTried] = useState(false)
  const own = isPerMember(entry)
  const save = useAction({
    run: (body: object) => request<StoredRemoteCredential>('POST', `${remoteUrl(entry.id)}/credential`, { body }),
    changes: REMOTE_CHANGES,
    onDone({ unchecked }) {
      if (unchecked !== undefined) toast(`Stored, not checked. ${unchecked}`, 'warn')
      else toast(own ? `You are connected to ${entry.name}.` : 'The key is stored.')
      onClose()
    },
  })
  const { auth_mode } = entry.remote
  const field = {
    label: KEY_LABELS[auth_mode as keyof typeof KEY_LABELS] ?? 'Key',
    value: key,
    onChange: setKey,
    problem: tried && key.trim() === '' ? 'Paste the key.' : undefined,
    hint: 'The key is checked first, then stored encrypted and never shown.',
  }
  function submit() {
    setTried(true)
    if (key.trim() !== '') save.mutate({ key: key.trim() })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={own ? `Your key for ${entry.name}` : `The organization’s key for ${entry.name}`}
      submit={entry.remote.credential?.connected ? 'Replace' : 'Connect'}
      action={save}
      onSubmit={submit}
    >
      {auth_mode === 'client_credentials' ? (
        <TextArea {...field} rows={4} code />
      ) : (
        <TextField {...field} type="password" maxLength={8192} />
      )}
    </FormDialog>
  )
}

function Disconnect({ entry, onClose }: FormProps) {
  const remove = useAction({
    run: () => request('DELETE', `${remoteUrl(entry.id)}/credential`),
    changes: REMOTE_CHANGES,
    onDone() {
      toast(`You are disconnected from ${entry.name}.`)
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Disconnect from ${entry.name}?`}
      submit="Disconnect"
      danger
      action={remove}
      onSubmit={() => remove.mutate()}
    >
      <p>
        Your stored credential is deleted. Your clients and agents no longer see the server’s tools. Other members stay
        connected.
      </p>
    </FormDialog>
  )
}
