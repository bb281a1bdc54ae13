import { useRef } from 'react'
import { Link } from 'wouter'
import { capabilityOf, type Tool, useTools } from '../../lib/mcp.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Scope, useSwitches, WholeOff } from './switches.tsx'
import './tool-table.css'

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
        <p className="card-text muted">No tool can be called now. Reauthorize an account of this connector.</p>
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
