import { useState } from 'react'
import type { RemoteConnectorRead } from '../../../../schemas/remote.ts'
import { request } from '../../lib/api.ts'
import { usePeople, withinSentence } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { CLASSES, claimedClass, REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

/** Whether an admin has confirmed what the server says that its tools do, and to confirm it. */
export function ConfirmHints({ entry }: { entry: RemoteConnectorRead }) {
  const { nameOf } = usePeople()
  const [open, setOpen] = useState(false)
  const { confirmed } = entry.remote
  if (confirmed !== undefined)
    return (
      <span className="muted small">
        Effects confirmed by {withinSentence(nameOf(confirmed.confirmed_by_user_id))}{' '}
        <Time at={confirmed.confirmed_at} />
      </span>
    )
  return (
    <>
      <Button size="small" icon="shield-check" onClick={() => setOpen(true)}>
        Confirm the effects
      </Button>
      {open && <Confirm entry={entry} onClose={() => setOpen(false)} />}
    </>
  )
}

function Confirm({ entry, onClose }: { entry: RemoteConnectorRead; onClose: () => void }) {
  const { tools, full_schema_hash: hash } = entry.remote
  const confirm = useAction({
    run: () => request('POST', `${remoteUrl(entry.id)}/confirm`, { body: { hash } }),
    changes: REMOTE_CHANGES,
    onDone() {
      toast('The effects are confirmed.')
      onClose()
    },
  })
  // Without a hint, MCP takes the worst for granted.
  const counts = (['read', 'write', 'destructive'] as const).map(
    kind => [kind, tools.filter(tool => (claimedClass(tool) ?? 'destructive') === kind).length] as const,
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Confirm what the tools do?"
      submit="Confirm"
      action={confirm}
      onSubmit={() => confirm.mutate()}
    >
      <p>You have checked that these tools do what the server says. Policies then rely on it:</p>
      <ul className="bullets">
        {counts
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => (
            <li key={kind}>
              {CLASSES[kind]}: {count === 1 ? 'one tool' : `${count} tools`}
              {kind === 'destructive' && ', with those that say nothing'}
            </li>
          ))}
      </ul>
      <p className="muted">The confirmation ends when the tools change. To correct a single tool, set its effect.</p>
    </FormDialog>
  )
}
