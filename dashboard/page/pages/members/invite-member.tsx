import { useState } from 'react'
import type { CreatedInvitation } from '../../../../schemas/invitation.ts'
import type { Role } from '../../../../schemas/role.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Notice } from '../../ui/states.tsx'
import { INVITATIONS_URL } from './invitations.tsx'
import { useGivableRoles } from './role.tsx'

/** The form of an invitation, then its link, which is shown once. */
export function InviteMember({ onClose }: { onClose: () => void }) {
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
  if (invite.data) return <InvitationLink invitation={invite.data} onClose={onClose} />
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Invite a member"
      submit="Create link"
      busy={invite.isPending}
      error={invite.error}
      onSubmit={submit}
    >
      <TextField
        label="Email"
        type="email"
        placeholder="name@example.com"
        value={email}
        onChange={setEmail}
        problem={tried && !valid ? 'Enter the email address with which they sign in.' : undefined}
        hint="They join with this address only. No email is sent: you get a link to send."
      />
      <SelectField label="Role" value={role} onChange={setRole} options={roles} />
    </FormDialog>
  )
}

function InvitationLink({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  const { email, next_step, link, token } = invitation
  const secret = link ?? token
  return (
    <Dialog open onClose={onClose} title={`Invitation for ${email}`}>
      <div className="dialog-body stack">
        <Notice kind="warn">Copy it now: it is shown only once.</Notice>
        {secret !== undefined && <CopyText text={secret} label="Copy the invitation" />}
        <p className="muted">{next_step}</p>
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Done</Button>
      </footer>
    </Dialog>
  )
}
