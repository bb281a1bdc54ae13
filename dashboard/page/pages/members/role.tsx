import type { Member } from '../../../../schemas/member.ts'
import type { Role } from '../../../../schemas/role.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { SESSION_URL, useSession } from '../../lib/session.ts'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'

/** The URL of the list of members. */
export const MEMBERS_URL = '/api/members'

/** What each role may do. */
export const ROLES: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'member', label: 'Member', hint: 'Uses connectors; manages their own accounts, keys and agents' },
  { value: 'admin', label: 'Admin', hint: 'Also manages members, money, and all keys and agents' },
  { value: 'owner', label: 'Owner', hint: 'Also makes and removes owners' },
]

/** The roles that the user may give. */
export function useGivableRoles() {
  const { role } = useSession()
  return ROLES.filter(({ value }) => value !== 'owner' || role === 'owner')
}

/** The role of a member, with a select to change it unless it is fixed for the user. */
export function RoleOf({ member, fixed }: { member: Member; fixed: boolean }) {
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
