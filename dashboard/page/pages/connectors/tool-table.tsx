import { useRef } from 'react'
import { Link } from 'wouter'
import { request } from '../../lib/api.ts'
import { capabilityOf, TOOLS_KEY, type Tool, useTools } from '../../lib/mcp.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { BareSwitch } from '../../ui/choice.tsx'
import { Card } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import './connector.css'

interface Row {
  name: string
  label: string
  /** Absent for a tool that was switched off before the page opened: the gateway lists only its name. */
  tool: Tool | undefined
  off: Set<Scope>
}

interface ToolTableProps {
  capability: string
  name: string
  /** Which of its tools are shown. */
  matching?: (tool: Pick<Tool, 'name' | 'title' | 'description'>) => boolean
}

/** The tools of a connector or family with switches for the user and for the organization. */
export function ToolTable({ capability, name: label, matching = () => true }: ToolTableProps) {
  const tools = useTools()
  const switches = useSwitches()
  const seen = useRef(new Map<string, Tool>())
  for (const tool of tools.data ?? []) seen.current.set(tool.name, tool)
  const names = new Set([...(tools.data ?? []).map(({ name }) => name), ...switches.names])
  const rows = Array.from(names, (name): Row => {
    const tool = seen.current.get(name)
    return { name, label: tool?.title ?? name, tool, off: switches.offOf(name) }
  })
    .filter(({ name, tool }) => capabilityOf(name) === capability && name !== capability && matching(tool ?? { name }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const columns: Column<Row>[] = [
    { title: 'Tool', kind: 'main', cell: row => <ToolName row={row} /> },
    ...switches.columns,
  ]
  const whole = switches.offOf(capability)
  if (whole.size > 0)
    return <WholeOff name={label} off={whole} onEnable={scope => switches.enable(capability, scope)} />
  return (
    <Card>
      {tools.error && <ErrorPanel error={tools.error} onRetry={tools.refetch} />}
      {tools.data === undefined && !tools.error && <Skeleton lines={5} />}
      {tools.data !== undefined && rows.length === 0 && (
        <p className="card-text muted">No tools are available. Reauthorize an account of this connector.</p>
      )}
      {rows.length > 0 && (
        <Table label={`Tools of ${label}`} columns={columns} rows={rows} rowKey={({ name }) => name} />
      )}
    </Card>
  )
}

function ToolName({ row: { name, tool, off } }: { row: Row }) {
  return (
    <>
      <span className="tool-name">
        {tool === undefined ? (
          name
        ) : (
          <Link href={`/tools/${name}`} className="plain-link">
            {tool.title ?? name}
          </Link>
        )}
        {tool?.title !== undefined && <code className="tool-id">{name}</code>}
        {tool?.annotations?.readOnlyHint && <Badge>Reads</Badge>}
        {tool?.annotations?.destructiveHint && <Badge tone="warn">Changes or deletes</Badge>}
        <OffBadge off={off} />
      </span>
      {tool !== undefined && <span className="tool-about">{tool.description}</span>}
    </>
  )
}

/** Says for whom a tool is off. */
export function OffBadge({ off }: { off: ReadonlySet<Scope> }) {
  return off.size > 0 && <Badge>{off.has('organization') ? 'Off for all' : 'Off for you'}</Badge>
}

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
