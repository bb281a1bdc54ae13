import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConnectorAccount, CuratedConnectorEntry } from '../../../../schemas/connector.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { RemoveAccount, RenameAccount, ShareAccount } from './change-account.tsx'

/** The accounts of a connector with what can be done with each. */
export function AccountTable({ entry }: { entry: CuratedConnectorEntry }) {
  const [, navigate] = useLocation()
  const [change, setChange] = useState<{ kind: 'rename' | 'share' | 'remove'; account: ConnectorAccount }>()
  const close = () => setChange(undefined)
  const reauthorize = ({ id }: ConnectorAccount) => `/accounts/${id}/reauthorize`
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
          <Badge tone="good">Connected</Badge>
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
      <Table label="Accounts" columns={columns} rows={entry.accounts} rowKey={({ id }) => id} />
      {change?.kind === 'rename' && <RenameAccount entry={entry} account={change.account} onClose={close} />}
      {change?.kind === 'share' && <ShareAccount entry={entry} account={change.account} onClose={close} />}
      {change?.kind === 'remove' && <RemoveAccount entry={entry} account={change.account} onClose={close} />}
    </>
  )
}

function methodOf(kind: ConnectorAccount['auth_kind'], verified: boolean | undefined): string {
  if (kind !== 'api_key') return 'Sign-in at the provider'
  return verified === false ? 'Pasted key, not verified' : 'Pasted key'
}
