import type { Static } from '@sinclair/typebox'
import { useState } from 'react'
import type { SignInMethods } from '../../../../schemas/dashboard.ts'
import type { CreatedInvitation } from '../../../../schemas/invitation.ts'
import type { Role } from '../../../../schemas/role.ts'
import { request } from '../../lib/api.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Notice } from '../../ui/states.tsx'
import { INVITATIONS_URL } from './invitations.tsx'
import { useGivableRoles } from './role.tsx'

type Methods = Static<typeof SignInMethods>

/** The form of an invitation, then its link, which is shown once. */
export function InviteMember({ onClose }: { onClose: () => void }) {
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
        problem={tried && !valid ? 'Enter the email address with which they sign in.' : undefined}
        hint="They join with this address only. No email is sent: you get a link to send."
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
          Invitations need a sign-in service that verifies email addresses, and this gateway has none. Its operator adds
          members to {organization?.name}:
        </p>
        <CopyText text={methods.add_member.replace(' ORG ', ` ${organization?.id} `)} label="Copy the command" />
        <p>Then they make a link, which signs the new member in once:</p>
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
