import type { RemoteAuthMode } from '../../../../schemas/remote.ts'
import type { CredentialPer, RemoteAuthRequest } from '../../../../schemas/remote-auth.ts'
import { Choice } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { ClientFields, MachineFields } from './client-fields.tsx'

/** What an admin enters about how the gateway authenticates to a server. */
export interface AuthValues {
  secret: string
  header: string
  clientId: string
  clientSecret: string
  privateKey: string
  scopes: string
  /** Fixed headers, one per line. */
  headers: string
  per: CredentialPer
}

export const NO_AUTH_VALUES: AuthValues = {
  ...{ secret: '', header: '', clientId: '', clientSecret: '', privateKey: '', scopes: '', headers: '' },
  per: 'member',
}

/** The names of the modes. */
export const MODES: Readonly<Record<RemoteAuthMode, { label: string; hint: string }>> = {
  oauth: { label: 'Sign-in (OAuth)', hint: 'At the pages of the server’s provider.' },
  bearer: { label: 'Token', hint: 'In the header Authorization, as Bearer.' },
  header: { label: 'Another header', hint: 'For example x-api-key.' },
  client_credentials: { label: 'Client credentials (OAuth)', hint: 'The gateway’s own client, without a person.' },
  assertion: { label: 'Signed by the gateway', hint: 'For a server of yours: a JWT says who calls.' },
  none: { label: 'None', hint: 'Anyone who knows the URL can call the server.' },
}

const SELECTABLE = (Object.keys(MODES) as RemoteAuthMode[]).map(value => ({ value, ...MODES[value] }))

/** The `auth` of a registration; undefined if something is missing. */
export function authOf(mode: RemoteAuthMode, values: AuthValues): RemoteAuthRequest | undefined {
  const { per } = values
  const given = headersOf(values.headers)
  const [secret, header] = [values.secret.trim(), values.header.trim()]
  if (given === undefined) return undefined
  const headers = given.length > 0 ? { headers: given } : {}
  switch (mode) {
    case 'none':
      return { mode }
    case 'assertion':
      return { mode, ...headers }
    case 'bearer':
      return secret === '' ? undefined : { mode, token: secret, per, ...headers }
    case 'header':
      return secret === '' || header === '' ? undefined : { mode, name: header, value: secret, per, ...headers }
    case 'oauth': {
      const { client_id, ...client } = clientOf(values)
      if (client_id === undefined && client.client_secret !== undefined) return undefined
      return { mode, per, ...(client_id !== undefined && { client_id }), ...client, ...headers }
    }
    case 'client_credentials': {
      const { client_id, ...client } = clientOf(values)
      const privateKey = values.privateKey.trim()
      if (client_id === undefined || (client.client_secret === undefined) === (privateKey === '')) return undefined
      return { mode, client_id, ...client, ...(privateKey !== '' && { private_key: privateKey }), ...headers }
    }
  }
}

function clientOf({ clientId, clientSecret, scopes }: AuthValues) {
  const listed = scopes.split(/\s+/).filter(Boolean)
  return {
    ...(clientId.trim() !== '' && { client_id: clientId.trim() }),
    ...(clientSecret.trim() !== '' && { client_secret: clientSecret.trim() }),
    ...(listed.length > 0 && { scopes: listed }),
  }
}

/** Reads lines such as `x-tenant: acme`; undefined if one is not such a line. */
function headersOf(text: string): { name: string; value: string }[] | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const headers = lines.flatMap(line => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })
  return headers.length === lines.length ? headers : undefined
}

interface AuthFieldsProps {
  mode: RemoteAuthMode
  onMode: (mode: RemoteAuthMode) => void
  values: AuthValues
  onChange: (values: AuthValues) => void
  /** Whether the form was sent, so that what is missing is marked. */
  tried: boolean
  /** What the server's authorization server said about the client. */
  clientProblem: string | undefined
}

/** How the gateway authenticates to a server, and whose credential it is. */
export function AuthFields({ mode, onMode, values, onChange, tried, clientProblem }: AuthFieldsProps) {
  const set = (name: keyof AuthValues) => (value: string) => onChange({ ...values, [name]: value })
  const missing = (name: 'secret' | 'header', what: string) => (tried && values[name].trim() === '' ? what : undefined)
  const own = values.per === 'member' ? ' It is your own: other members add theirs.' : ''
  const isPersonal = mode === 'oauth' || mode === 'bearer' || mode === 'header'
  return (
    <>
      <SelectField
        label="Authentication"
        value={mode}
        onChange={onMode}
        options={SELECTABLE}
        hint={mode === 'none' || mode === 'assertion' ? HINTS[mode] : undefined}
      />
      {mode === 'header' && (
        <TextField
          label="Name of the header"
          maxLength={64}
          value={values.header}
          onChange={set('header')}
          placeholder="x-api-key"
          problem={missing('header', 'Enter the name of the header.')}
        />
      )}
      {isPersonal && (
        <Choice
          label="Whose credential"
          value={values.per}
          onChange={set('per')}
          options={[
            { value: 'member', label: 'Each member’s own', hint: 'The server sees who calls. Each connects once.' },
            { value: 'organization', label: 'One for the organization', hint: 'All members act as the same account.' },
          ]}
        />
      )}
      {(mode === 'bearer' || mode === 'header') && (
        <TextField
          label={mode === 'bearer' ? 'Token' : 'Value of the header'}
          type="password"
          maxLength={8192}
          value={values.secret}
          onChange={set('secret')}
          problem={missing('secret', mode === 'bearer' ? 'Paste the token.' : 'Paste the value.')}
          hint={`Stored encrypted and never shown.${own}`}
        />
      )}
      {mode === 'oauth' && <ClientFields {...{ values, set, tried, clientProblem }} />}
      {mode === 'client_credentials' && <MachineFields {...{ values, set, tried, clientProblem }} />}
      {mode !== 'none' && (
        <TextArea
          label="Other headers (optional)"
          rows={2}
          code
          value={values.headers}
          onChange={set('headers')}
          problem={
            tried && headersOf(values.headers) === undefined ? 'Write one per line, such as x-tenant: acme.' : undefined
          }
          hint="For every request, one per line, such as x-tenant: acme. Values are stored encrypted and never shown."
        />
      )}
    </>
  )
}

const HINTS = {
  none: MODES.none.hint,
  assertion: 'The server learns user, email, role and agent of each call. It checks the gateway’s signature.',
}
