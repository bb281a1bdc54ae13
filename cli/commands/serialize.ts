import { ignoreWriteErrors } from '../../lib/logging/standard-output.ts'
import { terminalText } from '../../lib/sanitize-text.ts'

/** A row in the answer of a command: field names in snake case, times in RFC 3339. */
export function serializeRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  )
}

/**
 * Formats the answer of a command for a terminal: one line per field, and lists as tables. A list that is wider than the
 * terminal is one block per row. Without a width, such as in a pipe, lists are always tables.
 */
export function printAnswer(answer: object, width = Number.POSITIVE_INFINITY): string {
  return Object.entries(answer)
    .map(([name, value]) => (Array.isArray(value) ? printRows(name, value, width) : `${name}: ${scalar(value)}`))
    .join('\n')
}

type Row = Readonly<Record<string, unknown>>

function printRows(name: string, rows: readonly Row[], width: number): string {
  if (rows.length === 0) return `no ${name}`
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const table = printTable(columns, rows)
  const fits = table.every(line => line.length <= width)
  return fits ? table.join('\n') : rows.map(row => printBlock(columns, row)).join('\n\n')
}

/** Aligns numbers to the right. */
function printTable(columns: readonly string[], rows: readonly Row[]): string[] {
  const aligned = columns.map(column => {
    const cells = [column, ...rows.map(row => cell(row[column]))]
    const longest = Math.max(...cells.map(({ length }) => length))
    const numeric = rows.every(row => typeof row[column] === 'number')
    return cells.map(text => (numeric ? text.padStart(longest) : text.padEnd(longest)))
  })
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    aligned
      .map(cells => cells[line])
      .join('  ')
      .trimEnd(),
  )
}

/** The first column is the heading; a list in a field has a line per item. */
function printBlock([first = '', ...others]: readonly string[], row: Row): string {
  const longest = Math.max(...others.map(({ length }) => length))
  const lines = others.flatMap(column => {
    const value = row[column]
    const items = Array.isArray(value) && value.length > 0 ? value.map(cell) : [cell(value)]
    return items.map((item, i) => `  ${(i === 0 ? column : '').padEnd(longest)}  ${item}`)
  })
  return [cell(row[first]), ...lines].join('\n')
}

function cell(value: unknown): string {
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '-' : scalar(value)
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return value.map(scalar).join(', ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(cell).join(' ')
  return terminalText(String(value))
}

/** Makes a command exit with 1 if its answer is lost, and says why, unless the reader closed a pipe by itself. */
export function failOnLostAnswer(subject: NodeJS.Process): void {
  ignoreWriteErrors(subject.stderr)
  subject.stdout.on('error', (error: NodeJS.ErrnoException) => {
    subject.exitCode = 1
    if (error.code !== 'EPIPE') subject.stderr.write(`Cannot write to standard output: ${error.message}.\n`)
  })
}
