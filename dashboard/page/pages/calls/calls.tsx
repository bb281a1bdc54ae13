import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { CALLS_URL, type Call, useClientName } from '../../lib/calls.ts'
import { useAccounts } from '../../lib/connectors.ts'
import { formatDateTime, formatDuration, formatMoney } from '../../lib/format.ts'
import { KEYS_URL, type Key } from '../../lib/keys.ts'
import { outcomeOf, remedyIn, toolPath, useRemedy } from '../../lib/outcomes.ts'
import { shortId, useAgents, usePeople } from '../../lib/people.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { OutcomeBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, Facts, PageHead } from '../../ui/layout.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, More, Person, Table } from '../../ui/table.tsx'
import { ClockTime } from '../../ui/time.tsx'
import { Explanation } from '../tools/explanation.tsx'
import { ActivityTabs, useFilters, withFilters } from './activity.tsx'
import { CALL_FILTERS, CallFilters, type ChangeFilters } from './call-filters.tsx'
import './calls.css'

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
        action={rows !== undefined && <Live live={atTop && query.data?.pages.length === 1 && !query.isError} />}
      >
        {role === 'member' ? 'Tool calls by you, your keys and your agents.' : 'All tool calls in your organization.'}
      </PageHead>
      <ActivityTabs />
      <CallFilters {...filters} />
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={8} />}
        {rows?.length === 0 && filtered && (
          <Empty icon="activity" title="No matching calls in the last 30 days">
            Change the filters above.
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

/** All about one call. For a failed one: what happened, and the page that fixes it. */
function CallDetail({ call, onFilter }: { call: Call; onFilter: ChangeFilters }) {
  const { user } = useSession()
  const { accounts } = useAccounts()
  const known = useRemedy()(call)
  const remedy = known ?? remedyIn(call.message ?? '')
  const [asked, ask] = useState(false)
  const failed = call.outcome !== 'ok'
  const own = call.user_id === user.id
  const alias = accounts?.find(({ id }) => id === call.account_id)?.alias
  const { meaning } = outcomeOf(call.outcome)
  return (
    <div className="stack call-detail">
      {failed && <Why call={call} meaning={meaning} />}
      <div className="row">
        {remedy !== undefined && (
          <ButtonLink size="small" kind="primary" href={remedy.href}>
            {remedy.label}
          </ButtonLink>
        )}
        {own && (
          <ButtonLink size="small" icon="play" href={toolPath(call.tool, alias)}>
            {failed ? 'Run it again' : 'Call the tool again'}
          </ButtonLink>
        )}
        {failed && own && !asked && (
          <Button size="small" icon="circle-help" onClick={() => ask(true)}>
            Can I call this tool now?
          </Button>
        )}
      </div>
      {asked && <Explanation tool={call.tool} account={alias} />}
      <CallFacts call={call} />
      <div className="row call-filters">
        <Button size="small" kind="quiet" onClick={() => onFilter({ tool: call.tool, connector: null })}>
          Only this tool
        </Button>
        {call.api_key_id !== null && (
          <Button size="small" kind="quiet" onClick={() => onFilter({ api_key_id: call.api_key_id })}>
            Only this key
          </Button>
        )}
        {call.account_id !== null && (
          <Button size="small" kind="quiet" onClick={() => onFilter({ account_id: call.account_id })}>
            Only this account
          </Button>
        )}
      </div>
    </div>
  )
}

/** What the call said, and what its code means. Admins do not see what other members' calls said. */
function Why({ call: { message }, meaning }: { call: Call; meaning: string }) {
  return (
    <div className="call-why">
      {message !== null && <p className="call-message">{message}</p>}
      {meaning !== '' && <p className={message === null ? 'call-meaning' : 'muted small'}>{meaning}</p>}
    </div>
  )
}

function CallFacts({ call }: { call: Call }) {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const { accounts, accountName } = useAccounts()
  const clientName = useClientName()
  const { data } = useGet<{ api_keys: Key[] }>(`${KEYS_URL}?limit=200`, { enabled: call.api_key_id !== null })
  const account = accounts?.find(({ id }) => id === call.account_id)
  const key = data?.api_keys.find(({ id }) => id === call.api_key_id)
  const facts: [string, ReactNode][] = [
    ['Time', formatDateTime(call.at)],
    ['Member', nameOf(call.user_id)],
  ]
  if (call.agent_id !== null) facts.push(['Agent', agentName(call.agent_id)])
  facts.push(['Signed in with', call.api_key_id === null ? 'Browser sign-in' : (key?.name ?? shortId(call.api_key_id))])
  if (call.client !== null) facts.push(['Client', clientName(call.client)])
  if (call.account_id !== null)
    facts.push([
      'Account',
      account === undefined ? accountName(call.account_id) : `${account.alias} (${account.identity})`,
    ])
  if (call.mended)
    facts.push(['Arguments', 'Corrected: the client sent some arguments in the wrong form, such as "5" instead of 5.'])
  if (call.outcome !== 'ok') facts.push(['Code', <code key="code">{call.outcome}</code>])
  facts.push(['Call', <code key="call">{call.id}</code>])
  return <Facts facts={facts} />
}

/** Whether the page is scrolled to its top, so that new rows push nothing away that the user reads. */
function useAtTop(): boolean {
  const [atTop, setAtTop] = useState(true)
  useEffect(() => {
    const read = () => setAtTop(window.scrollY < 120)
    read()
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return atTop
}
