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

/** Formats the answer of a command for a terminal: one line per field, and lists as tables. */
export function printAnswer(answer: object): string {
  return Object.entries(answer)
    .map(([name, value]) => (Array.isArray(value) ? printRows(name, value) : `${name}: ${scalar(value)}`))
    .join('\n')
}

function printRows(name: string, rows: readonly object[]): string {
  const [first] = rows
  if (first === undefined) return `no ${name}`
  const table = [Object.keys(first), ...rows.map(row => Object.values(row).map(cell))]
  const widths = Object.keys(first).map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)))
  return table
    .map(line =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0) ? '-' : scalar(value)
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
