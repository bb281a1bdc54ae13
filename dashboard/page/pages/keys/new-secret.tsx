import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText, Secret } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'
import type { CreatedKey } from './key.ts'

/** Shows the secret of a new or rotated key, once. */
export function NewSecret({ created, onClose }: { created: CreatedKey | undefined; onClose: () => void }) {
  return (
    <Dialog open={created !== undefined} onClose={onClose} title={created?.name ?? ''}>
      <div className="dialog-body">{created && <SecretOf created={created} />}</div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Done</Button>
      </footer>
    </Dialog>
  )
}

/** A secret with where to use it. */
export function SecretOf({ created }: { created: CreatedKey }) {
  const { gateway_url } = useSession()
  if (created.key === undefined)
    return (
      <Notice kind="warn">
        The secret was shown before, and is shown only once. Rotate the key to get another one.
      </Notice>
    )
  return (
    <div className="stack">
      <Notice kind="warn">Copy the key now. It is not stored, so it cannot be shown again.</Notice>
      <Secret text={created.key} label="Copy key" />
      <div className="field">
        <span className="field-label">Send it as the header x-api-key to</span>
        <CopyText text={gateway_url} label="Copy the address" />
      </div>
    </div>
  )
}
