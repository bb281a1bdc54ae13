import { Link, useSearchParams } from 'wouter'
import { CALLS_URL, type Call, remedyOf } from '../../lib/calls.ts'
import { useAccounts } from '../../lib/connectors.ts'
import { formatDuration, formatMoney } from '../../lib/format.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { Person } from '../../ui/person.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const OUTCOMES = [
  { value: 'all', label: 'All calls' },
  { value: 'ok', label: 'Succeeded' },
  { value: 'error', label: 'Failed' },
] as const

/** The page of the calls, newest first. It refreshes itself while only the first page is shown. */
export default function Calls() {
  const { role } = useSession()
  const [search, setSearch] = useSearchParams()
  const tool = search.get('tool')
  const outcome = OUTCOMES.find(({ value }) => value === search.get('outcome'))?.value ?? 'all'
  const filter = new URLSearchParams({ ...(tool && { tool }), ...(outcome !== 'all' && { outcome }) })
  const url = filter.size > 0 ? `${CALLS_URL}?${filter}` : CALLS_URL
  const { query, rows } = usePages<Call>(url, 'calls', { live: true })
  const filtered = filter.size > 0
  const columns = useColumns()
  return (
    <>
      <PageHead
        title="Calls"
        action={
          <>
            {tool && (
              <Button icon="x" onClick={() => setSearch(previous => without(previous, 'tool'))}>
                {tool}
              </Button>
            )}
            <div className="toolbar-select">
              <Select
                label="Which calls"
                value={outcome}
                options={OUTCOMES}
                onChange={value =>
                  setSearch(previous => new URLSearchParams({ ...Object.fromEntries(previous), outcome: value }), {
                    replace: true,
                  })
                }
              />
            </div>
          </>
        }
      >
        {role === 'member'
          ? 'Each call of a tool by you, your keys and your agents.'
          : 'Each call of a tool in your organization.'}{' '}
        New calls appear by themselves.
      </PageHead>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={8} />}
        {rows?.length === 0 && filtered && (
          <Empty icon="activity" title="No such call">
            Choose other calls above.
          </Empty>
        )}
        {rows?.length === 0 && !filtered && (
          <Empty icon="activity" title="No calls yet" action={<ButtonLink href="/">Connect a client</ButtonLink>}>
            When a client or an agent calls a tool, the call is listed here with its outcome, its time and its cost.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table label="Calls" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
    </>
  )
}

function without(search: URLSearchParams, name: string): URLSearchParams {
  const next = new URLSearchParams(search)
  next.delete(name)
  return next
}

function useColumns(): Column<Call>[] {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const { accountName } = useAccounts()
  return [
    {
      title: 'Tool',
      kind: 'main',
      cell: ({ tool, outcome, account_id }) => (
        <>
          <span className="mono">{tool}</span>
          <RemedyOf code={outcome} accountId={account_id} />
        </>
      ),
    },
    {
      title: 'Who',
      cell: ({ user_id, agent_id }) => <Person name={agent_id === null ? nameOf(user_id) : agentName(agent_id)} />,
    },
    { title: 'Account', cell: ({ account_id }) => account_id !== null && <Person name={accountName(account_id)} /> },
    {
      title: 'Outcome',
      cell: ({ outcome }) => (
        <Badge tone={outcome === 'ok' ? 'good' : 'bad'}>{outcome === 'ok' ? 'OK' : outcome}</Badge>
      ),
    },
    { title: 'When', cell: ({ at }) => <Time at={at} /> },
    { title: 'Took', kind: 'number', cell: ({ duration_ms }) => formatDuration(duration_ms) },
    { title: 'Cost', kind: 'number', cell: ({ cost_micros }) => cost_micros !== 0 && formatMoney(cost_micros) },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ tool, outcome }) =>
        outcome !== 'ok' && (
          <ButtonLink href={`/tools/${tool}`} kind="quiet" size="small">
            Try it
          </ButtonLink>
        ),
    },
  ]
}

function RemedyOf({ code, accountId }: { code: string; accountId: string | null }) {
  const remedy = remedyOf(code, accountId)
  if (remedy === undefined) return null
  return (
    <span className="cell-under">
      {remedy.text} {remedy.href !== undefined && <Link href={remedy.href}>{remedy.label}</Link>}
    </span>
  )
}
