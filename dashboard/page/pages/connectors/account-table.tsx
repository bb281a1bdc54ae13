import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AccountGrant } from '../../../../schemas/connect.ts'
import type { ConnectorAccount, CuratedConnectorEntry } from '../../../../schemas/connector.ts'
import { useGrants } from '../../lib/connectors.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { GrantedScopes } from '../connect/scopes.tsx'
import '../connect/connect.css'
import { RemoveAccount, RenameAccount, ShareAccount } from './change-account.tsx'

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
    { title: 'Connected by', cell: ({ auth_kind, key_verified }) => methodOf(auth_kind, key_verified) },
    {
      title: 'State',
      cell: account =>
        account.status === 'connected' ? (
          <span className="row">
            <Badge tone="good">Connected</Badge>
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
    return <p className="muted">Only the member who connected it and admins see what it grants.</p>
  if (account.auth_kind === 'api_key' || auth.type === 'api_key')
    return <p className="muted">The key allows what its owner gave it at {name}.</p>
  if (auth.access_summary !== undefined) return <p>{auth.access_summary}</p>
  if (granted.error) return <ErrorPanel error={granted.error} onRetry={granted.refetch} />
  const grant = granted.grants?.get(account.id)
  if (grant === undefined) return <Skeleton lines={2} />
  if (grant.granted_scopes === null) return <p className="muted">{name} does not say what it granted.</p>
  return <GrantedScopes auth={auth} {...grant} />
}

function lackOf(missing: AccountGrant['missing']): string {
  const tools = new Set(missing.flatMap(({ tools }) => tools)).size
  if (tools === 0) return 'Not everything granted'
  return tools === 1 ? '1 tool needs more' : `${tools} tools need more`
}

function methodOf(kind: ConnectorAccount['auth_kind'], verified: boolean | undefined): string {
  if (kind !== 'api_key') return 'Sign-in at the provider'
  return verified === false ? 'Pasted key, not verified' : 'Pasted key'
}
