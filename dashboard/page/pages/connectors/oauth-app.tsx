import { useState } from 'react'
import type { ConnectForm } from '../../../../schemas/connect.ts'
import type { CredentialSource, CuratedConnectorEntry } from '../../../../schemas/connector.ts'
import { request } from '../../lib/api.ts'
import { CONNECTORS_URL } from '../../lib/connectors.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Facts, Section } from '../../ui/layout.tsx'
import { toast } from '../../ui/toast.tsx'

interface OauthAppProps {
  entry: CuratedConnectorEntry
  source: CredentialSource
}

const urlOf = (id: string) => `/api/connect/${encodeURIComponent(id)}`

/** The organization's own OAuth app of a connector, for admins. */
export function OauthApp({ entry, source }: OauthAppProps) {
  const { data: form } = useGet<ConnectForm>(urlOf(entry.id))
  const [open, setOpen] = useState<'set' | 'remove'>()
  const close = () => setOpen(undefined)
  const { org, active } = source
  return (
    <Section
      title="OAuth app"
      text={
        active === 'org'
          ? 'Members connect with the app of your organization.'
          : active === 'platform'
            ? 'Members connect with the app of this gateway. You can use one of your own.'
            : `Nobody can sign in at ${entry.name} yet: register an app there, then enter it here.`
      }
      action={
        <>
          {org && (
            <Button size="small" kind="quiet" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          )}
          {org && (
            <ButtonLink size="small" href={`/connect/${entry.id}`}>
              Test
            </ButtonLink>
          )}
          <Button size="small" onClick={() => setOpen('set')}>
            {org ? 'Change' : 'Add your app'}
          </Button>
        </>
      }
    >
      {org && (
        <Facts
          facts={[
            ['Client ID', <code key="id">{org.client_id}</code>],
            ['Added', formatDate(org.created_at)],
            ...(org.connections === undefined ? [] : [['Accounts', org.connections] as const]),
          ]}
        />
      )}
      {form && (
        <div className="field">
          <span className="field-label">Callback URL to register at {entry.name}</span>
          <CopyText text={form.callback_url} label="Copy the callback URL" />
        </div>
      )}
      {open === 'set' && <SetApp entry={entry} source={source} onClose={close} />}
      {open === 'remove' && <RemoveApp entry={entry} source={source} onClose={close} />}
    </Section>
  )
}

type ChangeProps = OauthAppProps & { onClose: () => void }

function SetApp({ entry, source, onClose }: ChangeProps) {
  const { data: form } = useGet<ConnectForm>(urlOf(entry.id))
  const [id, setId] = useState(source.org?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const accounts = source.org?.connections ?? 0
  const save = useAction({
    run: (body: object) => request('PUT', `${urlOf(entry.id)}/oauth-app`, { body }),
    changes: [CONNECTORS_URL, '/api/connect'],
    onDone() {
      toast('The OAuth app is saved. Test it by connecting an account.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`OAuth app for ${entry.name}`}
      submit="Save"
      action={save}
      onSubmit={() =>
        save.mutate({ client_id: id.trim(), ...(secret.trim() !== '' && { client_secret: secret.trim() }) })
      }
    >
      {form && (
        <div className="field">
          <span className="field-label">First register this callback URL at {entry.name}</span>
          <CopyText text={form.callback_url} label="Copy the callback URL" />
        </div>
      )}
      <TextField label="Client ID" maxLength={500} value={id} onChange={setId} />
      <TextField
        label="Client secret"
        type="password"
        maxLength={4096}
        value={secret}
        onChange={setSecret}
        hint={`It is stored encrypted and never shown.${source.org === undefined ? '' : ' Leave it empty to keep the stored one.'}${
          accounts > 0 ? ` With another client ID, ${accounts} connected accounts need a reauthorization.` : ''
        }`}
      />
    </FormDialog>
  )
}

function RemoveApp({ entry, source, onClose }: ChangeProps) {
  const remove = useAction({
    run: () => request('DELETE', `${urlOf(entry.id)}/oauth-app`),
    changes: [CONNECTORS_URL, '/api/connect'],
    onDone() {
      toast('The OAuth app is removed.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Remove the OAuth app?"
      submit="Remove"
      danger
      action={remove}
      onSubmit={() => remove.mutate()}
    >
      <p>
        Accounts that were connected with it need a reauthorization
        {source.org?.connections !== undefined && ` (${source.org.connections} now)`}.
      </p>
    </FormDialog>
  )
}
