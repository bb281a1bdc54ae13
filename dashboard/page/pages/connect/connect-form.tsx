import { useState } from 'react'
import { Link } from 'wouter'
import type { ConnectForm as Asked, ConnectAnswer, ConnectBody } from '../../../../schemas/connectors/connect.ts'
import type {
  ConnectorAccount,
  ConnectorAuthEntry,
  CuratedConnectorEntry,
} from '../../../../schemas/connectors/connector.ts'
import { request } from '../../lib/api.ts'
import { openProvider } from '../../lib/connect-flow.ts'
import { CONNECTORS_URL, takesOwnApp } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Check, Choice } from '../../ui/choice.tsx'
import { Form, TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { Connected } from './connected.tsx'
import './connect.css'

interface ConnectFormProps {
  entry: CuratedConnectorEntry
  asked: Asked
  /** The account to reauthorize; without it, a new one is connected. */
  account?: ConnectorAccount
  /** The optional scopes that are chosen at first. Those that the connector always or never asks for are ignored. */
  scopes?: readonly string[]
}

/** The form before an account is connected or reauthorized: how, what it allows, who may use it. */
export function ConnectForm({ entry, asked, account, scopes = [] }: ConnectFormProps) {
  const firstMethod = asked.oauth && asked.oauth_configured && account?.auth_kind !== 'api_key' ? 'provider' : 'key'
  const [method, setMethod] = useState<'provider' | 'key'>(asked.key === null ? 'provider' : firstMethod)
  const [chosen, setChosen] = useState(() => entry.auth.optional_scopes?.filter(name => scopes.includes(name)) ?? [])
  const [scope, setScope] = useState<'private' | 'shared'>(account?.scope ?? 'private')
  const [alias, setAlias] = useState('')
  const [key, setKey] = useState('')
  const [settings, setSettings] = useState<Record<string, string>>({})
  const [tried, setTried] = useState(false)
  const connect = useAction({
    run: (body: ConnectBody) =>
      request<ConnectAnswer>('POST', `/api/connect/${encodeURIComponent(entry.id)}`, { body }),
    changes: [CONNECTORS_URL, TOOLS_KEY],
    onDone: ({ location }) => location !== null && openProvider(location),
  })
  const lacks = (name: string, required: boolean) => tried && required && !settings[name]?.trim()
  const noKey = method === 'key' && key.trim() === ''

  function submit() {
    setTried(true)
    if (noKey || asked.settings.some(({ name, required }) => required && !settings[name]?.trim())) return
    const given = Object.entries(settings).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []))
    connect.mutate({
      scope,
      ...(alias.trim() !== '' && { alias: alias.trim() }),
      ...(given.length > 0 && { settings: Object.fromEntries(given) }),
      ...(method === 'key' ? { key: key.trim() } : { optional_scopes: chosen }),
      ...(account !== undefined && { account_id: account.id }),
    })
  }

  if (connect.data?.account) return <Connected account={connect.data.account} />
  if (method === 'provider' && !asked.oauth_configured) return <NoApp entry={entry} />
  return (
    <Form onSubmit={submit} error={connect.error}>
      {asked.oauth && asked.key !== null && (
        <Choice
          label="How"
          value={method}
          onChange={setMethod}
          options={[
            {
              value: 'provider',
              label: `Sign in at ${entry.name}`,
              hint: asked.oauth_configured
                ? 'You choose the account there.'
                : 'Not possible yet: no OAuth app is configured.',
              disabled: !asked.oauth_configured,
            },
            {
              value: 'key',
              label: 'Paste a key',
              hint: checkOf(entry, asked.key),
            },
          ]}
        />
      )}
      {asked.oauth && !asked.oauth_configured && asked.key !== null && <AddApp entry={entry} />}
      {method === 'key' && asked.key !== null && (
        <TextField
          label="Key"
          type="password"
          value={key}
          onChange={setKey}
          maxLength={10_000}
          problem={tried && noKey ? 'Paste the key.' : undefined}
          hint={<RichText text={asked.key.hint} />}
        />
      )}
      {asked.settings.map(({ name, title, description, required }) => (
        <TextField
          key={name}
          label={required ? title : `${title} (optional)`}
          maxLength={500}
          value={settings[name] ?? ''}
          onChange={value => setSettings({ ...settings, [name]: value })}
          problem={lacks(name, required) ? 'Enter a value.' : undefined}
          hint={description}
        />
      ))}
      {method === 'provider' && <Scopes auth={entry.auth} chosen={chosen} onChange={setChosen} />}
      {method === 'key' && asked.key !== null && (
        <p className="muted small">
          The key has the permissions that its owner gave it at {entry.name}.{' '}
          {!asked.oauth && checkOf(entry, asked.key)}
        </p>
      )}
      {account === undefined && (
        <>
          <Choice
            label="Who may use the account"
            value={scope}
            onChange={setScope}
            options={[
              { value: 'private', label: 'Only you', hint: 'You, your keys and your agents.' },
              {
                value: 'shared',
                label: 'Everyone in the organization',
                hint: 'All members and their agents act as this account.',
              },
            ]}
          />
          <TextField
            label="Alias (optional)"
            maxLength={64}
            value={alias}
            onChange={setAlias}
            placeholder="work"
            hint="Clients choose the account by this name if there are several. If you leave it empty, the name of the account at the provider is used."
          />
        </>
      )}
      {connect.error && <ErrorPanel error={connect.error} />}
      <div className="connect-foot">
        <ButtonLink href={`/connectors/${entry.id}`} kind="quiet">
          Cancel
        </ButtonLink>
        <Button
          kind="primary"
          type="submit"
          busy={connect.isPending || connect.data?.location != null}
          icon={method === 'provider' ? 'external-link' : 'plug'}
        >
          {method === 'provider' ? `Continue to ${entry.name}` : account ? 'Replace the key' : 'Connect'}
        </Button>
      </div>
    </Form>
  )
}

