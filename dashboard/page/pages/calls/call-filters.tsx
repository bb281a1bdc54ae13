import { useAccounts } from '../../lib/connectors.ts'
import { capabilityOf, useTools } from '../../lib/mcp.ts'
import { shortId, useAgents, usePeople } from '../../lib/people.ts'
import { useSession } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'

/** The parameters of the page and of the list of calls. */
export const CALL_FILTERS = ['user_id', 'agent_id', 'connector', 'tool', 'api_key_id', 'account_id', 'outcome'] as const
type CallFilter = (typeof CALL_FILTERS)[number]

/** Sets some filters; null removes one. */
export type ChangeFilters = (changes: Partial<Record<CallFilter, string | null>>) => void

const ALL = ''
const OUTCOMES = [
  { value: ALL, label: 'Any outcome' },
  { value: 'ok', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
]

interface CallFiltersProps {
  values: Partial<Record<CallFilter, string>>
  change: ChangeFilters
}

/** The choices above the list of calls. */
export function CallFilters({ values, change }: CallFiltersProps) {
  const { connector = ALL, outcome = ALL } = values
  const families = useFamilies()
  const known = OUTCOMES.some(({ value }) => value === outcome)
  return (
    <div className="toolbar">
      <WhoSelect values={values} change={change} />
      <Select
        label="Connector"
        value={connector}
        options={[{ value: ALL, label: 'All tools' }, ...families(connector)]}
        onChange={value => change({ connector: value, tool: null })}
      />
      <Select
        label="Outcome"
        value={outcome}
        options={known ? OUTCOMES : [...OUTCOMES, { value: outcome, label: outcome }]}
        onChange={value => change({ outcome: value })}
      />
      <Chips values={values} change={change} />
    </div>
  )
}

/** The connectors and families with tools that the user sees, and the chosen one. */
function useFamilies() {
  const { data: tools } = useTools()
  const { query } = useAccounts()
  const names = new Map(query.data?.connectors.map(({ id, name }) => [id, name]))
  return (chosen: string) =>
    [...new Set([...(tools?.map(({ name }) => capabilityOf(name)) ?? []), ...(chosen === ALL ? [] : [chosen])])].map(
      value => ({ value, label: names.get(value.replace(/^org__/, '')) ?? value }),
    )
}

function WhoSelect({ values: { user_id, agent_id }, change }: CallFiltersProps) {
  const { user, role } = useSession()
  const { members, nameOf } = usePeople()
  const { agents } = useAgents()
  if (role === 'member' && agents.length === 0) return null
  const people = role === 'member' ? [] : members
  return (
    <Select
      label="Who"
      value={agent_id ?? user_id ?? ALL}
      options={[
        { value: ALL, label: role === 'member' ? 'You and your agents' : 'Everyone' },
        ...people
          .toSorted((a, b) => Number(b.user_id === user.id) - Number(a.user_id === user.id))
          .map(({ user_id: id }) => ({ value: id, label: nameOf(id) })),
        ...agents.map(({ id, name }) => ({ value: id, label: name, hint: 'Agent' })),
      ]}
      onChange={value =>
        change(value.startsWith('agt_') ? { agent_id: value, user_id: null } : { user_id: value, agent_id: null })
      }
    />
  )
}

/** The filters that a link or a row set, each with a button that removes it. */
function Chips({ values: { tool, api_key_id, account_id }, change }: CallFiltersProps) {
  const { accountName } = useAccounts()
  const chips = [
    { name: 'tool', text: tool },
    { name: 'api_key_id', text: api_key_id && `Key ${shortId(api_key_id)}` },
    { name: 'account_id', text: account_id && `Account ${accountName(account_id)}` },
  ] as const
  return chips.map(
    ({ name, text }) =>
      text !== undefined && (
        <button key={name} type="button" className="chip" onClick={() => change({ [name]: null })}>
          <span className="truncate">{text}</span>
          <Icon name="x" size={14} />
          <span className="hidden">Remove this filter</span>
        </button>
      ),
  )
}
