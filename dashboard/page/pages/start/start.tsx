import { type ReactNode, useState } from 'react'
import { CALLS_URL, type Call } from '../../lib/calls.ts'
import { isRemote, useAccounts } from '../../lib/connectors.ts'
import { usePages } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { ClientSetup } from './client-setup.tsx'
import { ClientWatch, isReal, useClientWatch } from './client-watch.tsx'
import { KeyButton } from './key-button.tsx'
import { Overview } from './overview.tsx'
import { RecentCalls } from './recent-calls.tsx'
import './start.css'

/** The start page: three steps that mark themselves as done, and after them an overview. */
export default function Start() {
  const { query: index, accounts } = useAccounts()
  const calls = usePages<Call>(CALLS_URL, 'calls', { limit: 8, live: true })
  const { keys, used, call } = useClientWatch(0)
  const [secret, setSecret] = useState<string>()
  const [watching, watch] = useState(false)
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
  const connected =
    accounts.length > 0 ||
    (index.data?.connectors.some(entry => isRemote(entry) && entry.status !== 'disconnected') ?? false)
  const real = calls.rows.filter(isReal)
  const clientSeen = used !== undefined || call !== undefined
  const done = connected && real.length > 0
  // Who watches the steps sees the last one become done before the overview replaces them.
  if (done && !watching)
    return <Overview accounts={accounts} keys={keys.data.api_keys} calls={real} clientSeen={clientSeen} />
  if (!done && !watching) watch(true)
  return (
    <div className="stack">
      <PageHead
        title="Get started"
        action={
          done && (
            <Button kind="primary" onClick={() => watch(false)}>
              Continue to the overview
            </Button>
          )
        }
      >
        {done ? 'Everything works.' : 'Three steps until a client calls a tool through the gateway.'}
      </PageHead>
      <div className="steps">
        <StepCard
          number={1}
          title="Connect an account"
          done={connected}
          action={
            <ButtonLink href="/connectors" icon="plug" {...(!connected && { kind: 'primary' })}>
              {connected ? 'Connect another' : 'Choose a connector'}
            </ButtonLink>
          }
        >
          <p className="muted">
            {connected
              ? accounts.map(({ alias, connector }) => `${connector.name}: ${alias}`).join(', ')
              : 'Choose a service that your team uses. You see what it allows before you connect it.'}
          </p>
        </StepCard>
        <StepCard
          number={2}
          title="Connect a client"
          done={clientSeen}
          action={<KeyButton primary={connected && !clientSeen && secret === undefined} onSecret={setSecret} />}
        >
          <ClientSetup secret={secret} />
          <ClientWatch used={used} call={call} />
        </StepCard>
        <StepCard
          number={3}
          title="Call a tool"
          done={real.length > 0}
          action={
            <ButtonLink href="/tools" icon="play">
              Try one here
            </ButtonLink>
          }
        >
          {real.length > 0 ? (
            <RecentCalls calls={real} />
          ) : (
            <Snippet title="Ask your client, for example" text="Remember that our demo is on Friday." />
          )}
        </StepCard>
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
