import { useState } from 'react'
import type { Member } from '../../../../schemas/member.ts'
import { formatDate } from '../../lib/format.ts'
import { usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Invitations } from './invitations.tsx'
import { InviteMember } from './invite-member.tsx'
import { RemoveMember } from './remove-member.tsx'
import { MEMBERS_URL, RoleOf } from './role.tsx'

/** The page of the members, for admins with the invitations. */
export default function Members() {
  const { may, organization } = useSession()
  const [tab, setTab] = useState('members')
  const [inviting, setInviting] = useState(false)
  const invite = (
    <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
      Invite member
    </Button>
  )
  return (
    <>
      <PageHead title="Members" action={may.manage_members && invite}>
        Who belongs to {organization?.name}. Owners and admins manage members, money and shared connectors.
      </PageHead>
      {may.manage_members ? (
        <Tabs
          label="Members and invitations"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'members', label: 'Members', content: <MemberList /> },
            { value: 'invitations', label: 'Invitations', content: <Invitations /> },
          ]}
        />
      ) : (
        <MemberList />
      )}
      {inviting && (
        <InviteMember
          onClose={() => {
            setInviting(false)
            setTab('invitations')
          }}
        />
      )}
    </>
  )
}

function MemberList() {
  const { user, may, role } = useSession()
  const { query, rows } = usePages<Member>(MEMBERS_URL, 'members')
  const [leaving, setLeaving] = useState<Member>()
  const owners = rows?.filter(member => member.role === 'owner').length ?? 0
  /** An owner manages everybody, an admin everybody but owners; the last owner stays. */
  function isFixed(member: Member): boolean {
    if (member.role !== 'owner') return false
    return role !== 'owner' || (owners === 1 && !query.hasNextPage)
  }
  const columns: Column<Member>[] = [
    {
      title: 'Email',
      kind: 'main',
      cell: ({ email, user_id }) => (
        <>
          {email ?? user_id} {user_id === user.id && <span className="muted">(you)</span>}
        </>
      ),
    },
    { title: 'Role', cell: member => <RoleOf member={member} fixed={!may.manage_members || isFixed(member)} /> },
    { title: 'Joined', cell: ({ joined_at }) => <span className="number">{formatDate(joined_at)}</span> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: member =>
        (may.manage_members || member.user_id === user.id) &&
        !isFixed(member) && (
          <Button kind="quiet" size="small" onClick={() => setLeaving(member)}>
            {member.user_id === user.id ? 'Leave' : 'Remove'}
          </Button>
        ),
    },
  ]
  return (
    <Card>
      {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
      {rows === undefined && !query.error && <Skeleton lines={5} />}
      {rows !== undefined && <Table label="Members" columns={columns} rows={rows} rowKey={({ user_id }) => user_id} />}
      <More shown={rows?.length ?? 0} query={query} />
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}
