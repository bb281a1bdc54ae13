import { useState } from 'react'
import { KEYS_URL, type Key } from '../../lib/keys.ts'
import { usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyTable } from './key-table.tsx'

const SHOWN = [
  { value: 'working', label: 'Working keys' },
  { value: 'all', label: 'All keys' },
] as const

/** The page of the API keys. */
export default function Keys() {
  const { may } = useSession()
  const { query, rows } = usePages<Key>(KEYS_URL, 'api_keys')
  const [shown, show] = useState<(typeof SHOWN)[number]['value']>('working')
  const [creating, setCreating] = useState(false)
  const keys = rows?.filter(({ status }) => shown === 'all' || status === 'active')
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <>
      <PageHead
        action={
          rows !== undefined &&
          rows.length > 0 && (
            <>
              <div className="toolbar-select">
                <Select label="Which keys" value={shown} onChange={show} options={SHOWN} />
              </div>
              {create}
            </>
          )
        }
      >
        {may.manage_all_keys
          ? 'What clients and agents of your organization sign in with. Each key acts as its holder.'
          : 'What your clients and agents sign in with. Each key acts as its holder.'}
      </PageHead>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {keys === undefined && !query.error && <Skeleton lines={6} />}
        {rows?.length === 0 && (
          <Empty icon="key-round" title="No keys yet" action={create}>
            Create a key for each client, so that you can revoke one key without affecting the other clients.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && keys?.length === 0 && (
          <Empty icon="key-round" title="No working keys">
            All loaded keys are revoked or expired.
          </Empty>
        )}
        {keys !== undefined && keys.length > 0 && <KeyTable keys={keys} holders />}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
      {creating && <CreateKey onClose={() => setCreating(false)} />}
    </>
  )
}
