/** The called tool of the benchmark's upstream, and its arguments. */
export const CALLED_REMOTE = 'find_issues'
export const REMOTE_ARGUMENTS = { query: 'totals off by a cent', limit: 3 }

/** The tool's result: 1 KB of text, as reading tools typically return. */
export const REMOTE_CONTENT = [
  {
    type: 'text',
    text: Array.from(
      { length: 3 },
      (_, i) =>
        `#42${i + 17} Totals are off by a cent where a discount is split over several lines\n` +
        'The sum of the lines is rounded once for each line and once for the order, "half up" for one and "half even" ' +
        'for the other, so that an order of three lines with a discount of 10 % can end a cent above what its invoice ' +
        'says.',
    ).join('\n\n'),
  },
]

/** The tools in the upstream's `tools/list`. */
export const REMOTE_TOOLS = [
  {
    name: CALLED_REMOTE,
    description: 'Finds issues by the words in their titles and descriptions.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 200, description: 'The words.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many issues at most.' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
]

/** The protocol eras of the upstream, each at its own path. */
export const ERAS = ['legacy', 'modern'] as const
type UpstreamEra = (typeof ERAS)[number]

export function upstreamPath(era: UpstreamEra): string {
  return `/mcp/${era}`
}

/** A registration of the upstream in the benchmark's gateway: its slug, protocol era and credential. */
export interface BenchRemote {
  slug: string
  era: UpstreamEra
  auth: { mode: 'none' } | { mode: 'bearer'; token: string }
}

export const REMOTES = {
  legacy: { slug: 'legacy', era: 'legacy', auth: { mode: 'none' } },
  modern: { slug: 'modern', era: 'modern', auth: { mode: 'none' } },
  bearer: { slug: 'bearer', era: 'legacy', auth: { mode: 'bearer', token: 't'.repeat(64) } },
} as const satisfies Record<string, BenchRemote>

/** Returns the wire name of the called tool. */
export function remoteToolOf({ slug }: BenchRemote): string {
  return `org__${slug}__${CALLED_REMOTE}`
}
