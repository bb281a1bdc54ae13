import { PICKED, PROVIDER_ANSWER } from './connectors.ts'
import { CORES, PINNED } from './cores.ts'
import { CLIENTS, type Holds } from './holds.ts'
import type { Line, MeasureOptions } from './measure.ts'
import type { MemorySearch } from './memory-search.ts'
import { LISTENERS, type Refreshes } from './refreshes.ts'
import { CHAINS, REMOTE_CALL } from './remote-subjects.ts'
import type { SmallHeap } from './small-heap.ts'
import type { Start } from './start.ts'
import type { Subject } from './subject.ts'

/** The minimum cost of chained proxies, as a multiple of the cost of a call to a registered upstream. */
const CHEAPER_THAN_CHAINS = 3

interface Results {
  lines: readonly Line[]
  starts: readonly Start[]
  /** Undefined without a PostgreSQL server, or if only requests are measured. */
  holds: Holds | undefined
  refreshes: Refreshes | undefined
  /** Undefined without a PostgreSQL server, or if only requests are measured. */
  memorySearch: MemorySearch | undefined
  /** Undefined if only requests are measured. */
  smallHeap: SmallHeap | undefined
  engine: string
  options: MeasureOptions
}

/** Renders the results as Markdown. Also returns the missed targets. */
export function renderResults({ lines, starts, holds, refreshes, memorySearch, smallHeap, engine, options }: Results): {
  markdown: string
  missed: string[]
} {
  const missed: string[] = []
  const verdict = (title: string, ok: boolean) => {
    if (!ok) missed.push(title)
    return ok ? 'pass' : '**missed**'
  }

  const requests = lines.map(({ subject, cpu, ratio, full, bytes }) => {
    const { title, against, atMost, atMostFull, aim } = subject
    const target =
      atMost !== undefined
        ? `≤ ${atMost} ×${atMostFull === undefined ? '' : `, ≤ ${atMostFull} × at full load`}`
        : aim !== undefined
          ? `aim ${aim} ×`
          : ''
    const passed =
      atMost === undefined
        ? ''
        : verdict(title, ratio <= atMost && (atMostFull === undefined || full.ratio <= atMostFull))
    return row([
      title,
      cpu.toFixed(1),
      `${ratio.toFixed(2)} ×`,
      against?.title ?? '',
      target,
      passed,
      bytes,
      full.cpu.toFixed(1),
      `${full.ratio.toFixed(2)} ×`,
      Math.round(full.perSecond),
    ])
  })

  const comparisons = [
    ...CHAINS.map(chain => ({ of: REMOTE_CALL, with: chain, atLeast: CHEAPER_THAN_CHAINS })),
  ].flatMap(({ of, with: other, atLeast }) => {
    const times = cpuOf(lines, other) / cpuOf(lines, of)
    // With --only, some lines are missing.
    if (Number.isNaN(times)) return []
    const ok = verdict(`${of.title} against ${other.title}`, times >= atLeast)
    return [
      `*${other.title}* costs ${times.toFixed(1)} times as much as *${of.title}* (target: at least ${atLeast} times): ${ok}.`,
    ]
  })

  const startRows = starts.map(({ title, health, list, resident, atMost }) => {
    const fits = resident === undefined || atMost.resident === undefined || resident < atMost.resident
    const target = `< ${atMost.list / 1000} s${atMost.resident === undefined ? '' : `, < ${atMost.resident} MB`}`
    return row([
      title,
      seconds(health),
      seconds(list),
      resident === undefined ? 'not available' : `${Math.round(resident)} MB`,
      target,
      verdict(`start: ${title}`, list < atMost.list && fits),
    ])
  })

  const markdown = `# What a request costs

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${CORES} cores${PINNED ? ', the servers pinned to one of them and the load generator to another' : ' shared with the load generator'}
and with other work of the machine; database: ${engine}.

The figure that is reliable on a busy machine is the **server's CPU time per request**, user and system, all threads, at ${options.rate} requests per
second over ${options.connections} keep-alive connections. All lines use the same rate because the time depends on it: under full load, a server
does not wake the load generator for each answer. This more than halves the time of a fast route and does not change that of a slow one.
The last three columns are measured at full load. Every figure is the median of ${options.rounds} rounds (${options.steady} ms, then ${options.full} ms at full load)
that alternate between all lines, after ${options.warmUp} ms of warm-up each. The ratio is computed per round, to the bare route of the same round or to the line in the column "of".

- **bare Fastify route**: \`POST\` of the same bytes as \`tools/call\`, the JSON body parsed by Fastify, a static object as answer, logger off.
- **this server** runs from \`dist\`: default \`LOG_LEVEL\` (info: one line a request, into a pipe that is read), API key, rate limit, usage rows
  written asynchronously${engine === 'embedded' ? ' (into the embedded database, whose work counts as the server’s)' : ''}. The called tool does almost nothing.
- **GET /connectors** is compared with a bare \`GET\` route with the same bytes in a stored Buffer, logger off.
- **tools/call through a connector**: a member's OAuth 2 account of a made-up connector, a \`GET\` tool that picks ${Object.keys(PICKED).length} members of the ${Buffer.byteLength(PROVIDER_ANSWER)}
  bytes of the provider's answer. It is compared with a bare route that receives the same message, sends the same request with undici's
  \`request\` over keep-alive connections, and returns the text. The provider is a server on loopback that shares no core with the servers.
- **tools/call of a registered upstream**: an MCP server without sessions that an organization has registered without a credential (or with a
  token, which is decrypted for each call); its answer has 1 KB of text. The client uses 2025-11-25 with a server of that revision, and
  2026-07-28 with one of that revision. They are compared with a bare route whose body Fastify parses, and which posts it to the same upstream
  with undici's \`request\` and returns the text. The upstream shares no core with the servers, and its time does not count.
- **of the same upstream**: the packages \`mcp-proxy\` and \`supergateway\`, chained because each of them uses stdio on one side: the first
  serves Streamable HTTP with the second as its child, which calls the upstream. One session for all connections, \`--stateful\` if that is not
  the default, logs off, no authentication; the CPU time is that of both processes (to 10 ms).
- **SDK server per request**: the low-level \`Server\` and a stateless \`StreamableHTTPServerTransport\` with JSON answers, created for each request behind
  Fastify, logger off, no authentication, the same 500 tools.

${table(['request', 'CPU µs', 'ratio', 'of', 'target', '', 'answer, bytes', 'CPU µs, full load', 'ratio', 'requests/s'], requests)}

${comparisons.join('\n')}

## Start and memory

\`node dist/server.js\`, from the start of the process to the first answers; resident memory 5 s later, idle.

${table(['', 'first /health', 'first tools/list', 'resident, idle', 'target', ''], startRows)}

${renderSmallHeap(smallHeap, verdict)}

${renderHolds(holds, options, verdict)}

${renderRefreshes(refreshes, options, verdict)}

${renderMemorySearch(memorySearch, verdict)}
`
  return { markdown, missed }
}

