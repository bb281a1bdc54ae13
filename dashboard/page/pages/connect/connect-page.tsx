import { Redirect, useParams, useSearchParams } from 'wouter'
import type { ConnectForm as Asked } from '../../../../schemas/connectors/connect.ts'
import type { ConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { connectorUrl, entryPath, isRemote } from '../../lib/connectors.ts'
import { useGet } from '../../lib/queries.ts'
import { Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import './connect.css'
import { ConnectForm } from './connect-form.tsx'

/** The page on which an account of a connector is connected. */
export default function ConnectPage() {
  const { connector = '' } = useParams()
  const [search] = useSearchParams()
  const entry = useGet<ConnectorEntry>(connectorUrl(connector))
  const asked = useGet<Asked>(`/api/connect/${encodeURIComponent(connector)}`)
  if (entry.data !== undefined && isRemote(entry.data)) return <Redirect to={entryPath(entry.data)} replace />
  const error = entry.error ?? asked.error
  return (
    <div className="connect">
      <PageHead title={`Connect ${entry.data?.name ?? 'an account'}`} />
      {error && <ErrorPanel error={error} onRetry={() => Promise.all([entry.refetch(), asked.refetch()])} />}
      {!error && (
        <Card>
          {entry.data === undefined || asked.data === undefined ? (
            <Skeleton />
          ) : (
            <div className="section">
              <ConnectForm entry={entry.data} asked={asked.data} scopes={search.getAll('scope')} />
            </div>
          )}
        </Card>
      )}
    </div>
  )
}
