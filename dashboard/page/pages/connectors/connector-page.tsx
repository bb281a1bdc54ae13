import { Redirect, useParams } from 'wouter'
import type { ConnectorEntry, CuratedConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { connectorUrl, connectWay, entryPath, isRemote, takesOwnApp } from '../../lib/connectors.ts'
import { useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { BackLink, Card, PageHead } from '../../ui/layout.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { AccountTable } from './account-table.tsx'
import { ConnectorIcon, iconPath } from './connector.tsx'
import { OauthApp } from './oauth-app.tsx'
import { ToolTable } from './tool-table.tsx'
import './connector.css'

/** The page of one connector: its accounts, its tools, and for admins its OAuth app. */
export default function ConnectorPage() {
  const { id = '' } = useParams()
  const { data: entry, error, refetch } = useGet<ConnectorEntry>(connectorUrl(id))
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (entry === undefined)
    return (
      <Card>
        <Skeleton />
      </Card>
    )
  // Its other page knows its tools.
  if (isRemote(entry)) return <Redirect to={entryPath(entry)} replace />
  return (
    <div className="stack">
      <div>
        <BackLink href="/connectors">Connectors</BackLink>
        <div className="connector-head">
          <ConnectorIcon url={iconPath(entry.icon_url)} size={48} />
          <PageHead
            title={entry.name}
            action={
              entry.accounts.length > 0 && (
                <ButtonLink href={`/connect/${entry.id}`} icon="plus">
                  Connect another account
                </ButtonLink>
              )
            }
          >
            {entry.description}
          </PageHead>
        </div>
      </div>
      <Accounts entry={entry} />
      <AdminPart entry={entry} />
      {entry.accounts.length > 0 && (
        <section className="stack">
          <h2 className="section-title">Tools</h2>
          <ToolTable capability={entry.id} name={entry.name} />
        </section>
      )}
    </div>
  )
}

function Accounts({ entry }: { entry: CuratedConnectorEntry }) {
  const { may } = useSession()
  const isMissingApp = entry.accounts.length === 0 && connectWay(entry) === 'app'
  // An admin who can add the app reads how below.
  if (isMissingApp && may.manage_connectors && takesOwnApp(entry)) return null
  return (
    <section className="stack">
      <h2 className="section-title">Accounts</h2>
      <Card>
        {isMissingApp ? (
          <AppMissing entry={entry} />
        ) : entry.accounts.length === 0 ? (
          <Empty
            icon="plug"
            title="No account connected"
            action={
              <ButtonLink href={`/connect/${entry.id}`} kind="primary" icon="plug">
                Connect {entry.name}
              </ButtonLink>
            }
          >
            You see what the account will allow before you connect it.
          </Empty>
        ) : (
          <AccountTable entry={entry} />
        )}
      </Card>
    </section>
  )
}

/** Who can make it possible that somebody connects. */
function AppMissing({ entry }: { entry: CuratedConnectorEntry }) {
  return (
    <Empty icon="plug" title={`${entry.name} needs an OAuth app first`}>
      Nobody can sign in at {entry.name} yet.{' '}
      {takesOwnApp(entry)
        ? 'Ask an owner or admin to add an app on this page.'
        : 'The operator of this gateway can add an app.'}
    </Empty>
  )
}

function AdminPart({ entry }: { entry: CuratedConnectorEntry }) {
  const { may } = useSession()
  if (!may.manage_connectors || !entry.credential_source || !takesOwnApp(entry)) return null
  return <OauthApp entry={entry} source={entry.credential_source} />
}