/** Renders the throughput with a heap limit. */
function renderSmallHeap(heap: SmallHeap | undefined, verdict: (title: string, ok: boolean) => string): string {
  const head = '## A small heap'
  if (heap === undefined) return `${head}\n\nMeasured without \`--only\`, and with \`--only heap\`.`
  const { limit, seconds, unlimited, limited, atLeast } = heap
  const share = limited / unlimited
  const ok = verdict(`a heap of ${limit} MB`, share >= atLeast)
  return `${head}

\`tools/call\` at full load for ${seconds} s: ${Math.round(unlimited)} requests per second; with \`--max-old-space-size=${limit}\`
${Math.round(limited)}, which is ${Math.round(share * 100)} % (target: at least ${atLeast * 100} %): ${ok}.`
}

/** The minimum of the commits without a notification, divided by those with one. */
const QUIET = 5

/** Renders the refreshed tokens that are stored per second, with and without a notification. */
function renderRefreshes(
  refreshes: Refreshes | undefined,
  { rounds }: MeasureOptions,
  verdict: (title: string, ok: boolean) => string,
): string {
  const head = '## Refreshed tokens per second'
  if (refreshes === undefined)
    return `${head}\n\nThis part needs PostgreSQL: set TEST_DATABASE_URL, and omit \`--only\` or use \`--only refreshes\`.`
  const { version, synchronousCommit, notifying, quiet, ratio } = refreshes
  const rows = [
    row(['with a notification, before migration 0018', Math.round(notifying), '1.00 ×', '', '']),
    row([
      'without',
      Math.round(quiet),
      `${ratio.toFixed(2)} ×`,
      `≥ ${QUIET} ×`,
      verdict('refreshed tokens', ratio >= QUIET),
    ]),
  ]
  return `${head}

${CLIENTS} clients of one process store refreshed tokens of accounts of their own without pauses, while ${LISTENERS} connections listen for changes:
PostgreSQL ${version} with \`synchronous_commit\` ${synchronousCommit}, a new database. Medians of ${rounds} rounds that alternate; the ratio is computed per round.

${table(['', 'per second', 'ratio', 'target', ''], rows)}`
}

