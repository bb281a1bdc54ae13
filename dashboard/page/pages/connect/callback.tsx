import { useLocation } from 'wouter'
import type { ConnectAnswer } from '../../../../schemas/connectors/connect.ts'
import type { RemoteConnectorRead } from '../../../../schemas/remotes/remote.ts'
import { ApiError, request } from '../../lib/api.ts'
import { isRemoteFlow, lastFlow } from '../../lib/connect-flow.ts'
import { CONNECTORS_URL } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction, useSearchOnce } from '../../lib/queries.ts'
import { isPerMember, REMOTES_URL, remotePath } from '../../lib/remotes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import './connect.css'
import { Connected } from './connected.tsx'

/** Where providers send the browser back to. Sends their answer on, once, and cleans the address bar. */
export default function ConnectCallback() {
  const [, navigate] = useLocation()
  const finish = useAction({
    run: (search: string): Promise<ConnectAnswer | RemoteConnectorRead> =>
      isRemoteFlow()
        ? request<RemoteConnectorRead>('POST', `${REMOTES_URL}/callback`, { body: { search } })
        : request<ConnectAnswer>('POST', '/api/connect-callback', { body: { search } }),
    changes: [CONNECTORS_URL, TOOLS_KEY],
    onDone(answer) {
      if (!('remote' in answer)) return
      toast(isPerMember(answer) ? `You are connected to ${answer.name}.` : `${answer.name} is connected.`)
      navigate(remotePath(answer.id), { replace: true })
    },
  })
  useSearchOnce(finish.mutate)
  const account = finish.data && 'account' in finish.data ? finish.data.account : undefined
  return (
    <div className="connect">
      <PageHead title={finish.error ? 'Not connected' : account ? 'Connected' : 'Connecting'} />
      <Card>
        {finish.error ? (
          <div className="section">
            <ErrorPanel error={finish.error} />
            {finish.error instanceof ApiError && finish.error.code === 'identity_mismatch' && (
              <p>Sign out at the provider first, then try again and choose the right account.</p>
            )}
            <div className="row">
              <ButtonLink kind="primary" icon="rotate-cw" href={lastFlow()}>
                Try again
              </ButtonLink>
              <ButtonLink href="/connectors">Connectors</ButtonLink>
            </div>
          </div>
        ) : account ? (
          <div className="section">
            <Connected account={account} />
          </div>
        ) : (
          <Skeleton lines={3} label="Connecting" />
        )}
      </Card>
    </div>
  )
}
