import type { Member } from '../../../../schemas/member.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { SESSION_URL, useSession } from '../../lib/session.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { MEMBERS_URL } from './role.tsx'

/** Asks before a member is removed, or the user leaves. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
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
        {self ? 'Your' : 'Their'} keys are revoked. {self ? 'Your' : 'Their'} agents are suspended until they get
        another owner.
      </p>
    </FormDialog>
  )
}
