import type { ReactNode } from 'react'
import './table.css'

/** A column of a table. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at the end; `main` is the name of the row; `actions` has no visible title. */
  kind?: 'text' | 'main' | 'number' | 'actions'
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows that no longer work are paler. */
  faded?: (row: Row) => boolean
}

/** A table with dense rows. On a phone each row is a block with the titles beside the values. */
export function Table<Row>({ label, columns, rows, rowKey, faded = () => false }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, kind = 'text' }) => (
            <th key={title} scope="col" className={`cell-${kind}`}>
              {kind === 'actions' ? <span className="hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={rowKey(row)} className={faded(row) ? 'faded' : undefined}>
            {columns.map(({ title, kind = 'text', cell }) => (
              <td key={title} className={`cell-${kind}`} data-title={title}>
                <div className="cell">{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
