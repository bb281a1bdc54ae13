import { useState } from 'react'
import { Link } from 'wouter'
import type { AgentEntry } from '../../../../schemas/agent.ts'
import { formatDate } from '../../lib/format.ts'
import { usePeople } from '../../lib/people.ts'
import { usePages } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { Person } from '../../ui/person.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AGENTS_URL, AgentStatus } from './agent.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { CreateAgent } from './create-agent.tsx'

/** The page of the agents. */
export default function Agents() {
  const { query, rows } = usePages<AgentEntry>(AGENTS_URL, 'agents')
  const { nameOf } = usePeople()
  const [creating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create agent
    </Button>
  )
  const columns: Column<AgentEntry>[] = [
    {
      title: 'Name',
      kind: 'main',
      cell: agent => (
        <span className="row">
          <Link href={`/agents/${agent.id}`} className="plain-link">
            {agent.name}
          </Link>
          <AgentStatus agent={agent} />
        </span>
      ),
    },
    { title: 'Owner', cell: ({ owner }) => <Person name={nameOf(owner)} /> },
    { title: 'Created', cell: ({ created_at }) => <span className="number">{formatDate(created_at)}</span> },
    { title: 'Actions', kind: 'actions', cell: agent => <AgentMenu agent={agent} /> },
  ]
  return (
    <>
      <PageHead title="Agents" action={rows !== undefined && rows.length > 0 && create}>
        Programs with an identity of their own. An agent has its own keys, and stops when you suspend it.
      </PageHead>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={5} />}
        {rows?.length === 0 && (
          <Empty icon="bot" title="No agents yet" action={create}>
            Create an agent for each program that runs without you, such as a nightly report. Its calls are listed under
            its own name.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table
            label="Agents"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            faded={({ status }) => status === 'retired'}
          />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
      {creating && <CreateAgent onClose={() => setCreating(false)} />}
    </>
  )
}
