import { formatDateTime, formatMoney } from '../../lib/format.ts'
import { shortId } from '../../lib/people.ts'
import { usePages } from '../../lib/queries.ts'
import { Card } from '../../ui/layout.tsx'
import { More } from '../../ui/more.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Key } from '../keys/key.ts'

interface Transaction {
  id: string
  kind: string
  amount_micros: number
  description: string
  api_key_id: string | null
  payment_id: string | null
  at: string
}

const KINDS: Readonly<Record<string, string>> = {
  credit: 'Credit',
  capture: 'Call',
  overage: 'Call, above its hold',
  reversal: 'Taken back',
  reinstatement: 'Given back',
  grant: 'Included credits',
  grant_expiry: 'Unused credits expired',
  plan_fee: 'Plan',
  adjustment: 'Correction',
}

/** What changed the balance, newest first. */
export function Ledger() {
  const { query, rows } = usePages<Transaction>('/api/customers/me/transactions', 'transactions')
  const keys = usePages<Key>('/api/api-keys', 'api_keys', { limit: 200 })
  const keyNames = new Map(keys.rows?.map(({ id, name }) => [id, name]))
  const columns: Column<Transaction>[] = [
    {
      title: 'What',
      kind: 'main',
      cell: ({ kind, description, payment_id }) => (
        <>
          {KINDS[kind] ?? kind}
          <span className="under">
            {description}
            {payment_id !== null && ` (${shortId(payment_id)})`}
          </span>
        </>
      ),
    },
    {
      title: 'Key',
      cell: ({ api_key_id: id }) => id !== null && (keyNames.get(id) ?? <span className="mono">{shortId(id)}</span>),
    },
    { title: 'Time', cell: ({ at }) => <span className="number">{formatDateTime(at)}</span> },
    {
      title: 'Amount',
      kind: 'number',
      cell: ({ amount_micros: amount }) => (
        <span className={amount > 0 ? 'positive' : undefined}>
          {amount > 0 && '+'}
          {formatMoney(amount)}
        </span>
      ),
    },
  ]
  return (
    <section className="stack">
      <h2 className="section-title">Ledger</h2>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={6} />}
        {rows?.length === 0 && (
          <Empty icon="receipt" title="Nothing yet">
            Each payment and each charge of a call is listed here.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table label="Ledger" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
    </section>
  )
}
