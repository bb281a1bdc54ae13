import { useEffect, useRef } from 'react'
import type { ConnectAnswer } from '../../../../schemas/connect.ts'
import { ApiError, request } from '../../lib/api.ts'
import { lastFlow } from '../../lib/connect-flow.ts'
import { CONNECTORS_URL } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import './connect.css'
import { Connected } from './connected.tsx'

/** Where providers send the browser back to. Sends their answer on, once, and cleans the address bar. */
export default function ConnectCallback() {
  const sent = useRef(false)
  const finish = useAction({
    run: (search: string) => request<ConnectAnswer>('POST', '/api/connect-callback', { body: { search } }),
    changes: [CONNECTORS_URL, TOOLS_KEY],
  })
  const { mutate } = finish
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    const { search, pathname } = location
    history.replaceState(null, '', pathname)
    mutate(search)
  }, [mutate])
  const account = finish.data?.account
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
