import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import type { CreatedKey } from '../keys/key.ts'
import { NewSecret } from '../keys/new-secret.tsx'

/** A button that creates a key, shows its secret once, and hands it to the snippets of this page. */
export function KeyButton({ onSecret, primary }: { onSecret: (secret: string) => void; primary: boolean }) {
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <>
      <Button icon="key-round" kind={primary ? 'primary' : 'plain'} onClick={() => setCreating(true)}>
        Create key
      </Button>
      {creating && (
        <CreateKey
          open
          onClose={() => setCreating(false)}
          onCreated={key => {
            setCreating(false)
            setCreated(key)
            if (key.key !== undefined) onSecret(key.key)
          }}
        />
      )}
      <NewSecret created={created} onClose={() => setCreated(undefined)} />
    </>
  )
}
