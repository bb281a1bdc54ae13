import { Fragment, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A column of a table. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at the end; `main` is the name of the row; `actions` has no visible title. */
  kind?: 'text' | 'main' | 'number' | 'actions'
  /** Whether it is left out where the page is too narrow for it. The detail of a row must show it then. */
  extra?: boolean
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows that no longer work are paler. */
  faded?: (row: Row) => boolean
  /** What a row shows below itself when the user opens it. Its name is then a button. */
  detail?: (row: Row) => ReactNode
  /** Whether values say what they are without a title, so that a phone shows more rows. */
  dense?: boolean
}

/** A table with dense rows. On a phone each row is a block with the titles beside the values. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  faded = () => false,
  detail,
  dense = false,
}: TableProps<Row>) {
  const [open, setOpen] = useState<string>()
  const id = useId()
  return (
    <table className={dense ? 'table table-dense' : 'table'} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, kind = 'text', extra }) => (
            <th key={title} scope="col" className={cellClass(kind, extra)}>
              {kind === 'actions' ? <span className="hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => {
          const key = rowKey(row)
          const shown = detail !== undefined && open === key
          const toggle = () => setOpen(shown ? undefined : key)
          return (
            <Fragment key={key}>
              <tr
                className={[faded(row) && 'faded', shown && 'opened', detail && 'opens'].filter(Boolean).join(' ')}
                {...(detail !== undefined && { onClick: event => isPlain(event) && toggle() })}
              >
                {columns.map(({ title, kind = 'text', extra, cell }) => (
                  <td key={title} className={cellClass(kind, extra)} data-title={title}>
                    <div className="cell">
                      {kind === 'main' && detail !== undefined ? (
                        <Opener id={`${id}-${key}`} open={shown} onToggle={toggle}>
                          {cell(row)}
                        </Opener>
                      ) : (
                        cell(row)
                      )}
                    </div>
                  </td>
                ))}
              </tr>
              {shown && (
                <tr className="detail" id={`${id}-${key}`}>
                  <td colSpan={columns.length}>{detail(row)}</td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

const cellClass = (kind: string, extra = false) => `cell-${kind}${extra ? ' cell-extra' : ''}`

/** Whether a click is meant for the row: not for a control in it or its menu, and not the end of a selection. */
function isPlain({ target, currentTarget }: MouseEvent): boolean {
  const clicked = target as Element
  // React passes clicks in a menu on to the row, although the menu is elsewhere in the page.
  if (!currentTarget.contains(clicked)) return false
  return clicked.closest('a, button, input') === null && getSelection()?.isCollapsed !== false
}

interface OpenerProps {
  id: string
  open: boolean
  onToggle: () => void
  children: ReactNode
}

function Opener({ id, open, onToggle, children }: OpenerProps) {
  return (
    <button
      type="button"
      className="opener"
      aria-expanded={open}
      {...(open && { 'aria-controls': id })}
      onClick={onToggle}
    >
      <Icon name="chevron-right" size={14} />
      <span>{children}</span>
    </button>
  )
}

/** The name of a member, which may be a long address. */
export function Person({ name }: { name: string }) {
  return (
    <span className="person truncate" title={name}>
      {name}
    </span>
  )
}

interface MoreProps {
  shown: number
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The foot of a list: how many rows are shown, and a button for more. */
export function More({ shown, query }: MoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="more">
      <span className="muted number">{shown} shown</span>
      <Button size="small" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  )
}
