import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { AgentEntry } from '../../../../schemas/organizations/agent.ts'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { usePeople } from '../../lib/people.ts'
import { useAction, usePages } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, More, Person, Table } from '../../ui/table.tsx'
import { AGENTS_URL, AgentMenu, AgentStatus } from './agent.tsx'

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
      <PageHead action={rows !== undefined && rows.length > 0 && create}>
        Programs with their own identity. Each agent has its own keys and stops working when you suspend it.
      </PageHead>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={5} />}
        {rows?.length === 0 && (
          <Empty icon="bot" title="No agents yet" action={create}>
            Create an agent for each program that runs without you, such as a nightly report. The agent’s calls are
            listed under its name.
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

/** The form of a new agent. Afterwards its page opens, where it gets its key. */
function CreateAgent({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const create = useAction({
    run: (body: object, key) => request<AgentEntry>('POST', AGENTS_URL, { body, key }),
    changes: [AGENTS_URL],
    onDone: agent => navigate(`/agents/${agent.id}`),
  })
  function submit() {
    setTried(true)
    if (name.trim() !== '') create.mutate({ name: name.trim() })
  }
  return (
    <FormDialog onClose={onClose} title="Create an agent" submit="Create agent" action={create} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="Nightly report"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={tried && name.trim() === '' ? 'Enter a name: what does this agent do?' : undefined}
        hint="You will own the agent, and its keys will use your accounts."
      />
    </FormDialog>
  )
}
