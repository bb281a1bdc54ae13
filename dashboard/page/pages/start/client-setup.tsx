import { useState } from 'react'
import { useGet } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Client, Form, Step } from './client.ts'

const CHOSEN = 'dashboard-client'
const KINDS = { app: 'Application', sdk: 'For a program', command: 'Command line' } as const

/** How the chosen client connects: with a key, or by signing in. */
export function ClientSetup() {
  const { data, error, refetch } = useGet<{ clients: Client[] }>('/api/client-configurations')
  const [chosen, choose] = useState(() => localStorage.getItem(CHOSEN) ?? 'claude-code')
  const [tab, setTab] = useState('key')
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  const client = data?.clients.find(({ id }) => id === chosen) ?? data?.clients[0]
  if (data === undefined || client === undefined) return <Skeleton />
  return (
    <div className="stack">
      <div className="client-select">
        <SelectField
          label="Client"
          value={client.id}
          options={data.clients.map(({ id, name, kind }) => ({ value: id, label: name, hint: KINDS[kind] }))}
          onChange={id => {
            localStorage.setItem(CHOSEN, id)
            choose(id)
          }}
        />
      </div>
      <Tabs
        label="How the client proves who it is"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'key', label: 'With a key', content: <FormOf form={client.key} withKey /> },
          { value: 'sign-in', label: 'By signing in', content: <FormOf form={client.sign_in} withKey={false} /> },
        ]}
      />
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

function FormOf({ form, withKey }: { form: Form; withKey: boolean }) {
  if (form.steps === null)
    return (
      <p className="muted">
        <RichText text={form.unsupported ?? ''} />
      </p>
    )
  return (
    <div className="stack">
      {withKey && <Snippet title="Put your key into the environment" text="export CGW_KEY=your-key" />}
      {form.steps.map((step, index) => (
        <div key={JSON.stringify(step)} className="stack">
          {index > 0 && <span className="muted small">or</span>}
          <StepOf step={step} />
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