function checkOf({ name }: CuratedConnectorEntry, { verified }: NonNullable<Asked['key']>): string {
  return verified
    ? 'The key is checked before it is stored.'
    : `${name} cannot check a key before it is stored. The first call shows whether the key works.`
}

/** Why nobody can sign in at the provider, who can change that, and what an account would allow. */
function NoApp({ entry }: { entry: CuratedConnectorEntry }) {
  const { may } = useSession()
  const isOwn = takesOwnApp(entry)
  return (
    <div className="stack">
      <Notice kind="warn" title={`Nobody can sign in at ${entry.name} yet.`}>
        {!isOwn
          ? 'The operator of this gateway can add an OAuth app.'
          : may.manage_connectors
            ? 'Register an OAuth app there once, and everyone in the organization can connect.'
            : `Ask an owner or admin to add an OAuth app on the page of ${entry.name}.`}
      </Notice>
      <Scopes auth={{ ...entry.auth, optional_scopes: [] }} chosen={[]} onChange={() => {}} />
      <div className="row">
        {isOwn && may.manage_connectors && (
          <ButtonLink kind="primary" href={`/connectors/${entry.id}`}>
            Set up the OAuth app
          </ButtonLink>
        )}
        <ButtonLink href="/connectors">Other connectors</ButtonLink>
      </div>
    </div>
  )
}

/** For those who could also let members sign in, where now only a key works. */
function AddApp({ entry }: { entry: CuratedConnectorEntry }) {
  const { may } = useSession()
  if (!may.manage_connectors || !takesOwnApp(entry)) return null
  return (
    <p className="muted small">
      To sign in instead of pasting keys, <Link href={`/connectors/${entry.id}`}>set up an OAuth app</Link>.
    </p>
  )
}

interface ScopesProps {
  auth: ConnectorAuthEntry
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** What the account will allow, in plain words: what the tools need, and what can be added. */
function Scopes({ auth, chosen, onChange }: ScopesProps) {
  const { scopes, scope_descriptions, optional_scopes = [], optional_scope_descriptions, access_summary } = auth
  if (scopes.length === 0 && optional_scopes.length === 0)
    return access_summary === undefined ? null : (
      <div className="field">
        <span className="field-label">What the account allows</span>
        <p>{access_summary}</p>
      </div>
    )
  return (
    <>
      {scopes.length > 0 && (
        <div className="field">
          <span className="field-label">What the tools need</span>
          <ul className="scope-list">
            {scopes.map(scope => (
              <li key={scope}>
                <Icon name="check" />
                <span>
                  {scope_descriptions?.[scope] ?? scope}
                  {scope_descriptions?.[scope] !== undefined && <code className="scope-code">{scope}</code>}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {optional_scopes.length > 0 && (
        <div className="field">
          <span className="field-label">What you can add</span>
          <div className="scope-list">
            {optional_scopes.map(scope => (
              <Check
                key={scope}
                label={optional_scope_descriptions?.[scope] ?? scope}
                hint={<code>{scope}</code>}
                checked={chosen.includes(scope)}
                onChange={on => onChange(on ? [...chosen, scope] : chosen.filter(other => other !== scope))}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}
