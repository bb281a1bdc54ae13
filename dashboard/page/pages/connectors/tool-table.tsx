import { useRef } from 'react'
import { Link } from 'wouter'
import { request } from '../../lib/api.ts'
import { capabilityOf, TOOLS_KEY, type Tool, useTools } from '../../lib/mcp.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { BareSwitch } from '../../ui/toggle.tsx'
import './tool-table.css'

type Scope = 'organization' | 'self'

interface Row {
  name: string
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

const URL = '/api/capabilities'

/** The tools of a connector or family with switches for the user and for the organization. */
export function ToolTable({ capability, name: label, matching = () => true }: ToolTableProps) {
  const { may } = useSession()
  const tools = useTools()
  const { data: switches } = useGet<{ off: { capability: string; for: Scope }[] }>(URL)
  const change = useAction({
    run: ({ name, ...body }: { name: string; enabled: boolean; for: Scope }) =>
      request('PUT', `${URL}/${encodeURIComponent(name)}`, { body }),
    changes: [URL, TOOLS_KEY],
  })
  const offOf = (name: string) => new Set(switches?.off.filter(off => off.capability === name).map(off => off.for))
  const seen = useRef(new Map<string, Tool>())
  for (const tool of tools.data ?? []) seen.current.set(tool.name, tool)
  const names = new Set([
    ...(tools.data ?? []).map(({ name }) => name),
    ...(switches?.off ?? []).map(off => off.capability),
  ])
  const rows: Row[] = Array.from(names, name => ({ name, tool: seen.current.get(name), off: offOf(name) }))
    .filter(({ name, tool }) => capabilityOf(name) === capability && name !== capability && matching(tool ?? { name }))
    .sort((a, b) => a.name.localeCompare(b.name))
  // A switch moves at once, and back if the gateway refuses.
  const isPending = (name: string, scope: Scope) =>
    change.isPending && change.variables.name === name && change.variables.for === scope
  const switchOf = (scope: Scope, label: string) => (row: Row) => (
    <BareSwitch
      label={`${row.tool?.title ?? row.name} ${label}`}
      checked={isPending(row.name, scope) ? change.variables?.enabled === true : !row.off.has(scope)}
      disabled={change.isPending}
      onChange={enabled =>
        change.mutate({ name: row.name, enabled, for: scope }, { onError: error => toast(error.message, 'bad') })
      }
    />
  )
  const enable = (name: string, scope: Scope) =>
    change.mutate({ name, enabled: true, for: scope }, { onError: error => toast(error.message, 'bad') })
  const columns: Column<Row>[] = [
    { title: 'Tool', kind: 'main', cell: row => <ToolName row={row} /> },
    { title: 'For you', cell: switchOf('self', 'for you') },
    ...(may.manage_connectors ? [{ title: 'For all', cell: switchOf('organization', 'for all members') }] : []),
  ]
  const whole = offOf(capability)
  if (whole.size > 0) return <Whole name={label} off={whole} onEnable={scope => enable(capability, scope)} />
  return (
    <Card>
      {tools.error && <ErrorPanel error={tools.error} onRetry={tools.refetch} />}
      {tools.data === undefined && !tools.error && <Skeleton lines={5} />}
      {tools.data !== undefined && rows.length === 0 && (
        <p className="card-text muted">No tool can be called now. Reauthorize an account of this connector.</p>
      )}
      {rows.length > 0 && (
        <Table label={`Tools of ${label}`} columns={columns} rows={rows} rowKey={({ name }) => name} />
      )}
    </Card>
  )
}

/** A connector or family that is switched off as a whole: only its name is left, and the way back. */
function Whole({ name, off, onEnable }: { name: string; off: Set<Scope>; onEnable: (scope: Scope) => void }) {
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
        {off.size > 0 && <Badge>{off.has('organization') ? 'Off for all' : 'Off for you'}</Badge>}
      </span>
      {tool !== undefined && <span className="tool-about">{tool.description}</span>}
    </>
  )
}
