import type { Static } from '@sinclair/typebox'
import { useState } from 'react'
import type { SignInMethods } from '../../../../schemas/organizations/dashboard.ts'
import type { CreatedInvitation, Invitation } from '../../../../schemas/organizations/invitation.ts'
import type { Member, Role } from '../../../../schemas/organizations/member.ts'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { usePeople } from '../../lib/people.ts'
import { useAction, useGet, usePages } from '../../lib/queries.ts'
import { SESSION_URL, useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Select, SelectField } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { type Column, More, Person, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

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
      <PageHead action={may.manage_members && invite}>
        The members of {organization?.name}. Owners and admins manage members, billing and shared connectors.
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

/** The URL of the list of members. */
const MEMBERS_URL = '/api/members'

/** What each role may do. */
const ROLES: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'member', label: 'Member', hint: 'Uses connectors; manages their own accounts, keys and agents' },
  { value: 'admin', label: 'Admin', hint: 'Also manages members, billing, and all keys and agents' },
  { value: 'owner', label: 'Owner', hint: 'Also adds and removes owners' },
]

/** The roles that the user may give. */
function useGivableRoles() {
  const { role } = useSession()
  return ROLES.filter(({ value }) => value !== 'owner' || role === 'owner')
}

/** The role of a member, with a select to change it unless it is fixed for the user. */
function RoleOf({ member, fixed }: { member: Member; fixed: boolean }) {
  const options = useGivableRoles()
  const change = useAction({
    run: (role: Role) => request('PATCH', `${MEMBERS_URL}/${encodeURIComponent(member.user_id)}`, { body: { role } }),
    changes: [MEMBERS_URL, SESSION_URL],
    onDone: () => toast('The role is changed.'),
  })
  if (fixed) return ROLES.find(({ value }) => value === member.role)?.label
  return (
    <div className="role-select">
      <Select
        label={`Role of ${member.email ?? member.user_id}`}
        value={change.isPending ? change.variables : member.role}
        options={options}
        disabled={change.isPending}
        onChange={role =>
          role !== member.role && change.mutate(role, { onError: error => toast(error.message, 'bad') })
        }
      />
    </div>
  )
}

/** Asks before a member is removed, or the user leaves. */
function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { user, organization } = useSession()
  const self = member.user_id === user.id
  const name = member.email ?? member.user_id
  const remove = useAction({
    run: () => request('DELETE', `${MEMBERS_URL}/${encodeURIComponent(member.user_id)}`),
    changes: [MEMBERS_URL, ...(self ? [SESSION_URL] : [])],
    onDone() {
      toast(self ? `You left ${organization?.name}.` : `${name} is removed.`)
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={self ? `Leave ${organization?.name}?` : `Remove ${name}?`}
      submit={self ? 'Leave' : 'Remove'}
      danger
      action={remove}
      onSubmit={() => remove.mutate()}
    >
      <p>
        {self ? 'Your' : 'Their'} keys are revoked, and {self ? 'your' : 'their'} private accounts are removed. Shared
        accounts stay. {self ? 'Your' : 'Their'} agents are suspended until they get a new owner.
      </p>
    </FormDialog>
  )
}

/** The URL of the list of invitations. */
const INVITATIONS_URL = '/api/invitations'

/** The invitations that were neither accepted nor revoked. */
function Invitations() {
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
          Invite someone by email address. You get a one-time link to send, which is valid for 7 days.
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table label="Invitations" columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <More shown={rows?.length ?? 0} query={query} />
    </Card>
  )
}

type Methods = Static<typeof SignInMethods>

/** The form of an invitation, then its link, which is shown once. */
function InviteMember({ onClose }: { onClose: () => void }) {
  const { data: methods } = useGet<Methods>('/auth/methods')
  const roles = useGivableRoles()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [tried, setTried] = useState(false)
  const invite = useAction({
    run: (body: object, key) => request<CreatedInvitation>('POST', INVITATIONS_URL, { body, key }),
    changes: [INVITATIONS_URL],
  })
  const valid = /^\S+@\S+$/.test(email.trim())
  function submit() {
    setTried(true)
    if (valid) invite.mutate({ email: email.trim(), role })
  }
  if (methods?.issuer === false) return <AddByOperator methods={methods} onClose={onClose} />
  if (invite.data) return <InvitationLink invitation={invite.data} onClose={onClose} />
  return (
    <FormDialog onClose={onClose} title="Invite a member" submit="Create link" action={invite} onSubmit={submit}>
      <TextField
        label="Email"
        type="email"
        placeholder="name@example.com"
        value={email}
        onChange={setEmail}
        problem={tried && !valid ? 'Enter the email address that they sign in with.' : undefined}
        hint="Only a user with this address can join. The gateway sends no email: you get a link to send."
      />
      <SelectField label="Role" value={role} onChange={setRole} options={roles} />
    </FormDialog>
  )
}

/** Without an issuer nobody can prove their email address, so an invitation could not be accepted. */
function AddByOperator({ methods, onClose }: { methods: Methods; onClose: () => void }) {
  const { organization } = useSession()
  return (
    <Dialog open onClose={onClose} title="Invite a member">
      <div className="dialog-body stack">
        <p>
          Invitations need an identity provider that verifies email addresses, and this gateway has none. The operator
          adds members to {organization?.name} with this command:
        </p>
        <CopyText text={methods.add_member.replace(' ORG ', ` ${organization?.id} `)} label="Copy the command" />
        <p>Then they create a one-time sign-in link for the new member:</p>
        <CopyText text={methods.command} label="Copy the command for the link" />
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Done</Button>
      </footer>
    </Dialog>
  )
}

function InvitationLink({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  const { email, next_step, link, token } = invitation
  return (
    <SecretDialog
      open
      onClose={onClose}
      title={`Invitation for ${email}`}
      secret={link ?? token}
      copy="Copy the invitation"
      before={<Notice kind="warn">Copy the invitation now. It is shown only once.</Notice>}
      after={<p className="muted">{next_step}</p>}
    />
  )
}
