import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { useClients } from './client-setup.tsx'

/** A button that creates a key, shows its secret once, and hands it to the snippets of this page. */
export function KeyButton({ onSecret, primary }: { onSecret: (secret: string) => void; primary: boolean }) {
  const { client } = useClients()
  const [creating, setCreating] = useState(false)
  return (
    <>
      <Button icon="key-round" kind={primary ? 'primary' : 'plain'} onClick={() => setCreating(true)}>
        Create key
      </Button>
      {creating && (
        <CreateKey
          suggestion={client?.name ?? ''}
          onClose={() => setCreating(false)}
          onCreated={({ key }) => {
            if (key !== undefined) onSecret(key)
          }}
        />
      )}
    </>
  )
}
