import type { Static } from '@sinclair/typebox'
import { useState } from 'react'
import type { SessionList } from '../../../schemas/organizations/dashboard.ts'
import { request } from '../lib/api.ts'
import { useAction, useGet } from '../lib/queries.ts'
import { endSession } from '../lib/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { Card, PageHead } from '../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../ui/states.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'

type Sessions = Static<typeof SessionList>
type SessionEntry = Sessions['sessions'][number]

const URL = '/api/sessions'

/** The browsers in which the user is signed in. */
export default function SessionsPage() {
  const { data, error, refetch } = useGet<Sessions>(URL)
  const [asking, ask] = useState(false)
  const end = useAction({
    run: (id: string) => request('DELETE', `${URL}/${encodeURIComponent(id)}`),
    changes: [URL],
    onDone: () => toast('The session is ended.'),
  })
  const everywhere = useAction({ run: () => endSession({ everywhere: true }), changes: [] })

  const columns: Column<SessionEntry>[] = [
    {
      title: 'Browser',
      kind: 'main',
      cell: ({ user_agent, current }) => (
        <span className="row">
          {describeBrowser(user_agent)} {current && <Badge tone="accent">This browser</Badge>}
        </span>
      ),
    },
    { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ id, current }) =>
        !current && (
          <Button
            kind="quiet"
            size="small"
            busy={end.isPending && end.variables === id}
            onClick={() => end.mutate(id, { onError: failure => toast(failure.message, 'bad') })}
          >
            End session
          </Button>
        ),
    },
  ]

  return (
    <>
      <PageHead action={<Button onClick={() => ask(true)}>Sign out everywhere</Button>}>
        The browsers where you are signed in. A session ends after 12 hours without use, or after 7 days at the latest.
      </PageHead>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {!error && (
        <Card>
          {data ? (
            <Table label="Your sessions" columns={columns} rows={data.sessions} rowKey={({ id }) => id} />
          ) : (
            <Skeleton lines={3} />
          )}
        </Card>
      )}
      <FormDialog
        open={asking}
        onClose={() => ask(false)}
        title="Sign out everywhere?"
        submit="Sign out everywhere"
        danger
        action={everywhere}
        onSubmit={() => everywhere.mutate()}
      >
        <p>This signs you out everywhere, including here. API keys and agents continue to work.</p>
      </FormDialog>
    </>
  )
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const

/** Names the browser and the system of a User-Agent: `Firefox on Linux`. */
function describeBrowser(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) => names.find(([form]) => form.test(userAgent))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser === undefined) return userAgent || 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
