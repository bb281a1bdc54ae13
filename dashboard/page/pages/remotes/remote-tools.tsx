import { useState } from 'react'
import { Link } from 'wouter'
import type { OverrideRecord } from '../../../../schemas/remotes/overrides.ts'
import type { RemoteConnectorRead, RemoteToolRecord } from '../../../../schemas/remotes/remote.ts'
import { request } from '../../lib/api.ts'
import { useTools } from '../../lib/mcp.ts'
import { usePeople, withinSentence } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { CLASSES, claimedClass, REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Card, Facts } from '../../ui/layout.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { OffBadge, type Scope, useSwitches, WholeOff } from '../connectors/tool-table.tsx'
import { LostOverrides, OverrideTool, ResetTool } from './override-tool.tsx'
import '../connectors/connector.css'
import './remotes.css'

interface Row {
  name: string
  label: string
  tool: RemoteToolRecord
  /** What an admin has set for it. Only admins learn it. */
  override: OverrideRecord | undefined
  off: Set<Scope>
}

/** The pinned tools of a registered server: what they do, who may call them, and for admins what clients see of them. */
export function RemoteTools({ entry }: { entry: RemoteConnectorRead }) {
  const { may } = useSession()
  const switches = useSwitches()
  const [change, setChange] = useState<{ kind: 'override' | 'reset'; row: Row }>()
  const close = () => setChange(undefined)
  const capability = `org__${entry.id}`
  const whole = switches.offOf(capability)
  const { tools, tool_count, overrides = [] } = entry.remote
  const rows = tools
    .filter(({ hidden }) => may.manage_connectors || !hidden)
    .map((tool): Row => {
      const override = overrides.find(({ original_name }) => original_name === tool.original_name)
      const label = override?.title ?? tool.title ?? tool.original_name
      return { name: tool.name, label, tool, override, off: switches.offOf(tool.name) }
    })
  const columns: Column<Row>[] = [
    { title: 'Tool', kind: 'main', cell: row => <ToolCell row={row} /> },
    { title: 'Effect', cell: ({ tool }) => <Effect tool={tool} /> },
    ...switches.columns,
  ]
  if (may.manage_connectors)
    columns.push({
      title: 'Actions',
      kind: 'actions',
      cell: row => (
        <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${row.label}`} />}>
          <MenuItem icon="pencil" onClick={() => setChange({ kind: 'override', row })}>
            Change for clients
          </MenuItem>
          {row.override !== undefined && (
            <MenuItem icon="rotate-cw" onClick={() => setChange({ kind: 'reset', row })}>
              Reset to the server’s values
            </MenuItem>
          )}
        </Menu>
      ),
    })
  return (
    <section className="stack">
      <header className="section-head">
        <div>
          <h2 className="section-title">Tools</h2>
          {tools.length > 0 && (
            <p className="muted small">
              These descriptions come from the server. The gateway pins them, but has not verified them.
            </p>
          )}
        </div>
        {may.manage_connectors && tools.length > 0 && <ConfirmHints entry={entry} />}
      </header>
      {whole.size > 0 ? (
        <WholeOff name={entry.name} off={whole} onEnable={scope => switches.enable(capability, scope)} />
      ) : (
        <Card>
          {rows.length === 0 ? (
            <p className="card-text muted">
              {tool_count === null
                ? 'The gateway has not read the server’s tools yet.'
                : 'The server publishes no tool that clients can use.'}
            </p>
          ) : (
            <Table
              label={`Tools of ${entry.name}`}
              columns={columns}
              rows={rows}
              rowKey={({ name }) => name}
              faded={({ tool }) => tool.hidden === true}
              detail={row => <ToolDetail row={row} />}
            />
          )}
        </Card>
      )}
      {may.manage_connectors && <LostOverrides entry={entry} />}
      {change?.kind === 'override' && <OverrideTool entry={entry} {...change.row} onClose={close} />}
      {change?.kind === 'reset' && <ResetTool entry={entry} {...change.row} onClose={close} />}
    </section>
  )
}

function ToolCell({ row: { tool, label, off, override } }: { row: Row }) {
  const description = override?.description ?? tool.description
  return (
    <>
      <span className="tool-name">
        {label}
        {tool.hidden && <Badge>Hidden</Badge>}
        {override?.state === 'changed' && <Badge tone="warn">Changed at the server</Badge>}
        <OffBadge off={off} />
      </span>
      {description !== undefined && <span className="tool-about">{description}</span>}
    </>
  )
}

/** What a tool does: set or confirmed by an admin, or else only what the server says. */
function Effect({ tool }: { tool: RemoteToolRecord }) {
  const claimed = claimedClass(tool)
  if (tool.class !== undefined)
    return (
      <Badge tone={({ read: 'good', write: 'plain', destructive: 'warn' } as const)[tool.class]}>
        {CLASSES[tool.class]}
      </Badge>
    )
  if (claimed === undefined) return <span className="muted">Not stated</span>
  return (
    <span className="effect">
      <span className="muted">Server says:</span>
      <Badge tone={claimed === 'destructive' ? 'warn' : 'plain'}>{CLASSES[claimed]}</Badge>
    </span>
  )
}

function SchemaText({ label, schema }: { label: string; schema: object }) {
  return (
    <details className="remote-schema">
      <summary>{label}</summary>
      <pre>{JSON.stringify(schema, null, 2)}</pre>
    </details>
  )
}

function ToolDetail({ row: { tool, override } }: { row: Row }) {
  const { data: callable } = useTools()
  const { name, original_name, description, input_schema, corrections = [] } = tool
  const { properties = {}, required = [] } = input_schema as { properties?: object; required?: string[] }
  const names = Object.keys(properties)
  const listed = names.map(each => (required.includes(each) ? `${each} (required)` : each)).join(', ')
  return (
    <div className="remote-tool">
      {override?.state === 'changed' && (
        <Notice kind="warn">
          The server changed this tool after an admin customized it. Check the admin’s settings, then save them again.
        </Notice>
      )}
      {description === undefined && override?.description === undefined && (
        <p className="muted">The server does not describe this tool.</p>
      )}
      {override?.description !== undefined && (
        <div className="field">
          <span className="field-label">The server’s own description</span>
          <p className="remote-text">{description ?? 'None'}</p>
        </div>
      )}
      <Facts
        facts={[
          ['Name for clients', <code key="name">{name}</code>],
          ['Name at the server', <code key="original">{original_name}</code>],
          ...(override?.title === undefined ? [] : [['Title at the server', tool.title ?? 'None'] as const]),
          ['Arguments', listed || 'None'],
          ...corrections.map(correction => ['Corrected', correction] as const),
          ...(override?.fixed === undefined
            ? []
            : [['Fixed arguments', <code key="fixed">{JSON.stringify(override.fixed)}</code>] as const]),
        ]}
      />
      <SchemaText label="Input schema of the server, which calls are validated against" schema={input_schema} />
      {tool.listed_input_schema !== undefined && (
        <SchemaText
          label="Input schema for clients, in a form that all model providers accept"
          schema={tool.listed_input_schema}
        />
      )}
      {callable?.some(each => each.name === name) && (
        <div>
          <Link href={`/tools/${encodeURIComponent(name)}`}>Try it</Link>
        </div>
      )}
    </div>
  )
}

/** Whether an admin has confirmed what the server says that its tools do, and to confirm it. */
function ConfirmHints({ entry }: { entry: RemoteConnectorRead }) {
  const { nameOf } = usePeople()
  const [open, setOpen] = useState(false)
  const { confirmed } = entry.remote
  if (confirmed !== undefined)
    return (
      <span className="muted small">
        Effects confirmed by {withinSentence(nameOf(confirmed.confirmed_by_user_id))}{' '}
        <Time at={confirmed.confirmed_at} />
      </span>
    )
  return (
    <>
      <Button size="small" icon="shield-check" onClick={() => setOpen(true)}>
        Confirm the effects
      </Button>
      {open && <Confirm entry={entry} onClose={() => setOpen(false)} />}
    </>
  )
}

function Confirm({ entry, onClose }: { entry: RemoteConnectorRead; onClose: () => void }) {
  const { tools, full_schema_hash: hash } = entry.remote
  const confirm = useAction({
    run: () => request('POST', `${remoteUrl(entry.id)}/confirm`, { body: { hash } }),
    changes: REMOTE_CHANGES,
    onDone() {
      toast('The effects are confirmed.')
      onClose()
    },
  })
  // Without a hint, MCP takes the worst for granted.
  const counts = (['read', 'write', 'destructive'] as const).map(
    kind => [kind, tools.filter(tool => (claimedClass(tool) ?? 'destructive') === kind).length] as const,
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Confirm what the tools do?"
      submit="Confirm"
      action={confirm}
      onSubmit={() => confirm.mutate()}
    >
      <p>Confirm that you reviewed these tools. Policies will trust the server’s description of them:</p>
      <ul className="bullets">
        {counts
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => (
            <li key={kind}>
              {CLASSES[kind]}: {count === 1 ? 'one tool' : `${count} tools`}
              {kind === 'destructive' && ', with those that say nothing'}
            </li>
          ))}
      </ul>
      <p className="muted">
        Your confirmation expires when the tools change. To correct one tool, override its effect.
      </p>
    </FormDialog>
  )
}
