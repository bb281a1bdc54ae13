import { useState } from 'react'
import { useGet } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Snippet } from '../../ui/copy.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { SelectField } from '../../ui/select.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CreateKey } from '../keys/create-key.tsx'

const CHOSEN = 'dashboard-client'
/** What a client is. */
export const CLIENT_KINDS = { app: 'Application', sdk: 'For a program', command: 'Command line' } as const

/** The clients that the server has configurations for, and the one that the user chose in this browser. */
export function useClients() {
  const { data, error, refetch } = useGet<{ clients: Client[] }>('/api/client-configurations')
  const [chosen, setChosen] = useState(() => localStorage.getItem(CHOSEN) ?? 'claude-code')
  function choose(id: string): void {
    localStorage.setItem(CHOSEN, id)
    setChosen(id)
  }
  const clients = data?.clients
  return { clients, client: clients?.find(({ id }) => id === chosen) ?? clients?.[0], choose, error, refetch }
}

/** A choice of the client, and how it connects. */
export function ClientSetup({ secret }: { secret: string | undefined }) {
  const { clients, client, choose, error, refetch } = useClients()
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (clients === undefined || client === undefined) return <Skeleton />
  return (
    <div className="stack">
      <ClientSelect clients={clients} client={client} choose={choose} />
      <ClientForms key={client.id} client={client} secret={secret} />
    </div>
  )
}

interface ClientSelectProps {
  clients: readonly Client[]
  client: Client
  choose: (id: string) => void
}

/** The choice of a client. */
export function ClientSelect({ clients, client, choose }: ClientSelectProps) {
  return (
    <div className="client-select">
      <SelectField
        label="Client"
        value={client.id}
        options={clients.map(({ id, name, kind }) => ({ value: id, label: name, hint: CLIENT_KINDS[kind] }))}
        onChange={choose}
      />
    </div>
  )
}

/** How a client connects: with a key, or by signing in. A secret of this page replaces the placeholders. */
export function ClientForms({ client, secret }: { client: Client; secret: string | undefined }) {
  const [tab, setTab] = useState(client.key.steps === null ? 'sign-in' : 'key')
  const withKey = <FormOf form={client.key} withKey secret={secret} />
  return (
    <div className="stack">
      {client.sign_in === null ? (
        <>
          {withKey}
          {client.key.steps === null && (
            <p className="muted">
              Browser sign-in for clients is off: this gateway has no identity provider (MCP_ISSUER).
            </p>
          )}
        </>
      ) : (
        <Tabs
          label="How the client authenticates"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'key', label: 'With a key', content: withKey },
            { value: 'sign-in', label: 'By signing in', content: <FormOf form={client.sign_in} withKey={false} /> },
          ]}
        />
      )}
      {client.notes.length > 0 && (
        <ul className="bullets muted small">
          {client.notes.map(note => (
            <li key={note}>
              <RichText text={note} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function FormOf({ form, withKey, secret }: { form: Form; withKey: boolean; secret?: string | undefined }) {
  if (form.steps === null)
    return (
      <p className="muted">
        <RichText text={form.unsupported ?? ''} />
      </p>
    )
  return (
    <div className="stack">
      {withKey && readsVariable(form) && (
        <Snippet title="Set your key as an environment variable" text={`export CGW_KEY=${secret ?? 'your-key'}`} />
      )}
      {form.steps.map((step, index) => (
        <div key={JSON.stringify(step)} className="stack">
          {index > 0 && <span className="muted small">or</span>}
          <StepOf step={withSecret(step, secret)} />
          {step.afterwards !== undefined && (
            <p className="small">
              <RichText text={step.afterwards} />
            </p>
          )}
        </div>
      ))}
    </div>
  )
}

/** Whether a step takes the key from the environment. */
function readsVariable({ steps }: Form): boolean {
  return JSON.stringify(steps).includes('CGW_KEY')
}

/** The step with the secret in place of its placeholder. Deeplinks never contain one. */
function withSecret(step: Step, secret: string | undefined): Step {
  return step.kind === 'file' && secret !== undefined
    ? { ...step, content: step.content.replaceAll('YOUR_KEY', secret) }
    : step
}

function StepOf({ step }: { step: Step }) {
  switch (step.kind) {
    case 'command':
      return <Snippet title="Run" text={step.command} />
    case 'file':
      return <Snippet title={step.path} text={step.content} />
    case 'code':
      return (
        <>
          <Snippet title="Install" text={step.install} />
          <Snippet title={step.language} text={step.content} />
        </>
      )
    case 'deeplink':
      return (
        <div>
          <a className={buttonClass({})} href={step.url}>
            Open the client and add the gateway
          </a>
        </div>
      )
    default:
      return (
        <p>
          <RichText text={step.text} />
        </p>
      )
  }
}

/** How one MCP client connects to the gateway, as the server generates it. */
interface Client {
  id: string
  name: string
  kind: 'app' | 'sdk' | 'command'
  key: Form
  /** Null if the gateway signs no clients in. */
  sign_in: Form | null
  notes: string[]
}

/** The ways to connect, or the reason why this client cannot. */
interface Form {
  steps: Step[] | null
  unsupported: string | null
}

/** One way to connect. */
type Step = { afterwards?: string } & (
  | { kind: 'file'; path: string; content: string }
  | { kind: 'command'; command: string }
  | { kind: 'deeplink'; url: string }
  | { kind: 'code'; language: string; install: string; content: string }
  | { kind: 'instruction'; text: string }
)

/** A button that creates a key, shows its secret once, and hands it to the snippets of this page. */
export function KeyButton({ onSecret, primary }: { onSecret: (secret: string) => void; primary: boolean }) {
  const { client } = useClients()
  const [creating, setCreating] = useState(false)
  return (
    <>
      <Button icon="key-round" kind={primary ? 'primary' : 'plain'} onClick={() => setCreating(true)}>
        Create key
      </Button>
      {creating && (
        <CreateKey
          suggestion={client?.name ?? ''}
          onClose={() => setCreating(false)}
          onCreated={({ key }) => {
            if (key !== undefined) onSecret(key)
          }}
        />
      )}
    </>
  )
}
