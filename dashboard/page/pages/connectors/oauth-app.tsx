import { useState } from 'react'
import type { ConnectForm } from '../../../../schemas/connectors/connect.ts'
import type { CredentialSource, CuratedConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { request } from '../../lib/api.ts'
import { CONNECTORS_URL, connectWay } from '../../lib/connectors.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Facts, Section } from '../../ui/layout.tsx'
import { OutsideLink, RichText } from '../../ui/rich-text.tsx'
import { toast } from '../../ui/toast.tsx'
import './connector.css'

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
      title={
        active === 'none' && entry.accounts.length === 0 && connectWay(entry) === 'app'
          ? `${entry.name} needs an OAuth app first`
          : 'OAuth app'
      }
      text={
        active === 'org'
          ? 'Members connect with the app of your organization.'
          : active === 'platform'
            ? 'Members connect with the app of this gateway. You can add your own app instead.'
            : `Register an app at ${entry.name} once, and then members can sign in there. Registration takes a few minutes.`
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
          <Button size="small" kind={active === 'none' ? 'primary' : 'plain'} onClick={() => setOpen('set')}>
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
      {form && active === 'none' && <AppGuide entry={entry} form={form} />}
      {form && active !== 'none' && (
        <>
          <div className="field">
            <span className="field-label">Callback URL to register at {entry.name}</span>
            <CopyText text={form.callback_url} label="Copy the callback URL" />
          </div>
          <details className="guide-notes">
            <summary>How to register an app at {entry.name}</summary>
            <AppGuide entry={entry} form={form} />
          </details>
        </>
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
  const [tried, setTried] = useState(false)
  const accounts = source.org?.connections ?? 0
  const save = useAction({
    run: (body: object) => request('PUT', `${urlOf(entry.id)}/oauth-app`, { body }),
    changes: [CONNECTORS_URL, '/api/connect'],
    onDone() {
      toast('The OAuth app is saved. Test it by connecting an account.')
      onClose()
    },
  })
  const isSecretMissing = secret.trim() === '' && source.org === undefined
  function submit() {
    setTried(true)
    if (id.trim() === '' || isSecretMissing) return
    save.mutate({ client_id: id.trim(), ...(secret.trim() !== '' && { client_secret: secret.trim() }) })
  }
  return (
    <FormDialog onClose={onClose} title={`OAuth app for ${entry.name}`} submit="Save" action={save} onSubmit={submit}>
      {form && (
        <div className="field">
          <span className="field-label">First register this callback URL at {entry.name}</span>
          <CopyText text={form.callback_url} label="Copy the callback URL" />
        </div>
      )}
      <TextField
        label="Client ID"
        maxLength={500}
        value={id}
        onChange={setId}
        problem={tried && id.trim() === '' ? 'Enter the client ID of the app.' : undefined}
      />
      <TextField
        label="Client secret"
        type="password"
        maxLength={4096}
        value={secret}
        onChange={setSecret}
        problem={tried && isSecretMissing ? 'Enter the client secret of the app.' : undefined}
        hint={`The secret is stored encrypted and never shown.${source.org === undefined ? '' : ' Leave the field empty to keep the stored secret.'}${
          accounts > 0 ? ` If the client ID changes, ${accounts} connected accounts need reauthorization.` : ''
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
        Accounts that were connected with this app need reauthorization
        {source.org?.connections !== undefined && ` (${source.org.connections} now)`}.
      </p>
    </FormDialog>
  )
}

interface AppGuideProps {
  entry: CuratedConnectorEntry
  form: ConnectForm
}

/** How an OAuth app is registered at the provider: where, what to choose there, and what to know before. */
function AppGuide({ entry: { name, auth }, form: { app_guide, callback_url } }: AppGuideProps) {
  const scopes = [...auth.scopes, ...(auth.optional_scopes ?? []), ...(auth.user_scopes ?? [])]
  return (
    <div className="stack">
      <ol className="guide">
        {app_guide && (
          <li>
            <p>
              Open the developer pages of {name}. Its <OutsideLink href={app_guide.docs}>documentation</OutsideLink>{' '}
              describes them.
            </p>
            <OutsideLink href={app_guide.url} className={buttonClass({ size: 'small' })}>
              <Icon name="external-link" />
              Open {new URL(app_guide.url).host}
            </OutsideLink>
          </li>
        )}
        {app_guide?.steps.map(step => (
          <li key={step}>
            <RichText text={step} />
          </li>
        ))}
        <li>
          <p>Enter this callback URL.</p>
          <CopyText text={callback_url} label="Copy the callback URL" />
        </li>
        {scopes.length > 0 && (
          <li>
            <p>Allow these scopes, if {name} asks for them.</p>
            <CopyText text={scopes.join(' ')} label="Copy the scopes" />
          </li>
        )}
        <li>Enter the app’s client ID and client secret here with “Add your app”.</li>
      </ol>
      {app_guide && app_guide.notes.length > 0 && (
        <details className="guide-notes">
          <summary>What {name} accepts, reviews and limits</summary>
          <ul className="bullets muted small">
            {app_guide.notes.map(note => (
              <li key={note}>
                <RichText text={note} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
