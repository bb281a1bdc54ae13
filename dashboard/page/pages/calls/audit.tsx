import { useFilters, withFilters } from '../../lib/filters.ts'
import { formatDateTime } from '../../lib/format.ts'
import { usePeople } from '../../lib/people.ts'
import { usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Card, Facts, PageHead } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { Person } from '../../ui/person.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ClockTime } from '../../ui/time.tsx'
import { ActivityTabs } from './activity-tabs.tsx'
import { type Change, describeChange, detailsOf, KINDS, useTargets } from './change.ts'
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
      <PageHead title="Changes">
        {role === 'member'
          ? 'What you changed in this organization.'
          : 'Who changed what in the organization: accounts, keys, agents, members, money.'}
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
          <Empty icon="list" title={Object.keys(values).length > 0 ? 'No such change' : 'No changes yet'}>
            {Object.keys(values).length > 0
              ? 'Choose other changes above.'
              : 'Each change of an account, a key, an agent, a member or the plan is listed here.'}
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
