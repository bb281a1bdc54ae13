import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../lib/calls.ts'
import { CALLS_URL } from '../../lib/calls.ts'
import { useAccounts } from '../../lib/connectors.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { type CreatedKey, KEYS_URL, type Key } from '../keys/key.ts'
import { NewSecret } from '../keys/new-secret.tsx'
import { ClientSetup } from './client-setup.tsx'
import { RecentCalls } from './recent-calls.tsx'
import './start.css'

/** The start page: three steps that mark themselves as done, then what needs attention and the last calls. */
export default function Start() {
  const { query: index, accounts } = useAccounts()
  const keys = useGet<{ api_keys: Key[] }>(`${KEYS_URL}?limit=50`)
  const calls = usePages<Call>(CALLS_URL, 'calls', { limit: 8, live: true })
  const error = index.error ?? keys.error ?? calls.query.error
  if (error)
    return (
      <ErrorPanel error={error} onRetry={() => Promise.all([index.refetch(), keys.refetch(), calls.query.refetch()])} />
    )
  if (accounts === undefined || keys.data === undefined || calls.rows === undefined)
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    )
  const connected = accounts.length > 0
  const byClient = calls.rows.some(({ api_key_id }) => api_key_id !== null)
  const keyUsed = keys.data.api_keys.some(({ last_used_at }) => last_used_at != null)
  const called = calls.rows.length > 0
  const broken = accounts.filter(({ status, can_remove }) => status === 'needs_reauth' && can_remove)
  const done = connected && called
  return (
    <div className="stack">
      <PageHead title={done ? 'Overview' : 'Get started'}>
        {done
          ? 'What your clients and agents called last, and what needs you.'
          : 'Three steps until a client calls a tool through the gateway.'}
      </PageHead>
      {broken.map(({ id, alias, connector }) => (
        <Notice key={id} kind="warn" title={`${connector.name}: the account ${alias} no longer works.`}>
          Calls with it fail. <Link href={`/accounts/${id}/reauthorize`}>Reauthorize it</Link>
        </Notice>
      ))}
      {done && <RecentCalls calls={calls.rows} />}
      <div className="steps">
        <StepCard
          number={1}
          title="Connect an account"
          done={connected}
          action={<ConnectAction connected={connected} />}
        >
          {!connected && (
            <p className="muted">Choose a service that your team uses. You see what it allows before you connect it.</p>
          )}
        </StepCard>
        <ClientStep done={byClient || keyUsed} open={!done} />
        {!done && (
          <StepCard number={3} title="Call a tool" done={called}>
            {called ? (
              <RecentCalls calls={calls.rows} />
            ) : (
              <p className="waiting" role="status">
                <span className="spinner" /> Waiting for the first call of your client. It appears here by itself.
              </p>
            )}
          </StepCard>
        )}
      </div>
    </div>
  )
}

interface StepCardProps {
  number: number
  title: string
  done: boolean
  action?: ReactNode
  children?: ReactNode
}

function StepCard({ number, title, done, action, children }: StepCardProps) {
  return (
    <section className={`card step${done ? ' step-done' : ''}`}>
      <span className="step-mark">{done ? <Icon name="check" /> : number}</span>
      <div className="step-body">
        <header className="step-head">
          <h2 className="step-title">
            {title} {done && <span className="hidden">(done)</span>}
          </h2>
          {action}
        </header>
        {children}
      </div>
    </section>
  )
}

function ConnectAction({ connected }: { connected: boolean }) {
  return (
    <ButtonLink href="/connectors" icon="plug" {...(!connected && { kind: 'primary' })}>
      {connected ? 'Connect another' : 'Choose a connector'}
    </ButtonLink>
  )
}

function ClientStep({ done, open: openAtFirst }: { done: boolean; open: boolean }) {
  const [open, setOpen] = useState(openAtFirst)
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <StepCard
      number={2}
      title="Connect a client"
      done={done}
      action={
        <span className="row">
          {!open && <Button onClick={() => setOpen(true)}>Show how</Button>}
          <Button icon="key-round" onClick={() => setCreating(true)}>
            Create key
          </Button>
        </span>
      }
    >
      {open && <ClientSetup />}
      {creating && (
        <CreateKey
          open
          onClose={() => setCreating(false)}
          onCreated={key => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      <NewSecret created={created} onClose={() => setCreated(undefined)} />
    </StepCard>
  )
}
