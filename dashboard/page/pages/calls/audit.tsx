import { useAccounts } from '../../lib/connectors.ts'
import { formatDateTime, formatMoney } from '../../lib/format.ts'
import { KEYS_URL, type Key } from '../../lib/keys.ts'
import { shortId, useAgents, usePeople } from '../../lib/people.ts'
import { useGet, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Card, Facts, PageHead } from '../../ui/layout.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, More, Person, Table } from '../../ui/table.tsx'
import { ClockTime } from '../../ui/time.tsx'
import { ActivityTabs, useFilters, withFilters } from './activity.tsx'
import './calls.css'

const URL = '/api/audit'
const ALL = ''

/** The page of the changes: who changed what, newest first. */
export default function Audit() {
  const { role, user } = useSession()
  const { values, change } = useFilters(['user_id', 'action', 'target'])
  const { query, rows } = usePages<Change>(withFilters(URL, values), 'changes')
  const { members, nameOf } = usePeople()
  const targetOf = useTargets()
  const whoOf = (id: string | null) => (id === null ? 'The gateway or its operator' : nameOf(id))
  const columns: Column<Change>[] = [
    { title: 'Change', kind: 'main', cell: row => describeChange(row) },
    { title: 'What', cell: ({ target }) => <Person name={targetOf(target)} /> },
    { title: 'Who', cell: ({ user_id }) => <Person name={whoOf(user_id)} /> },
    { title: 'Time', kind: 'number', cell: ({ at }) => <ClockTime at={at} /> },
  ]
  return (
    <>
      <PageHead>
        {role === 'member'
          ? 'Your changes in this organization.'
          : 'Who changed what in the organization: accounts, keys, agents, members and billing.'}
      </PageHead>
      <ActivityTabs />
      <div className="toolbar">
        {role !== 'member' && (
          <Select
            label="Who"
            value={values.user_id ?? ALL}
            options={[
              { value: ALL, label: 'Everyone' },
              ...members
                .toSorted((a, b) => Number(b.user_id === user.id) - Number(a.user_id === user.id))
                .map(({ user_id }) => ({ value: user_id, label: nameOf(user_id) })),
            ]}
            onChange={value => change({ user_id: value })}
          />
        )}
        <Select
          label="Kind"
          value={values.action ?? ALL}
          options={[{ value: ALL, label: 'All changes' }, ...KINDS]}
          onChange={value => change({ action: value })}
        />
      </div>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={8} />}
        {rows?.length === 0 && (
          <Empty icon="list" title={Object.keys(values).length > 0 ? 'No matching changes' : 'No changes yet'}>
            {Object.keys(values).length > 0
              ? 'Change the filters above.'
              : 'Changes to accounts, keys, agents, members and the plan are listed here.'}
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table
            label="Changes"
            dense
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            detail={row => (
              <Facts
                facts={[
                  ['Time', formatDateTime(row.at)],
                  ['Action', <code key="action">{row.action}</code>],
                  ['Target', <code key="target">{row.target}</code>],
                  ...detailsOf(row),
                ]}
              />
            )}
          />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
    </>
  )
}

/** A change in the audit log. */
interface Change {
  id: string
  at: string
  /** Null for the operator and for jobs. */
  user_id: string | null
  action: string
  target: string
  detail: unknown
}

/** The kinds of changes to choose from: the first word of an action. */
const KINDS = [
  { value: 'account', label: 'Accounts' },
  { value: 'key', label: 'API keys' },
  { value: 'agent', label: 'Agents' },
  { value: 'capability', label: 'Tools on and off' },
  { value: 'oauth_client', label: 'OAuth apps' },
  { value: 'remote', label: 'Servers' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'plan', label: 'Plan' },
  { value: 'payment', label: 'Payments' },
  { value: 'wallet', label: 'Balance' },
  { value: 'user', label: 'Sign-ins' },
]

const WORDS: Readonly<Record<string, string>> = {
  'account.add': 'Account connected',
  'account.reauthorize': 'Account reauthorized',
  'account.remove': 'Account removed',
  'account.rename': 'Account renamed',
  'account.revoke': 'Account revoked at the provider',
  'account.share': 'Account shared',
  'account.unshare': 'Account made private',
  'account.status': 'Account status changed',
  'agent.assign': 'Agent transferred to another member',
  'agent.create': 'Agent created',
  'agent.link': 'Sign-in linked to an agent',
  'agent.unlink': 'Sign-in of an agent removed',
  'agent.rename': 'Agent renamed',
  'agent.resume': 'Agent resumed',
  'agent.retire': 'Agent retired',
  'agent.revoke_keys': 'Keys of an agent revoked',
  'agent.suspend': 'Agent suspended',
  'auto_topup.disable': 'Automatic top-up switched off',
  'auto_topup.set': 'Automatic top-up changed',
  'billing_profile.update': 'Billing details changed',
  'capability.disable': 'Tools switched off',
  'capability.enable': 'Tools switched on',
  'customer.create': 'Registered at the payment provider',
  'invitation.create': 'Member invited',
  'invitation.revoke': 'Invitation withdrawn',
  'key.assign': 'Key transferred to another holder',
  'key.cap': 'Cap of a key changed',
  'key.claim': 'Key claimed by its link',
  'key.create': 'Key created',
  'key.expiry': 'Expiry of a key changed',
  'key.rename': 'Key renamed',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'member.add': 'Member added',
  'member.remove': 'Member removed',
  'member.role': 'Role changed',
  'oauth_client.remove': 'OAuth app removed',
  'oauth_client.set': 'OAuth app changed',
  'org.create': 'Organization created',
  'org.rename': 'Organization renamed',
  'org.resume': 'Organization resumed',
  'org.suspend': 'Organization suspended',
  'payment.create': 'Payment started',
  'payment.credit': 'Payment credited',
  'mcp_client.allow': 'Sign-in of a client allowed',
  'mcp_client.deny': 'Sign-in of a client denied',
  'payment.reinstate': 'Payment reinstated',
  'payment.reverse': 'Payment reversed',
  'payment_method.remove': 'Payment method removed',
  'plan.cancel': 'Plan canceled',
  'plan.change': 'Plan changed',
  'plan.end': 'Plan ended',
  'plan.expire': 'Included credits expired',
  'plan.grant': 'Included credits granted',
  'plan.renew': 'Plan renewed',
  'plan.renewal_failed': 'Renewal of the plan failed',
  'plan.resume': 'Plan resumed',
  'plan.subscribe': 'Plan subscribed',
  'remote.add': 'Server registered',
  'remote.confirm': 'Effects of a server’s tools confirmed',
  'remote.hide': 'Server hidden',
  'remote.remove': 'Server removed',
  'remote.show': 'Server shown',
  'remote.snapshot': 'Tools of a server pinned',
  'remote.update': 'Server changed',
  'sign_in_link.create': 'Sign-in link created',
  'sign_in_link.use': 'Sign-in link used',
  'user.email': 'Email changed',
  'user.link': 'Sign-in linked to a user',
  'user.unlink': 'Sign-in of a user removed',
  'user.login': 'Signed in',
  'wallet.credit': 'Balance credited',
  'wallet.reverse': 'Credit reversed',
}

/** Says what changed. An action without words is shown as it is. */
function describeChange({ action }: Change): string {
  return WORDS[action] ?? action
}

/** What the log recorded about a change: names and values as text. */
function detailsOf({ detail }: Change): [string, string][] {
  if (typeof detail !== 'object' || detail === null) return []
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [wordsOf(name), textOf(name, value)])
}

/** `amountMicros` as `Amount`, `agent_id` as `Agent id`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/[_]?micros$/i, '')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'number' && /micros$/i.test(name)) return formatMoney(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const ID = /^[a-z]+_[\da-f]{32}$/

/** The name of what a change concerns, as far as the user may know it; else its ID, shortened. */
function useTargets(): (target: string) => string {
  const { organization } = useSession()
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const { accountName } = useAccounts()
  const { data } = useGet<{ api_keys: Key[] }>(`${KEYS_URL}?limit=200`)
  return target => {
    if (target === organization?.id) return organization.name
    if (target.startsWith('usr_')) return nameOf(target)
    if (target.startsWith('agt_')) return agentName(target)
    if (target.startsWith('acc_')) return accountName(target)
    return data?.api_keys.find(({ id }) => id === target)?.name ?? (ID.test(target) ? shortId(target) : target)
  }
}
