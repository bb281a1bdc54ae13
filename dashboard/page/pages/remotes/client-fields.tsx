import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import type { AuthValues } from './auth-fields.tsx'

interface ClientFieldsProps {
  values: AuthValues
  set: (name: keyof AuthValues) => (value: string) => void
  tried: boolean
  clientProblem: string | undefined
}

/** The OAuth client with which members sign in. Most servers register it by themselves. */
export function ClientFields({ values, set, tried, clientProblem }: ClientFieldsProps) {
  const [own, setOwn] = useState(false)
  const shown = own || clientProblem !== undefined
  const noId = tried && values.clientSecret.trim() !== '' && values.clientId.trim() === ''
  return (
    <>
      <Toggle
        label="Use a client that I registered"
        hint="Most servers register the gateway by themselves."
        checked={shown}
        onChange={setOwn}
      />
      {shown && (
        <>
          <TextField
            label="Client ID"
            maxLength={2048}
            value={values.clientId}
            onChange={set('clientId')}
            problem={clientProblem ?? (noId ? 'Enter the client ID that the secret belongs to.' : undefined)}
            hint={
              <>
                Register it with the redirect URI <code>{location.origin}/connect/callback</code>.
              </>
            }
          />
          <Secret label="Client secret (optional)" value={values.clientSecret} onChange={set('clientSecret')} />
          <Scopes value={values.scopes} onChange={set('scopes')} />
        </>
      )}
    </>
  )
}

/** The gateway's own client at the server's authorization server, with a secret or a private key. */
export function MachineFields({ values, set, tried, clientProblem }: ClientFieldsProps) {
  const [secret, key] = [values.clientSecret.trim(), values.privateKey.trim()]
  const problem = secret !== '' && key !== '' ? 'Enter the secret or the private key, not both.' : undefined
  const nothing = tried && secret === '' && key === '' ? 'Enter the secret, or the private key below.' : undefined
  return (
    <>
      <TextField
        label="Client ID"
        maxLength={2048}
        value={values.clientId}
        onChange={set('clientId')}
        problem={clientProblem ?? (tried && values.clientId.trim() === '' ? 'Enter the client ID.' : undefined)}
      />
      <Secret
        label="Client secret"
        value={values.clientSecret}
        onChange={set('clientSecret')}
        problem={problem ?? nothing}
      />
      <TextArea
        label="Or its private key"
        rows={3}
        code
        value={values.privateKey}
        onChange={set('privateKey')}
        hint="PKCS #8 in PEM, or a JWK. It signs the requests for tokens."
      />
      <Scopes value={values.scopes} onChange={set('scopes')} />
    </>
  )
}

interface PartProps {
  value: string
  onChange: (value: string) => void
}

function Secret({ label, problem, ...rest }: PartProps & { label: string; problem?: string | undefined }) {
  return (
    <TextField
      {...rest}
      label={label}
      type="password"
      maxLength={8192}
      problem={problem}
      hint="Stored encrypted and never shown."
    />
  )
}

function Scopes(props: PartProps) {
  return (
    <TextField
      {...props}
      label="Scopes (optional)"
      maxLength={2048}
      hint="Separated by spaces. Without them, those that the server publishes."
    />
  )
}