/** Renders the holds per second, and their ratio to the bare update. */
function renderHolds(
  holds: Holds | undefined,
  { rounds }: MeasureOptions,
  verdict: (title: string, ok: boolean) => string,
): string {
  const head = '## Holds per second'
  if (holds === undefined)
    return `${head}\n\nThis part needs PostgreSQL: set TEST_DATABASE_URL, and omit \`--only\` or use \`--only holds\`.`
  const rows = holds.lines.map(({ title, wallets, perSecond, ratio, atLeast }) =>
    row([
      title,
      wallets,
      Math.round(perSecond),
      `${ratio.toFixed(2)} ×`,
      atLeast === undefined ? '' : `≥ ${atLeast} ×`,
      atLeast === undefined ? '' : verdict(`${title}, ${wallets} wallet`, ratio >= atLeast),
    ]),
  )
  return `${head}

${CLIENTS} clients of one process repeat the operation without pauses, each on its own connection: PostgreSQL ${holds.version} with \`synchronous_commit\`
${holds.synchronousCommit}, a new database. The bare update is one statement that commits by itself, on a wallet without holds. Every figure is the
median of ${rounds} rounds that alternate between all lines; the ratio is computed per round, to the bare update on the same number of wallets. A hold
and its capture are two transactions and count once.

${table(['', 'wallets', 'per second', 'ratio', 'target', ''], rows)}`
}

/** Renders how the memories of other organizations slow down a search. */
function renderMemorySearch(search: MemorySearch | undefined, verdict: (title: string, ok: boolean) => string): string {
  const head = '## Search of memories'
  if (search === undefined)
    return `${head}\n\nThis part needs PostgreSQL: set TEST_DATABASE_URL, and omit \`--only\` or use \`--only memory\`.`
  const { foreign, buildMs, lines } = search
  const rows = lines.map(({ own, query, onlyOne, withOthers, atMost }) => {
    const ratio = withOthers / onlyOne
    const target =
      atMost === undefined ? ['', ''] : [`≤ ${atMost} ×`, verdict(`${query}, ${own} memories`, ratio <= atMost)]
    return row([
      own,
      query,
      `${onlyOne.toFixed(1)} ms`,
      `${withOthers.toFixed(1)} ms`,
      `${ratio.toFixed(2)} ×`,
      ...target,
    ])
  })
  return `${head}

The median time of a search in the memory store (without HTTP), in an organization that is the only one in its database, and in the
same organization with ${foreign} memories of other organizations. Searches alternate between the databases. The job built the index over all
rows in ${seconds(buildMs)}.

${table(['own memories', 'query', 'only organization', 'with others', 'ratio', 'target', ''], rows)}`
}

function cpuOf(lines: readonly Line[], subject: Subject): number {
  return lines.find(line => line.subject === subject)?.cpu ?? Number.NaN
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows].join('\n')
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}
