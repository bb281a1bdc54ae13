import { PICKED, PROVIDER_ANSWER } from './connectors.ts'
import { CORES, PINNED } from './cores.ts'
import { CLIENTS, type Holds } from './holds.ts'
import type { Line, MeasureOptions } from './measure.ts'
import type { MemorySearch } from './memory-search.ts'
import { CHAINS, REMOTE_CALL } from './remote-subjects.ts'
import type { SmallHeap } from './small-heap.ts'
import type { Start } from './start.ts'
import type { Subject } from './subject.ts'

/** How many times cheaper than chained proxies a call of an upstream must be. */
const CHEAPER_THAN_CHAINS = 3

interface Results {
  lines: readonly Line[]
  starts: readonly Start[]
  /** Undefined where there is no PostgreSQL server, or only requests are measured. */
  holds: Holds | undefined
  /** The same. */
  memorySearch: MemorySearch | undefined
  /** Undefined where only requests are measured. */
  smallHeap: SmallHeap | undefined
  engine: string
  options: MeasureOptions
}

/** The results as Markdown, and the targets they miss. */
export function renderResults({ lines, starts, holds, memorySearch, smallHeap, engine, options }: Results): {
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
    // Of a part of the lines not all are there.
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
      resident === undefined ? 'not told here' : `${Math.round(resident)} MB`,
      target,
      verdict(`start: ${title}`, list < atMost.list && fits),
    ])
  })

  const markdown = `# What a request costs

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${CORES} cores${PINNED ? ', the servers held on one of them and the loader on another' : ' shared with the loader'},
whatever else ran on them; database: ${engine}.

The figure that holds on a busy machine is the **server's processor time a request**, user and system, all threads, while ${options.rate} requests a
second come in over ${options.connections} kept-alive connections. The rate is one for all lines because the time depends on it: a server that keeps its loader busy
does not have to wake it for each answer, which costs a fast route less than half of what it takes otherwise and a slow one nothing less.
The last two columns are taken as fast as the server answers. Every figure is the median of ${options.rounds} rounds (${options.steady} ms, then ${options.full} ms at full load)
that alternate between all lines, after ${options.warmUp} ms of warm-up each. The ratio is taken round by round against the bare route of the same round, or against the line that stands beside it.

- **bare Fastify route**: \`POST\` of the same bytes as \`tools/call\`, the JSON body parsed by Fastify, a static object as answer, logger off.
- **this server** runs from \`dist\`: default \`LOG_LEVEL\` (info: one line a request, into a pipe that is read), API key, rate limit, usage rows
  written behind${engine === 'embedded' ? ' (into the embedded database, whose own work counts as the server’s here)' : ''}. The tool that is called does nothing much.
- **GET /connectors** stands against a bare \`GET\` route with the same bytes in a stored Buffer, logger off.
- **tools/call through a connector**: a member's OAuth 2 account of a made-up connector, a \`GET\` tool that picks ${Object.keys(PICKED).length} members of the ${Buffer.byteLength(PROVIDER_ANSWER)}
  bytes that the provider answers. It stands against a bare route that takes the same message, asks the same provider with undici's
  \`request\` over kept-alive connections, and sends on what it reads. The provider is a server on loopback that shares no core with the servers.
- **tools/call of a registered upstream**: an MCP server without sessions that an organization has registered without a credential (or with a
  token, which is opened for each call); its answer has 1 KB of text. The client speaks 2025-11-25 to a server of that era, and 2026-07-28
  to one of that. They stand against a bare route whose body Fastify parses, and which posts it to the same upstream with undici's \`request\`
  and sends on the text that it reads. The upstream shares no core with the servers, and its time is not counted.
- **of the same upstream**: the packages \`mcp-proxy\` and \`supergateway\` chained, because each of them speaks stdio on one side: the first
  serves Streamable HTTP with the second as its child, which asks the upstream. One session for all connections, \`--stateful\` where that is not
  the default, their logs off; counted is the time of both processes (to 10 ms), without authentication.
- **SDK server per request**: the low-level \`Server\` and a stateless \`StreamableHTTPServerTransport\` with JSON answers, made for each request behind
  Fastify, logger off, no authentication, the same 500 tools.

${table(['request', 'CPU µs', 'ratio', 'of', 'target', '', 'answer, bytes', 'CPU µs, full load', 'ratio', 'requests/s'], requests)}

${comparisons.join('\n')}

## Start and memory

\`node dist/server.js\`, from the start of the process to the first answers; resident memory 5 s later, idle.

${table(['', 'first /health', 'first tools/list', 'resident, idle', 'target', ''], startRows)}

${renderSmallHeap(smallHeap, verdict)}

${renderHolds(holds, options, verdict)}

${renderMemorySearch(memorySearch, verdict)}
`
  return { markdown, missed }
}

/** What a limit of the heap costs. */
function renderSmallHeap(heap: SmallHeap | undefined, verdict: (title: string, ok: boolean) => string): string {
  const head = '## A small heap'
  if (heap === undefined) return `${head}\n\nMeasured without \`--only\`, and with \`--only heap\`.`
  const { limit, seconds, unlimited, limited, atLeast } = heap
  const share = limited / unlimited
  const ok = verdict(`a heap of ${limit} MB`, share >= atLeast)
  return `${head}

\`tools/call\` at full load for ${seconds} s: ${Math.round(unlimited)} requests a second; with \`--max-old-space-size=${limit}\`
${Math.round(limited)}, which is ${Math.round(share * 100)} % (target: at least ${atLeast * 100} %): ${ok}.`
}

/** What is set aside a second, in the bare update of the same run. */
function renderHolds(
  holds: Holds | undefined,
  { rounds }: MeasureOptions,
  verdict: (title: string, ok: boolean) => string,
): string {
  const head = '## Holds a second'
  if (holds === undefined)
    return `${head}\n\nThis part needs PostgreSQL: set TEST_DATABASE_URL, and leave out \`--only\` or say \`--only holds\`.`
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

What ${CLIENTS} clients do that never wait, each on a connection of its own, from one process: PostgreSQL ${holds.version} with \`synchronous_commit\`
${holds.synchronousCommit}, a database that is new. The bare update is one statement that commits by itself, on a wallet without holds. Every figure is the
median of ${rounds} rounds that alternate between all lines; the ratio is taken round by round, of the bare update on as many wallets. A hold and its
capture are two transactions, and count once.

${table(['', 'wallets', 'a second', 'ratio', 'target', ''], rows)}`
}

/** What the memories of other organizations cost a search. */
function renderMemorySearch(search: MemorySearch | undefined, verdict: (title: string, ok: boolean) => string): string {
  const head = '## Search of memories'
  if (search === undefined)
    return `${head}\n\nThis part needs PostgreSQL: set TEST_DATABASE_URL, and omit \`--only\` or use \`--only memory\`.`
  const { foreign, buildMs, lines } = search
  const rows = lines.map(({ own, query, alone, beside, atMost }) => {
    const ratio = beside / alone
    const target =
      atMost === undefined ? ['', ''] : [`≤ ${atMost} ×`, verdict(`${query}, ${own} memories`, ratio <= atMost)]
    return row([own, query, `${alone.toFixed(1)} ms`, `${beside.toFixed(1)} ms`, `${ratio.toFixed(2)} ×`, ...target])
  })
  return `${head}

The median time of a search in the store of memories (without HTTP), in an organization that is alone in its database, and in the same
organization beside ${foreign} memories of other organizations. Searches alternate between the databases. The job built the index over all
rows in ${seconds(buildMs)}.

${table(['own memories', 'query', 'alone', 'beside others', 'ratio', 'target', ''], rows)}`
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
