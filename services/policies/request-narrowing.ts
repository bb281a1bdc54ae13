import type { Policy } from '../../schemas/organizations/policy.ts'
import type { Headers } from '../mcp/headers.ts'
import { type Layer, toLayer } from './policy.ts'

/** The headers and query parameters with which a request excludes tools. The headers are those of GitHub's MCP server. */
const READ_ONLY = ['x-mcp-readonly', 'readonly'] as const
const TOOLSETS = ['x-mcp-toolsets', 'toolsets'] as const
const TOOLS = ['x-mcp-tools', 'tools'] as const
const EXCLUDED = ['x-mcp-exclude-tools', 'exclude_tools'] as const
const ALL = [READ_ONLY, TOOLSETS, TOOLS, EXCLUDED]

/** The names that a request can exclude tools by. */
export interface KnownNames {
  /** Whether a family, a connector or a registration (`org__<slug>`) has a name. */
  isToolset(name: string): boolean
  isTool(name: string): boolean
}

/** The policies of a request, each of which only excludes tools, or what is wrong with it, as a sentence. */
type Narrowing = readonly Layer[] | string

/** Whether a request excludes tools. Without the headers and parameters it costs nearly nothing. */
export function isNarrowed(headers: Headers, query: Headers): boolean {
  return Object.keys(query).length > 0 || ALL.some(([header]) => headers[header] !== undefined)
}

/**
 * Reads what a request excludes. Each header and each parameter is a policy of its own, so that one more never adds a tool; an
 * empty list allows none. A value that means nothing is an error: ignored, it would give the caller more than they asked for.
 */
export function narrowingOf(headers: Headers, query: Headers, names: KnownNames): Narrowing {
  const layers: Layer[] = []
  const unclear = unclearParameter(query)
  if (unclear !== undefined) return unclear
  // Each value alone: a second header or parameter of the same name must not add to the first.
  const sent = ([header, parameter]: (typeof ALL)[number]) => [headers[header], query[parameter]].flatMap(v => v ?? [])

  for (const value of sent(READ_ONLY)) {
    const isReadOnly = SWITCH.get(value.trim().toLowerCase())
    if (isReadOnly === undefined) return `${nameOf(READ_ONLY)} must be true or false (or 1 or 0), not ${quoted(value)}.`
    if (isReadOnly) layers.push(toLayer('request', { mode: 'read_only' }))
  }
  for (const value of sent(TOOLSETS)) {
    const listed = listOf(value)
    if (listed.length > MAX_NAMES) return tooMany(TOOLSETS)
    for (const name of listed)
      if (!names.isToolset(name))
        return `${nameOf(TOOLSETS)} has ${quoted(name)}, which is no family, connector or org__<slug> of your organization.`
    layers.push(toLayer('request', only(listed)))
  }
  for (const [pair, toPolicy] of [
    [TOOLS, only],
    [EXCLUDED, without],
  ] as const)
    for (const value of sent(pair)) {
      const listed = listOf(value)
      if (listed.length > MAX_NAMES) return tooMany(pair)
      for (const name of listed)
        if (!names.isTool(name)) return `${nameOf(pair)} has ${quoted(name)}, which is no tool of your organization.`
      layers.push(toLayer('request', toPolicy(listed)))
    }
  return layers
}

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
/** The maximum number of names in one list. */
const MAX_NAMES = 100

const only = (names: readonly string[]): Policy => ({
  mode: 'listed',
  rules: names.map(match => ({ match, do: 'allow' })),
})

const without = (names: readonly string[]): Policy => ({
  mode: 'all',
  rules: names.map(match => ({ match, do: 'deny' })),
})

function listOf(value: string): string[] {
  return value
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** What a misspelled parameter is probably meant to be: ignored, it would give the caller more than they asked for. */
function unclearParameter(query: Headers): string | undefined {
  for (const name of Object.keys(query)) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    const meant = MEANT.get(plain)
    if (meant !== undefined && meant !== name) return `There is no parameter ${quoted(name)}. Use ?${meant}=.`
  }
  return undefined
}

const MEANT: ReadonlyMap<string, string> = new Map([
  ...ALL.flatMap(([, parameter]) => {
    const plain = parameter.replaceAll('_', '')
    return [plain, plain.replace(/s$/, ''), `xmcp${plain}`].map(form => [form, parameter] as const)
  }),
])

function tooMany(pair: (typeof ALL)[number]): string {
  return `${nameOf(pair)} has more than ${MAX_NAMES} names. Set a policy on the key instead.`
}

/** How long a quoted value may be. */
const MAX_QUOTE = 128

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, MAX_QUOTE))
}

const SHOWN: Readonly<Record<string, string>> = {
  'x-mcp-readonly': 'X-MCP-Readonly',
  'x-mcp-toolsets': 'X-MCP-Toolsets',
  'x-mcp-tools': 'X-MCP-Tools',
  'x-mcp-exclude-tools': 'X-MCP-Exclude-Tools',
}

function nameOf([header, parameter]: (typeof ALL)[number]): string {
  return `${SHOWN[header]} (or ?${parameter}=)`
}
