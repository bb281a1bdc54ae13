import type { Static } from '@sinclair/typebox'
import { useState } from 'react'
import type { SessionList } from '../../../schemas/dashboard.ts'
import { request } from '../lib/api.ts'
import { describeBrowser } from '../lib/browser.ts'
import { useAction, useGet } from '../lib/queries.ts'
import { endSession } from '../lib/sign-out.ts'
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
      <PageHead title="Your sessions" action={<Button onClick={() => ask(true)}>Sign out everywhere</Button>}>
        Where you are signed in. A session ends after 12 hours without use, and after 7 days at the latest.
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
        <p>All your sessions end, also this one. API keys and agents continue to work.</p>
      </FormDialog>
    </>
  )
}
