import { hash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'

type Schema = Readonly<Record<string, unknown>>

/**
 * The catalog entry of a connector and its tools as lines to review: every text that people and models read, each tool's
 * class, and its arguments, one a line. The hash at a tool covers what the lines leave out, such as the order of keywords.
 */
export function entryLines(entry: object, tools: readonly Tool[]): string {
  const ofTools = tools.map(tool => ({ tool, args: argumentLines(tool.inputSchema) }))
  const shared = sharedLabels(ofTools.flatMap(({ args }) => args))
  return [
    ...memberLines(entry, ''),
    '',
    'arguments of several tools:',
    ...[...shared].map(([line, label]) => `  ${label === nameOf(line) ? '' : `${label} = `}${line}`),
    ...ofTools.flatMap(({ tool, args }) => [
      '',
      [tool.name, tool.title, classOf(tool), hash('sha256', JSON.stringify(tool)).slice(0, 8)].join(' · '),
      `  ${tool.description}`,
      ...args.filter(line => !shared.has(line)).map(line => `  ${line}`),
      `  and ${args.flatMap(line => shared.get(line) ?? []).join(', ') || 'nothing'}`,
    ]),
  ].join('\n')
}

/** One line per value; the members of an object are indented. */
function memberLines(of: object, indent: string): string[] {
  return Object.entries(of).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [`${indent}${name}:`, ...memberLines(value, `${indent}  `)]
      : [`${indent}${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
}

/** The lines of several tools, with the name that the tools refer to: that of the argument, with a number if it has other forms. */
function sharedLabels(lines: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>()
  const forms = new Map<string, number>()
  for (const [line, same] of Map.groupBy(lines, line => line)) {
    if (same.length < 2) continue
    const form = (forms.get(nameOf(line)) ?? 0) + 1
    forms.set(nameOf(line), form)
    labels.set(line, form === 1 ? nameOf(line) : `${nameOf(line)}#${form}`)
  }
  return labels
}

function nameOf(line: string): string {
  return /^\w+/.exec(line)?.[0] ?? ''
}

function classOf({ annotations = {} }: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  return [
    readOnlyHint ? 'reads' : 'writes',
    ...(destructiveHint ? ['destructive'] : []),
    ...(idempotentHint ? ['idempotent'] : []),
    ...(openWorldHint ? [] : ['closed world']),
  ].join(', ')
}

function argumentLines({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const { description, ...rest } = schema
    const optional = (required as string[]).includes(name) ? '' : '?'
    return `${name}${optional} ${formOf(rest)}${description === undefined ? '' : `: ${description}`}`
  })
}

/** The form of a value: `string 1..30 /^[0-9]+$/`, `integer 1..100 = 50`, `[string] 0..20`, `{ title string; tag? string }`. */
function formOf(schema: Schema): string {
  const { type, enum: values, items, properties, required, default: standard, pattern, ...rest } = schema
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, minProperties, maxProperties, ...others } = rest
  const [from, to] = [
    minimum ?? minLength ?? minItems ?? minProperties,
    maximum ?? maxLength ?? maxItems ?? maxProperties,
  ]
  const members = properties === undefined ? undefined : `{ ${argumentLines(schema).join('; ')} }`.replace('{  }', '{}')
  return [
    members ?? (items === undefined ? undefined : `[${formOf(items as Schema)}]`) ?? listOf(values) ?? type ?? 'any',
    ...(from === undefined && to === undefined ? [] : [`${from ?? ''}..${to ?? ''}`]),
    ...(pattern === undefined ? [] : [`/${pattern}/`]),
    ...(standard === undefined ? [] : [`= ${JSON.stringify(standard)}`]),
    ...Object.entries(others).map(([keyword, value]) => `${keyword}=${JSON.stringify(value)}`),
  ].join(' ')
}

function listOf(values: unknown): string | undefined {
  return Array.isArray(values) ? values.join('|') : undefined
}
