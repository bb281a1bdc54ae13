import type { Invitation } from '../../../../schemas/invitation.ts'
import { request } from '../../lib/api.ts'
import { usePeople } from '../../lib/people.ts'
import { useAction, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { Person } from '../../ui/person.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ROLES } from './role.tsx'

/** The URL of the list of invitations. */
export const INVITATIONS_URL = '/api/invitations'

/** The invitations that were neither accepted nor revoked. */
export function Invitations() {
  const { role } = useSession()
  const { nameOf } = usePeople()
  const { query, rows } = usePages<Invitation>(INVITATIONS_URL, 'invitations')
  const revoke = useAction({
    run: (id: string) => request('DELETE', `${INVITATIONS_URL}/${encodeURIComponent(id)}`),
    changes: [INVITATIONS_URL],
    onDone: () => toast('The invitation is revoked.'),
  })
  const columns: Column<Invitation>[] = [
    { title: 'Email', kind: 'main', cell: ({ email }) => email },
    { title: 'Role', cell: invitation => ROLES.find(({ value }) => value === invitation.role)?.label },
    {
      title: 'Invited by',
      cell: ({ invited_by }) => <Person name={invited_by === null ? 'The operator' : nameOf(invited_by)} />,
    },
    {
      title: 'Ends',
      cell: ({ status, expires_at }) =>
        status === 'expired' ? <Badge tone="warn">Expired</Badge> : <Time at={expires_at} />,
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: invitation =>
        (role === 'owner' || invitation.role !== 'owner') && (
          <Button
            kind="quiet"
            size="small"
            busy={revoke.isPending && revoke.variables === invitation.id}
            onClick={() => revoke.mutate(invitation.id, { onError: error => toast(error.message, 'bad') })}
          >
            Revoke
          </Button>
        ),
    },
  ]
  return (
    <Card>
      {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
      {rows === undefined && !query.error && <Skeleton lines={3} />}
      {rows?.length === 0 && (
        <Empty icon="mail" title="No open invitations">
          Invite somebody by their email address. You get a link to send, which works once, for 7 days.
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table label="Invitations" columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <More shown={rows?.length ?? 0} query={query} />
    </Card>
  )
}
