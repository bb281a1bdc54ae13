import { useState } from 'react'
import type { RefreshedRemoteConnector, RemoteConnectorRead } from '../../../../schemas/remote.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { ChangeConnection } from './change-connection.tsx'
import { ChangeRefresh, RemoveRemote, RenameRemote } from './change-remote.tsx'

/** What admins do with a registered server. */
export function RemoteActions({ entry }: { entry: RemoteConnectorRead }) {
  const [open, setOpen] = useState<'rename' | 'connection' | 'refresh' | 'remove'>()
  const close = () => setOpen(undefined)
  const known = entry.remote.tool_count !== null
  const check = useAction({
    // The first tools are live at once. Later ones are only shown.
    run: () =>
      request<RefreshedRemoteConnector>('POST', `${remoteUrl(entry.id)}/refresh${known ? '?preview=1' : ''}`, {
        body: {},
      }),
    changes: REMOTE_CHANGES,
    onDone: ({ changes }) => toast(known ? foundOf(changes) : 'The tools are read.'),
  })
  return (
    <>
      {entry.remote.credential?.connected !== false && (
        <Button
          icon="refresh-cw"
          busy={check.isPending}
          onClick={() => check.mutate(undefined, { onError: error => toast(error.message, 'bad') })}
        >
          {known ? 'Check for changes' : 'Read the tools'}
        </Button>
      )}
      <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${entry.name}`} />}>
        <MenuItem icon="pencil" onClick={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon="link" onClick={() => setOpen('connection')}>
          Change the connection
        </MenuItem>
        <MenuItem icon="refresh-cw" onClick={() => setOpen('refresh')}>
          Who accepts changes
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash-2" danger onClick={() => setOpen('remove')}>
          Remove
        </MenuItem>
      </Menu>
      {open === 'rename' && <RenameRemote entry={entry} onClose={close} />}
      {open === 'connection' && <ChangeConnection entry={entry} onClose={close} />}
      {open === 'refresh' && <ChangeRefresh entry={entry} onClose={close} />}
      {open === 'remove' && <RemoveRemote entry={entry} onClose={close} />}
    </>
  )
}

function foundOf(changes: RefreshedRemoteConnector['changes']): string {
  const { length } = Object.values(changes).flat()
  if (length === 0) return 'Nothing has changed at the server.'
  return length === 1 ? 'One change waits for you.' : `${length} changes wait for you.`
}
