import { Link } from 'wouter'
import type { ConnectorEntry } from '../../../../schemas/connector-index.ts'
import { request } from '../../lib/api.ts'
import { isRemote } from '../../lib/connectors.ts'
import { capabilityOf, TOOLS_KEY, type Tool, useTools } from '../../lib/mcp.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { BareSwitch } from '../../ui/toggle.tsx'

type Scope = 'organization' | 'self'

interface Row {
  name: string
  /** Absent for a tool that is switched off: the gateway lists only its name. */
  tool: Tool | undefined
  off: Set<Scope>
}

const URL = '/api/capabilities'

/** The tools of a connector, each with switches for the user and for the organization. */
export function ConnectorTools({ entry }: { entry: ConnectorEntry }) {
  const { may } = useSession()
  const capability = isRemote(entry) ? `org__${entry.id}` : entry.id
  const tools = useTools()
  const { data: switches } = useGet<{ off: { capability: string; for: Scope }[] }>(URL)
  const change = useAction({
    run: ({ name, ...body }: { name: string; enabled: boolean; for: Scope }) =>
      request('PUT', `${URL}/${encodeURIComponent(name)}`, { body }),
    changes: [URL, TOOLS_KEY],
  })
  const connected = isRemote(entry) || entry.accounts.length > 0
  if (!connected) return null
  const offOf = (name: string) => new Set(switches?.off.filter(off => off.capability === name).map(off => off.for))
  const listed = tools.data?.filter(({ name }) => capabilityOf(name) === capability) ?? []
  const hidden = new Set(switches?.off.map(off => off.capability).filter(name => name.startsWith(`${capability}__`)))
  for (const { name } of listed) hidden.delete(name)
  const rows: Row[] = [
    ...listed.map(tool => ({ name: tool.name, tool, off: offOf(tool.name) })),
    ...Array.from(hidden, name => ({ name, tool: undefined, off: offOf(name) })),
  ]
  const switchOf = (scope: Scope, label: string) => (row: Row) => (
    <BareSwitch
      label={`${row.tool?.title ?? row.name} ${label}`}
      checked={!row.off.has(scope)}
      disabled={change.isPending}
      onChange={enabled =>
        change.mutate({ name: row.name, enabled, for: scope }, { onError: error => toast(error.message, 'bad') })
      }
    />
  )
  const columns: Column<Row>[] = [
    { title: 'Tool', kind: 'main', cell: row => <ToolName row={row} /> },
    { title: 'For you', cell: switchOf('self', 'for you') },
    ...(may.manage_connectors ? [{ title: 'For all', cell: switchOf('organization', 'for all members') }] : []),
  ]
  return (
    <section className="stack">
      <h2 className="section-title">Tools</h2>
      {offOf(capability).size > 0 && (
        <Notice kind="warn">{entry.name} is switched off as a whole, so none of its tools can be called.</Notice>
      )}
      <Card>
        {tools.error && <ErrorPanel error={tools.error} onRetry={tools.refetch} />}
        {tools.data === undefined && !tools.error && <Skeleton lines={5} />}
        {tools.data !== undefined && rows.length === 0 && (
          <p className="card-text muted">No tool can be called now. Reauthorize an account of this connector.</p>
        )}
        {rows.length > 0 && <Table label="Tools" columns={columns} rows={rows} rowKey={({ name }) => name} />}
      </Card>
    </section>
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
        {tool?.annotations?.readOnlyHint && <Badge>Reads</Badge>}
        {tool?.annotations?.destructiveHint && <Badge tone="warn">Changes or deletes</Badge>}
        {off.size > 0 && <Badge>{off.has('organization') ? 'Off for all' : 'Off for you'}</Badge>}
      </span>
      {tool !== undefined && <span className="tool-about">{tool.description}</span>}
    </>
  )
}
