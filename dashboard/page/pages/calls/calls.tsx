import { useQueryClient } from '@tanstack/react-query'
import { useAtTop } from '../../lib/at-top.ts'
import { CALLS_URL, type Call } from '../../lib/calls.ts'
import { useClientName } from '../../lib/client-name.ts'
import { useAccounts } from '../../lib/connectors.ts'
import { useFilters, withFilters } from '../../lib/filters.ts'
import { formatDuration, formatMoney } from '../../lib/format.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { OutcomeBadge } from '../../ui/outcome.tsx'
import { Person } from '../../ui/person.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ClockTime } from '../../ui/time.tsx'
import { CallDetail } from './call-detail.tsx'
import { CALL_FILTERS, CallFilters } from './call-filters.tsx'
import './calls.css'
import { ActivityTabs } from './activity-tabs.tsx'

/** The page of the calls, newest first. New ones appear while the user is at its top. */
export default function Calls() {
  const { role } = useSession()
  const filters = useFilters(CALL_FILTERS)
  const atTop = useAtTop()
  const { query, rows } = usePages<Call>(withFilters(CALLS_URL, filters.values), 'calls', { live: atTop })
  const columns = useColumns()
  const filtered = Object.keys(filters.values).length > 0
  return (
    <>
      <PageHead
        title="Calls"
        action={rows !== undefined && <Live live={atTop && query.data?.pages.length === 1 && !query.isError} />}
      >
        {role === 'member'
          ? 'Each call of a tool by you, your keys and your agents.'
          : 'Each call of a tool in your organization.'}
      </PageHead>
      <ActivityTabs />
      <CallFilters {...filters} />
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={8} />}
        {rows?.length === 0 && filtered && (
          <Empty icon="activity" title="No such call in the last 30 days">
            Choose other calls above.
          </Empty>
        )}
        {rows?.length === 0 && !filtered && (
          <Empty
            icon="activity"
            title="No calls yet"
            action={<ButtonLink href="/clients">Connect a client</ButtonLink>}
          >
            When a client or an agent calls a tool, the call is listed here with its outcome, its time and its cost.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table
            label="Calls"
            dense
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            detail={call => <CallDetail call={call} onFilter={filters.change} />}
          />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
    </>
  )
}

/** Whether new calls appear by themselves, and the way back to that. */
function Live({ live }: { live: boolean }) {
  const client = useQueryClient()
  if (live)
    return (
      <span className="live">
        <span className="live-dot" /> Live
      </span>
    )
  return (
    <Button
      kind="quiet"
      size="small"
      icon="rotate-cw"
      onClick={() => {
        window.scrollTo(0, 0)
        void client.resetQueries({ predicate: ({ queryKey: [url] }) => String(url).startsWith(CALLS_URL) })
      }}
    >
      Show new calls
    </Button>
  )
}

function useColumns(): Column<Call>[] {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const { accountName } = useAccounts()
  const clientName = useClientName()
  return [
    { title: 'Tool', kind: 'main', cell: ({ tool }) => <span className="mono">{tool}</span> },
    { title: 'Outcome', cell: ({ outcome }) => <OutcomeBadge code={outcome} /> },
    {
      title: 'Who',
      cell: ({ user_id, agent_id }) => <Person name={agent_id === null ? nameOf(user_id) : agentName(agent_id)} />,
    },
    { title: 'Client', extra: true, cell: ({ client }) => client !== null && <Person name={clientName(client)} /> },
    {
      title: 'Account',
      extra: true,
      cell: ({ account_id }) => account_id !== null && <Person name={accountName(account_id)} />,
    },
    { title: 'Took', kind: 'number', cell: ({ duration_ms }) => formatDuration(duration_ms) },
    { title: 'Cost', kind: 'number', cell: ({ cost_micros }) => cost_micros !== 0 && formatMoney(cost_micros) },
    { title: 'Time', kind: 'number', cell: ({ at }) => <ClockTime at={at} /> },
  ]
}
