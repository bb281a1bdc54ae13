import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../lib/calls.ts'
import type { OwnAccount } from '../../lib/connectors.ts'
import { formatMoney } from '../../lib/format.ts'
import { useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHead, Section } from '../../ui/layout.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Key } from '../keys/key.ts'
import { RecentCalls } from './recent-calls.tsx'
import './start.css'

interface OverviewProps {
  accounts: readonly OwnAccount[]
  keys: readonly Key[]
  calls: readonly Call[]
  /** Whether a client ever used a key. */
  clientSeen: boolean
}

/** The start page once everything works: what needs the user, the main figures, the last calls. */
export function Overview({ accounts, keys, calls, clientSeen }: OverviewProps) {
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
        What your clients and agents called last, and what needs you.
      </PageHead>
      {broken.map(({ id, alias, connector }) => (
        <Notice key={id} kind="warn" title={`${connector.name}: the account ${alias} no longer works.`}>
          Calls with it fail. <Link href={`/accounts/${id}/reauthorize`}>Reauthorize it</Link>
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
          text="Point Claude Code, Cursor or another client at the gateway."
          action={<ButtonLink href="/clients">Connect a client</ButtonLink>}
        />
      )}
    </div>
  )
}

const brokenText = (broken: number) => (broken === 0 ? 'All of them work' : `${broken} to reauthorize`)

function BalanceFigure() {
  const { data: wallet } = useGet<{ available_micros: number; standing: string }>('/api/customers/me/wallet')
  if (wallet === undefined) return null
  return (
    <FigureCard
      href="/billing"
      name="Balance"
      about={wallet.standing === 'active' ? 'Available for tools with a price' : 'Tools with a price do not run'}
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
