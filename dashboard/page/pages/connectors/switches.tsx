import { request } from '../../lib/api.ts'
import { TOOLS_KEY } from '../../lib/mcp.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { BareSwitch } from '../../ui/toggle.tsx'

/** For whom a tool is switched off. */
export type Scope = 'organization' | 'self'

/** A tool in a table with switches. */
interface Switched {
  name: string
  /** What the switches call it. */
  label: string
  off: ReadonlySet<Scope>
}

const URL = '/api/capabilities'

/** What is switched off, and the switches of tools: for the user, and for all members if the user may. */
export function useSwitches() {
  const { may } = useSession()
  const { data } = useGet<{ off: { capability: string; for: Scope }[] }>(URL)
  const change = useAction({
    run: ({ name, ...body }: { name: string; enabled: boolean; for: Scope }) =>
      request('PUT', `${URL}/${encodeURIComponent(name)}`, { body }),
    changes: [URL, TOOLS_KEY],
  })
  const set = (name: string, scope: Scope, enabled: boolean) =>
    change.mutate({ name, enabled, for: scope }, { onError: error => toast(error.message, 'bad') })
  // A switch moves at once, and back if the gateway refuses.
  const isPending = (name: string, scope: Scope) =>
    change.isPending && change.variables.name === name && change.variables.for === scope
  const switchOf = (scope: Scope, whom: string) => (row: Switched) => (
    <BareSwitch
      label={`${row.label} ${whom}`}
      checked={isPending(row.name, scope) ? change.variables?.enabled === true : !row.off.has(scope)}
      disabled={change.isPending}
      onChange={enabled => set(row.name, scope, enabled)}
    />
  )
  const columns: Column<Switched>[] = [
    { title: 'For you', cell: switchOf('self', 'for you') },
    ...(may.manage_connectors ? [{ title: 'For all', cell: switchOf('organization', 'for all members') }] : []),
  ]
  return {
    columns,
    /** The names of everything that is switched off. */
    names: (data?.off ?? []).map(off => off.capability),
    offOf: (name: string) => new Set(data?.off.filter(off => off.capability === name).map(off => off.for)),
    enable: (name: string, scope: Scope) => set(name, scope, true),
  }
}

interface WholeOffProps {
  name: string
  off: ReadonlySet<Scope>
  onEnable: (scope: Scope) => void
}

/** A connector or family that is switched off as a whole: only its name is left, and the way back. */
export function WholeOff({ name, off, onEnable }: WholeOffProps) {
  const { may } = useSession()
  const scopes = [...off].filter(scope => scope === 'self' || may.manage_connectors)
  return (
    <Notice kind="warn">
      {name} is switched off as a whole{off.has('organization') ? ' for your organization' : ' for you'}, so none of its
      tools can be called.{scopes.length === 0 && ' An admin can switch it on.'}
      {scopes.length > 0 && (
        <div className="notice-action row">
          {scopes.map(scope => (
            <Button key={scope} size="small" onClick={() => onEnable(scope)}>
              {scope === 'self' ? 'Switch on for you' : 'Switch on for all'}
            </Button>
          ))}
        </div>
      )}
    </Notice>
  )
}
