import type { Call } from '../../lib/calls.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout.tsx'
import { OutcomeBadge } from '../../ui/outcome.tsx'
import { Person } from '../../ui/person.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** The last calls, shortened. */
export function RecentCalls({ calls }: { calls: readonly Call[] }) {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  return (
    <Card>
      <header className="card-head">
        <h2 className="section-title">Last calls</h2>
        <ButtonLink href="/calls" kind="quiet" size="small">
          All calls
        </ButtonLink>
      </header>
      <Table
        label="Last calls"
        dense
        rows={calls.slice(0, 6)}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Tool', kind: 'main', cell: ({ tool }) => <span className="mono">{tool}</span> },
          {
            title: 'Who',
            cell: ({ user_id, agent_id }) => (
              <Person name={agent_id === null ? nameOf(user_id) : agentName(agent_id)} />
            ),
          },
          {
            title: 'Outcome',
            cell: ({ outcome }) => <OutcomeBadge code={outcome} />,
          },
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  )
}
