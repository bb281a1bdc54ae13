import { useParams, useSearchParams } from 'wouter'
import type { ConnectForm as Asked } from '../../../../schemas/connectors/connect.ts'
import type { ConnectorAccount } from '../../../../schemas/connectors/connector.ts'
import { isRemote, type OwnAccount, useAccounts, useGrants } from '../../lib/connectors.ts'
import { useGet } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import './connect.css'
import { ConnectForm } from './connect-form.tsx'

/** The page that reauthorizes an account. Errors of tools lead here. */
export default function Reauthorize() {
  const { id } = useParams()
  const { query, accounts } = useAccounts()
  const account = accounts?.find(account => account.id === id)
  return (
    <div className="connect">
      <PageHead title={account ? `Reauthorize ${account.connector.name}` : 'Reauthorize an account'} />
      {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
      {accounts === undefined && !query.error && (
        <Card>
          <Skeleton />
        </Card>
      )}
      {accounts !== undefined && account === undefined && (
        <Notice kind="warn" title="This account is not available to you in this organization.">
          The account was removed, is private to another member, or belongs to another of your organizations.
          <div className="notice-action">
            <ButtonLink href="/connectors">Connectors</ButtonLink>
          </div>
        </Notice>
      )}
      {account && <Form account={account} />}
    </div>
  )
}

function Form({ account }: { account: OwnAccount }) {
  const [search] = useSearchParams()
  const { connector: entry, ...own } = account
  const { data: asked, error, refetch } = useGet<Asked>(`/api/connect/${encodeURIComponent(entry.id)}`)
  const grants = useGrants(entry.id)
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (grants.error) return <ErrorPanel error={grants.error} onRetry={grants.refetch} />
  if (isRemote(entry)) return null
  // What was added before stays chosen: the new grant replaces the old one.
  const scopes = [...(grants.grants?.get(own.id)?.granted_scopes ?? []), ...search.getAll('scope')]
  return (
    <Card>
      <div className="section">
        <Notice kind="info" title={`Sign in as ${own.identity}.`}>
          This renews the account {own.alias}. If you sign in with another account at {entry.name}, nothing changes.
        </Notice>
        {asked && grants.grants ? (
          <ConnectForm entry={entry} asked={asked} account={own as ConnectorAccount} scopes={scopes} />
        ) : (
          <Skeleton />
        )}
      </div>
    </Card>
  )
}
