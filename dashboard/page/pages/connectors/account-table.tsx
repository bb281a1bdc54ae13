import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AccountGrant } from '../../../../schemas/connectors/connect.ts'
import type { ConnectorAccount, CuratedConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { request } from '../../lib/api.ts'
import { CONNECTORS_URL, connectorUrl, useGrants } from '../../lib/connectors.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { GrantedScopes } from '../connect/connected.tsx'
import '../connect/connect.css'

/** The accounts of a connector with what can be done with each. */
export function AccountTable({ entry }: { entry: CuratedConnectorEntry }) {
  const [, navigate] = useLocation()
  const [change, setChange] = useState<{ kind: 'rename' | 'share' | 'remove'; account: ConnectorAccount }>()
  const close = () => setChange(undefined)
  const granted = useGrants(entry.id)
  const missingOf = ({ id }: ConnectorAccount) => granted.grants?.get(id)?.missing ?? []
  const reauthorize = (account: ConnectorAccount) => {
    const scopes = missingOf(account).map(({ scope }) => ['scope', scope])
    return `/accounts/${account.id}/reauthorize${scopes.length > 0 ? `?${new URLSearchParams(scopes)}` : ''}`
  }
  const columns: Column<ConnectorAccount>[] = [
    {
      title: 'Alias',
      kind: 'main',
      cell: account => (
        <>
          <span className="row">
            {account.alias}
            {account.scope === 'shared' && <Badge tone="accent">Shared</Badge>}
          </span>
          {account.identity !== account.alias && <span className="under">{account.identity}</span>}
        </>
      ),
    },
    {
      title: 'Connected by',
      cell: ({ auth_kind }) => (auth_kind === 'api_key' ? 'Pasted key' : 'Sign-in at the provider'),
    },
    {
      title: 'State',
      cell: account =>
        account.status === 'connected' ? (
          <span className="row">
            {account.key_verified === false ? (
              <Badge tone="warn">Stored, not checked</Badge>
            ) : (
              <Badge tone="good">Connected</Badge>
            )}
            {missingOf(account).length > 0 && (
              <>
                <Badge tone="warn">{lackOf(missingOf(account))}</Badge>
                <ButtonLink href={reauthorize(account)} size="small">
                  Reconnect
                </ButtonLink>
              </>
            )}
          </span>
        ) : (
          <span className="row">
            <Badge tone="warn">Needs reauthorization</Badge>
            {account.can_remove && (
              <ButtonLink href={reauthorize(account)} size="small">
                Reauthorize
              </ButtonLink>
            )}
          </span>
        ),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: account =>
        account.can_remove && (
          <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${account.alias}`} />}>
            <MenuItem icon="pencil" onClick={() => setChange({ kind: 'rename', account })}>
              Rename
            </MenuItem>
            <MenuItem icon="share-2" onClick={() => setChange({ kind: 'share', account })}>
              {account.scope === 'private' ? 'Share with the organization' : 'Make private'}
            </MenuItem>
            <MenuItem icon="refresh-cw" onClick={() => navigate(reauthorize(account))}>
              Reauthorize
            </MenuItem>
            <MenuLine />
            <MenuItem icon="trash-2" danger onClick={() => setChange({ kind: 'remove', account })}>
              Remove
            </MenuItem>
          </Menu>
        ),
    },
  ]
  return (
    <>
      <Table
        label="Accounts"
        columns={columns}
        rows={entry.accounts}
        rowKey={({ id }) => id}
        detail={account => <Grant entry={entry} account={account} granted={granted} />}
      />
      {change?.kind === 'rename' && <RenameAccount entry={entry} account={change.account} onClose={close} />}
      {change?.kind === 'share' && <ShareAccount entry={entry} account={change.account} onClose={close} />}
      {change?.kind === 'remove' && <RemoveAccount entry={entry} account={change.account} onClose={close} />}
    </>
  )
}

interface GrantProps {
  entry: CuratedConnectorEntry
  account: ConnectorAccount
  granted: ReturnType<typeof useGrants>
}

/** What an account allows, as far as the user may know. */
function Grant({ entry: { name, auth }, account, granted }: GrantProps) {
  if (!account.can_remove)
    return <p className="muted">Only admins and the member who connected this account can see its permissions.</p>
  if (account.auth_kind === 'api_key' || auth.type === 'api_key')
    return <p className="muted">The key has the permissions that its owner gave it at {name}.</p>
  if (auth.access_summary !== undefined) return <p>{auth.access_summary}</p>
  if (granted.error) return <ErrorPanel error={granted.error} onRetry={granted.refetch} />
  const grant = granted.grants?.get(account.id)
  if (grant === undefined) return <Skeleton lines={2} />
  if (grant.granted_scopes === null) return <p className="muted">{name} does not say which permissions it granted.</p>
  return <GrantedScopes auth={auth} {...grant} />
}

function lackOf(missing: AccountGrant['missing']): string {
  const tools = new Set(missing.flatMap(({ tools }) => tools)).size
  if (tools === 0) return 'Permissions missing'
  return tools === 1 ? '1 tool lacks permissions' : `${tools} tools lack permissions`
}

interface Change {
  entry: CuratedConnectorEntry
  account: ConnectorAccount
  onClose: () => void
}

const urlOf = ({ entry, account }: Change) => `${connectorUrl(entry.id)}/accounts/${encodeURIComponent(account.id)}`

function useChange(change: Change, done: string) {
  return useAction({
    run: (body: object | null) =>
      body === null ? request('DELETE', urlOf(change)) : request('PATCH', urlOf(change), { body }),
    changes: [CONNECTORS_URL, TOOLS_KEY],
    onDone() {
      toast(done)
      change.onClose()
    },
  })
}

/** The form that changes the alias of an account. */
function RenameAccount(change: Change) {
  const [alias, setAlias] = useState(change.account.alias)
  const save = useChange(change, 'The account is renamed.')
  return (
    <FormDialog
      onClose={change.onClose}
      title="Rename the account"
      submit="Save"
      action={save}
      onSubmit={() => alias.trim() !== '' && save.mutate({ alias: alias.trim() })}
    >
      <TextField
        label="Alias"
        maxLength={64}
        value={alias}
        onChange={setAlias}
        problem={alias.trim() === '' ? 'Enter a name.' : undefined}
        hint="Clients choose the account by this name. Calls with the old name fail."
      />
    </FormDialog>
  )
}

/** Asks before an account is shared, or made private again. */
function ShareAccount(change: Change) {
  const { alias, identity, scope } = change.account
  const share = scope === 'private'
  const save = useChange(change, share ? 'The account is shared.' : 'The account is private.')
  return (
    <FormDialog
      onClose={change.onClose}
      title={share ? `Share “${alias}”?` : `Make “${alias}” private?`}
      submit={share ? 'Share' : 'Make private'}
      action={save}
      onSubmit={() => save.mutate({ scope: share ? 'shared' : 'private' })}
    >
      {share ? (
        <p>Every member of the organization and their agents can then act as {identity}.</p>
      ) : (
        <p>After this, only the member who connected the account can use it. Other members’ calls with it will fail.</p>
      )}
    </FormDialog>
  )
}

/** Asks before an account is removed. */
function RemoveAccount(change: Change) {
  const { alias, scope } = change.account
  const remove = useChange(change, 'The account is removed.')
  return (
    <FormDialog
      onClose={change.onClose}
      title={`Remove “${alias}”?`}
      submit="Remove"
      danger
      action={remove}
      onSubmit={() => remove.mutate(null)}
    >
      <p>
        The stored credential is deleted, and the provider is asked to revoke it.
        {scope === 'shared' && ' The account is removed for the whole organization.'}
      </p>
    </FormDialog>
  )
}
