import { type FormEvent, useState } from 'react'
import type { ConnectForm as Asked, ConnectAnswer, ConnectBody } from '../../../../schemas/connect.ts'
import type { ConnectorAccount, CuratedConnectorEntry } from '../../../../schemas/connector.ts'
import { request } from '../../lib/api.ts'
import { openProvider } from '../../lib/connect-flow.ts'
import { CONNECTORS_URL } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { Connected } from './connected.tsx'
import './connect.css'
import { Scopes } from './scopes.tsx'

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
  const blocked = method === 'provider' && !asked.oauth_configured

  function submit(event: FormEvent) {
    event.preventDefault()
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
  return (
    <form onSubmit={submit} className="stack" noValidate>
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
              hint: asked.key.verified ? 'It is tried out before it is stored.' : undefined,
            },
          ]}
        />
      )}
      {method === 'key' && asked.key !== null && (
        <TextField
          label="Key"
          type="password"
          value={key}
          onChange={setKey}
          maxLength={10_000}
          problem={tried && noKey ? 'Paste the key.' : undefined}
          hint={asked.key.hint}
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
      {method === 'key' && <p className="muted small">The key allows what its owner gave it at {entry.name}.</p>}
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
            hint="The name by which clients choose it, if there are several. Without one, it is named after the account."
          />
        </>
      )}
      {connect.error && <ErrorPanel error={connect.error} />}
      {blocked && <NoApp entry={entry} />}
      <div className="connect-foot">
        <ButtonLink href={`/connectors/${entry.id}`} kind="quiet">
          Cancel
        </ButtonLink>
        <Button
          kind="primary"
          type="submit"
          disabled={blocked}
          busy={connect.isPending || connect.data?.location != null}
          icon={method === 'provider' ? 'external-link' : 'plug'}
        >
          {method === 'provider' ? `Continue to ${entry.name}` : account ? 'Replace the key' : 'Connect'}
        </Button>
      </div>
    </form>
  )
}

function NoApp({ entry }: { entry: CuratedConnectorEntry }) {
  return (
    <Notice kind="warn" title="No OAuth app is configured.">
      An admin can add the one of your organization on the page of {entry.name}, or the operator of this gateway can add
      one for all.
    </Notice>
  )
}
