import { useState } from 'react'
import { useParams } from 'wouter'
import type { AgentEntry } from '../../../../schemas/organizations/agent.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { KEYS_URL, type Key } from '../../lib/keys.ts'
import { usePeople } from '../../lib/people.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { BackLink, Card, Facts, PageHead, Section } from '../../ui/layout.tsx'
import { Empty, ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { More, Table } from '../../ui/table.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { KeyTable } from '../keys/key-table.tsx'
import { AgentMenu, AgentStatus, agentUrl } from './agent.tsx'

/** The page of one agent: its keys and sign-ins. */
export default function AgentPage() {
  const { id = '' } = useParams()
  const { data: agent, error, refetch } = useGet<AgentEntry>(agentUrl(id))
  const { nameOf } = usePeople()
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (agent === undefined)
    return (
      <Card>
        <Skeleton />
      </Card>
    )
  return (
    <div className="stack">
      <div>
        <BackLink href="/agents">Agents</BackLink>
        <PageHead title={agent.name} action={<AgentMenu agent={agent} />} />
        <Facts
          facts={[
            ['Status', agent.status === 'active' ? 'Active' : <AgentStatus key="status" agent={agent} />],
            ['Owner', nameOf(agent.owner)],
            ['Created', formatDate(agent.created_at)],
          ]}
        />
      </div>
      {agent.orphaned && (
        <Notice kind="warn">
          The owner of this agent left the organization. The agent works again once an admin gives it to another member.
        </Notice>
      )}
      <AgentKeys agent={agent} />
      {agent.sign_ins.length > 0 && <SignIns agent={agent} />}
    </div>
  )
}

function AgentKeys({ agent }: { agent: AgentEntry }) {
  const { query, rows } = usePages<Key>(`${KEYS_URL}?agent_id=${encodeURIComponent(agent.id)}`, 'api_keys')
  const [creating, setCreating] = useState(false)
  const create = agent.status === 'active' && (
    <Button size="small" icon="plus" onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <section className="stack">
      <header className="section-head">
        <h2 className="section-title">Keys</h2>
        {rows !== undefined && rows.length > 0 && create}
      </header>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={3} />}
        {rows?.length === 0 && (
          <Empty icon="key-round" title="No keys yet" action={create}>
            An agent signs in with its own key.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && <KeyTable keys={rows} holders={false} />}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
      {creating && <CreateKey agentId={agent.id} onClose={() => setCreating(false)} />}
    </section>
  )
}

function SignIns({ agent }: { agent: AgentEntry }) {
  return (
    <Section title="Sign-ins" text="Tokens with these issuers and subjects act as the agent.">
      <Table
        label="Sign-ins"
        rows={agent.sign_ins}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Issuer', kind: 'main', cell: ({ issuer }) => issuer },
          { title: 'Subject', cell: ({ subject }) => <code>{subject}</code> },
          { title: 'Linked', cell: ({ created_at }) => formatDateTime(created_at) },
        ]}
      />
    </Section>
  )
}
