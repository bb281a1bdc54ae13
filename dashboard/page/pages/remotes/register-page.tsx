import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RegisterRemoteRequest, RemoteAuthMode, RemoteConnectorRead } from '../../../../schemas/remotes/remote.ts'
import { ApiError, request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { REMOTE_CHANGES, REMOTES_URL, remotePath } from '../../lib/remotes.ts'
import { useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form, TextField } from '../../ui/field.tsx'
import { BackLink, Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { AuthFields, type AuthValues, authOf, NO_AUTH_VALUES, RefreshChoice } from './connection-fields.tsx'
import '../connect/connect.css'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/

/** The page on which an admin registers a server of the organization. */
export default function RegisterPage() {
  const { may } = useSession()
  return (
    <div className="connect">
      <BackLink href="/connectors">Connectors</BackLink>
      <PageHead>Make the tools of your organization’s own MCP server available to all members.</PageHead>
      {may.manage_connectors ? (
        <Card>
          <div className="section">
            <RegisterForm />
          </div>
        </Card>
      ) : (
        <Notice kind="info">Only owners and admins of the organization can register servers. Ask one of them.</Notice>
      )}
    </div>
  )
}

/** The field that an error of the gateway is about; undefined if it is about the whole form. */
const FIELD_OF: Readonly<Record<string, 'slug' | 'url' | 'client'>> = {
  slug_taken: 'slug',
  invalid_upstream_url: 'url',
  oauth_discovery_failed: 'url',
  oauth_registration_failed: 'client',
}

function RegisterForm() {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [typedSlug, setSlug] = useState<string>()
  const [url, setUrl] = useState('')
  const [mode, setMode] = useState<RemoteAuthMode>('oauth')
  const [values, setValues] = useState<AuthValues>(NO_AUTH_VALUES)
  const [refresh, setRefresh] = useState<'manual' | 'harmless'>('manual')
  const [tried, setTried] = useState(false)
  const slug = typedSlug ?? slugFor(name)
  const auth = authOf(mode, values)
  const register = useAction({
    run: (body: RegisterRemoteRequest) => request<RemoteConnectorRead>('POST', REMOTES_URL, { body }),
    changes: REMOTE_CHANGES,
    onDone: ({ id }) => navigate(remotePath(id)),
  })
  const { error } = register
  const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined
  const said = (of: typeof field) => (field === of ? error?.message : undefined)

  function submit() {
    setTried(true)
    if (name.trim() === '' || url.trim() === '' || !SLUG.test(slug) || auth === undefined) return
    register.mutate({ slug, name: name.trim(), upstream_url: url.trim(), auth, refresh })
  }

  return (
    <Form onSubmit={submit} error={error}>
      <TextField
        label="Name"
        maxLength={80}
        value={name}
        onChange={setName}
        placeholder="The wiki"
        problem={tried && name.trim() === '' ? 'Enter a name.' : undefined}
      />
      <TextField
        label="Slug"
        maxLength={20}
        value={slug}
        onChange={setSlug}
        placeholder="wiki"
        problem={
          said('slug') ??
          (tried && !SLUG.test(slug)
            ? 'Use 1 to 20 of a-z, 0-9 and dashes, without a dash at the beginning or end.'
            : undefined)
        }
        hint={
          <>
            The names of the server’s tools begin with the slug, such as <code>org__{slug || 'wiki'}__search</code>. The
            slug cannot be changed.
          </>
        }
      />
      <TextField
        label="URL"
        type="url"
        maxLength={2048}
        value={url}
        onChange={setUrl}
        placeholder="https://mcp.wiki.example/mcp"
        problem={
          said('url') ?? (tried && url.trim() === '' ? 'Enter the URL of the server’s MCP endpoint.' : undefined)
        }
        hint="The server’s MCP endpoint, with https. All members can see the URL, so it must not contain a secret."
      />
      <AuthFields
        mode={mode}
        onMode={setMode}
        values={values}
        onChange={setValues}
        tried={tried}
        clientProblem={said('client')}
      />
      <RefreshChoice value={refresh} onChange={setRefresh} />
      {error && field === undefined && <ErrorPanel error={error} />}
      <div className="connect-foot">
        <ButtonLink href="/connectors" kind="quiet">
          Cancel
        </ButtonLink>
        <Button kind="primary" type="submit" busy={register.isPending} icon="plus">
          Register the server
        </Button>
      </div>
    </Form>
  )
}

/** A slug for a name: `The Wiki (new)` becomes `the-wiki-new`. */
function slugFor(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 20).replace(/-$/, '')
}
