import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { CALLS_URL, type Call } from '../../lib/calls.ts'
import { isRemote, type OwnAccount, useAccounts } from '../../lib/connectors.ts'
import { formatMoney } from '../../lib/format.ts'
import type { Key } from '../../lib/keys.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { OutcomeBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Snippet } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { Person, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { ClientSetup, KeyButton } from './client-setup.tsx'
import { ClientWatch, isReal, useClientWatch } from './client-watch.tsx'
import './start.css'

/** The start page: three steps that mark themselves as done, and after them an overview. */
export default function Start() {
  const { query: index, accounts } = useAccounts()
  const calls = usePages<Call>(CALLS_URL, 'calls', { limit: 8, live: true })
  const { keys, used, call, earlier } = useClientWatch(0)
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
        {done ? 'Everything works.' : 'Three steps to your first tool call through the gateway.'}
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
              : 'Choose a service that your team uses. You see what the account will allow before you connect it.'}
          </p>
        </StepCard>
        <StepCard
          number={2}
          title="Connect a client"
          done={clientSeen}
          action={<KeyButton primary={connected && !clientSeen && secret === undefined} onSecret={setSecret} />}
        >
          <ClientSetup secret={secret} />
          <ClientWatch used={used} call={call} earlier={earlier} />
        </StepCard>
        <StepCard
          number={3}
          title="Call a tool"
          done={real.length > 0}
          action={
            <ButtonLink href="/tools" icon="play">
              Try a tool here
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

interface OverviewProps {
  accounts: readonly OwnAccount[]
  keys: readonly Key[]
  calls: readonly Call[]
  /** Whether a client ever used a key. */
  clientSeen: boolean
}

/** The start page once everything works: what needs the user, the main figures, the last calls. */
function Overview({ accounts, keys, calls, clientSeen }: OverviewProps) {
  const { may } = useSession()
  const broken = accounts.filter(({ status, can_remove }) => status === 'needs_reauth' && can_remove)
  const working = keys.filter(({ status }) => status === 'active').length
  return (
    <div className="stack">
      <PageHead
        title="Overview"
        action={
          <ButtonLink href="/clients" icon="plus">
            Connect a client
          </ButtonLink>
        }
      >
        The latest calls of your clients and agents, and what needs your attention.
      </PageHead>
      {broken.map(({ id, alias, connector }) => (
        <Notice key={id} kind="warn" title={`${connector.name}: the account ${alias} no longer works.`}>
          Calls with this account fail. <Link href={`/accounts/${id}/reauthorize`}>Reauthorize the account</Link>
        </Notice>
      ))}
      <div className="figures">
        {may.manage_money && <BalanceFigure />}
        <FigureCard href="/connectors" name="Accounts" about={brokenText(broken.length)}>
          {accounts.length}
        </FigureCard>
        <FigureCard href="/keys" name="Working keys" about={clientSeen ? 'Used by your clients' : 'Not used yet'}>
          {working}
        </FigureCard>
      </div>
      <RecentCalls calls={calls} />
      {!clientSeen && (
        <Section
          title="No client has used a key yet"
          text="Connect Claude Code, Cursor or another client to the gateway."
          action={<ButtonLink href="/clients">Connect a client</ButtonLink>}
        />
      )}
    </div>
  )
}

const brokenText = (broken: number) => (broken === 0 ? 'All accounts work' : `${broken} to reauthorize`)

function BalanceFigure() {
  const { data: wallet } = useGet<{ available_micros: number; standing: string }>('/api/customers/me/wallet')
  if (wallet === undefined) return null
  return (
    <FigureCard
      href="/billing"
      name="Balance"
      about={wallet.standing === 'active' ? 'Available for paid tools' : 'Paid tools do not run'}
    >
      {formatMoney(wallet.available_micros)}
    </FigureCard>
  )
}

interface FigureCardProps {
  href: string
  name: string
  about: string
  children: ReactNode
}

function FigureCard({ href, name, about, children }: FigureCardProps) {
  return (
    <Link href={href} className="card figure-card">
      <span className="figure-name">{name}</span>
      <span className="figure-value number">{children}</span>
      <span className="figure-about">{about}</span>
    </Link>
  )
}

/** The last calls, shortened. */
function RecentCalls({ calls }: { calls: readonly Call[] }) {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  return (
    <Card>
      <header className="card-head">
        <h2 className="section-title">Last calls</h2>
        <ButtonLink href="/calls" kind="quiet" size="small">
          All calls
        </ButtonLink>
      </header>
      <Table
        label="Last calls"
        dense
        rows={calls.slice(0, 6)}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Tool', kind: 'main', cell: ({ tool }) => <span className="mono">{tool}</span> },
          {
            title: 'Who',
            cell: ({ user_id, agent_id }) => (
              <Person name={agent_id === null ? nameOf(user_id) : agentName(agent_id)} />
            ),
          },
          {
            title: 'Outcome',
            cell: ({ outcome }) => <OutcomeBadge code={outcome} />,
          },
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  )
}
