import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Secret } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './states.tsx'

interface SecretDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** What cannot be shown again; undefined if it was shown before. */
  secret: string | undefined
  /** The name of its button: `Copy key`. */
  copy: string
  /** What is shown above the secret, and below it. */
  before: ReactNode
  after?: ReactNode
}

/** A dialog with a secret that is shown once. Escape does not throw away what was not copied: the dialog asks first. */
export function SecretDialog({ open, onClose, title, secret, copy, before, after }: SecretDialogProps) {
  const [copied, setCopied] = useState<string>()
  const [asked, ask] = useState<string>()
  const isSafe = secret === undefined || copied === secret
  const isAsking = !isSafe && asked === secret
  return (
    <Dialog open={open} onClose={() => (isSafe ? onClose() : ask(secret))} title={title}>
      <div className="dialog-body stack">
        {before}
        {secret !== undefined && (
          // Selecting the text and copying it counts too.
          <div onCopy={() => setCopied(secret)}>
            <Secret text={secret} label={copy} onCopied={() => setCopied(secret)} />
          </div>
        )}
        {after}
        {isAsking && (
          <Notice kind="bad" title="You have not copied the secret.">
            The secret cannot be shown again. Close anyway?
          </Notice>
        )}
      </div>
      <footer className="dialog-foot">
        {isAsking ? (
          <>
            <Button kind="danger" onClick={onClose}>
              Close without copying
            </Button>
            <Button autoFocus onClick={() => ask(undefined)}>
              Keep it open
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Done</Button>
        )}
      </footer>
    </Dialog>
  )
}
