import { useState } from 'react'
import type { AuthorizationParams, CredentialPer, RemoteAuthRequest } from '../../../../schemas/remotes/auth.ts'
import type { RefreshMode } from '../../../../schemas/remotes/refresh.ts'
import type { RemoteAuthMode } from '../../../../schemas/remotes/remote.ts'
import { Choice, Toggle } from '../../ui/choice.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'

/** The names of the modes. */
export const MODES: Readonly<Record<RemoteAuthMode, { label: string; hint: string }>> = {
  oauth: { label: 'Sign-in (OAuth)', hint: 'On the pages of the server’s provider.' },
  bearer: { label: 'Token', hint: 'Sent as a Bearer token in the Authorization header.' },
  header: { label: 'Another header', hint: 'For example x-api-key.' },
  client_credentials: {
    label: 'Client credentials (OAuth)',
    hint: 'The gateway authenticates as its own client, without a user.',
  },
  assertion: { label: 'Signed by the gateway', hint: 'For your own server: a JWT identifies the caller.' },
  none: { label: 'None', hint: 'Anyone who knows the URL can call the server.' },
}

const SELECTABLE = (Object.keys(MODES) as RemoteAuthMode[]).map(value => ({ value, ...MODES[value] }))

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
  const own = values.per === 'member' ? ' This credential is yours: other members add their own.' : ''
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
            {
              value: 'member',
              label: 'Each member’s own',
              hint: 'The server sees who calls. Each member connects once.',
            },
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
      {mode === 'oauth' && <ClientFields values={values} set={set} tried={tried} clientProblem={clientProblem} />}
      {mode === 'client_credentials' && (
        <MachineFields values={values} set={set} tried={tried} clientProblem={clientProblem} />
      )}
      {mode !== 'none' && (
        <NamedLines
          label="Other headers (optional)"
          example="x-tenant: acme"
          tried={tried}
          value={values.headers}
          onChange={set('headers')}
          hint="Sent with every request. One per line, such as x-tenant: acme. Values are stored encrypted and never shown."
        />
      )}
    </>
  )
}

const HINTS = {
  none: MODES.none.hint,
  assertion: 'The server receives the user, email, role and agent of each call, and checks the gateway’s signature.',
}

interface ClientFieldsProps {
  values: AuthValues
  set: (name: keyof AuthValues) => (value: string) => void
  tried: boolean
  clientProblem: string | undefined
}

/** The OAuth client with which members sign in. Most servers register it by themselves. */
function ClientFields({ values, set, tried, clientProblem }: ClientFieldsProps) {
  const [own, setOwn] = useState(false)
  const shown = own || clientProblem !== undefined
  const noId = tried && values.clientSecret.trim() !== '' && values.clientId.trim() === ''
  return (
    <>
      <Toggle
        label="Use a client that I registered"
        hint="Most servers register the gateway automatically."
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
                Register the client with the redirect URI <code>{location.origin}/connect/callback</code>.
              </>
            }
          />
          <Secret label="Client secret (optional)" value={values.clientSecret} onChange={set('clientSecret')} />
          <Scopes value={values.scopes} onChange={set('scopes')} />
        </>
      )}
      <NamedLines
        label="Sign-in parameters (optional)"
        example="prompt: select_account"
        tried={tried}
        value={values.params}
        onChange={set('params')}
        hint="Only if the server’s provider needs them. One per line, such as prompt: select_account. All members can see them."
      />
    </>
  )
}

/** The gateway's own client at the server's authorization server, with a secret or a private key. */
function MachineFields({ values, set, tried, clientProblem }: ClientFieldsProps) {
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
        label="Or the client’s private key"
        rows={3}
        code
        value={values.privateKey}
        onChange={set('privateKey')}
        hint="PKCS #8 in PEM, or a JWK. The key signs the token requests."
      />
      <Scopes value={values.scopes} onChange={set('scopes')} />
    </>
  )
}

interface PartProps {
  value: string
  onChange: (value: string) => void
}

interface NamedLinesProps extends PartProps {
  label: string
  hint: string
  /** A line, for the problem with a text that is not `name: value` per line. */
  example: string
  tried: boolean
}

/** Values by name, one per line. */
function NamedLines({ example, tried, ...rest }: NamedLinesProps) {
  const isWrong = tried && parseLines(rest.value) === undefined
  return <TextArea {...rest} rows={2} code problem={isWrong ? `Write one per line, such as ${example}.` : undefined} />
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
      hint="Separated by spaces. If empty, the scopes that the server publishes are used."
    />
  )
}

/** What an admin enters about how the gateway authenticates to a server. */
export interface AuthValues {
  secret: string
  header: string
  clientId: string
  clientSecret: string
  privateKey: string
  scopes: string
  /** Further parameters of the sign-in, one per line. */
  params: string
  /** Fixed headers, one per line. */
  headers: string
  per: CredentialPer
}

export const NO_AUTH_VALUES: AuthValues = {
  secret: '',
  header: '',
  clientId: '',
  clientSecret: '',
  privateKey: '',
  scopes: '',
  params: '',
  headers: '',
  per: 'member',
}

/** The `auth` of a registration; undefined if something is missing. */
export function authOf(mode: RemoteAuthMode, values: AuthValues): RemoteAuthRequest | undefined {
  const { per } = values
  const given = parseLines(values.headers)
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
      const params = parseLines(values.params)
      if (params === undefined || (client_id === undefined && client.client_secret !== undefined)) return undefined
      // The gateway says which names it takes.
      const authorization_params: AuthorizationParams = Object.fromEntries(
        params.map(({ name, value }) => [name, value]),
      )
      return {
        mode,
        per,
        ...(client_id !== undefined && { client_id }),
        ...client,
        ...headers,
        ...(params.length > 0 && { authorization_params }),
      }
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

/** The text of a field with one value per line. */
export function formatLines(values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Reads lines such as `x-tenant: acme`; undefined if one is not such a line. */
function parseLines(text: string): { name: string; value: string }[] | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const headers = lines.flatMap(line => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })
  return headers.length === lines.length ? headers : undefined
}

/** The choice of who accepts changes of a server. */
export function RefreshChoice({ value, onChange }: { value: RefreshMode; onChange: (value: RefreshMode) => void }) {
  return (
    <Choice
      label="Changes to the server’s tools"
      value={value}
      onChange={onChange}
      options={[
        {
          value: 'manual',
          label: 'An admin accepts each change',
          hint: 'Check for changes on the server’s page at any time.',
        },
        {
          value: 'harmless',
          label: 'Harmless changes go live automatically',
          hint: 'The gateway checks regularly. Changes that could be risky wait for an admin.',
        },
      ]}
    />
  )
}
