import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { thirdParty } from '../fixtures/third-party.ts'
import { makeHome } from './bench-database.ts'
import { LOADER_CORE, moveToCore, UPSTREAM_CORE } from './cores.ts'
import { type HoldOptions, measureHolds } from './holds.ts'
import { type MeasureOptions, measure } from './measure.ts'
import { measureMemorySearch } from './memory-search.ts'
import { measureRefreshes } from './refreshes.ts'
import { renderResults } from './report-results.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { measureSmallHeap } from './small-heap.ts'
import { measureStarts } from './start.ts'
import type { ServerName } from './subject.ts'
import { selectSubjects } from './subjects.ts'

// `npm run bench`: measures the built server and writes results.md next to this file. With --check, it exits with 1 if a
// target is missed. With --only TEXT, it measures the lines whose title contains the text, and their baselines, and only
// prints the results. `--only holds` measures the holds on PostgreSQL, `--only refreshes` the storing of refreshed tokens, `--only heap` the throughput with a small heap,
// `--only memory` the search of memories on PostgreSQL (about 15 minutes). `--without PART` leaves one of these out.
const { values: flags } = parseArgs({
  options: {
    check: { type: 'boolean' },
    only: { type: 'string' },
    without: { type: 'string' },
    rounds: { type: 'string', default: '9' },
  },
})
const options: MeasureOptions = {
  rounds: Number(flags.rounds),
  connections: 16,
  rate: 2_000,
  steady: 700,
  full: 300,
  warmUp: 4_000,
}
const holdOptions: HoldOptions = { rounds: options.rounds, milliseconds: 500 }
const postgres = process.env.TEST_DATABASE_URL

const { only } = flags
const isPart = (part: string) => flags.without !== part && (only === undefined || only === part)
const subjects = ['holds', 'refreshes', 'heap', 'memory'].includes(only ?? '') ? [] : selectSubjects(only)

// Known before a quarter of an hour of other measurements.
for (const { server } of subjects) if (server === 'mcp-proxy' || server === 'supergateway') thirdParty(server)

const starts = only === undefined ? await measureStarts(postgres) : []
// The load generator has its own core, so that it does not use the core of the servers.
moveToCore(LOADER_CORE)
const holds = postgres !== undefined && isPart('holds') ? await measureHolds(postgres, holdOptions) : undefined
const refreshes =
  postgres !== undefined && isPart('refreshes') ? await measureRefreshes(postgres, holdOptions) : undefined
const memorySearch = postgres !== undefined && isPart('memory') ? await measureMemorySearch(postgres) : undefined
const smallHeap = isPart('heap') ? await measureSmallHeap(postgres) : undefined
const homes = [await makeHome(postgres), await makeHome(postgres)] as const
const upstream = await startServer('upstream', {}, UPSTREAM_CORE)
// A host name, as real providers have.
const env = { UPSTREAM: `http://localhost:${upstream.port}` }
const start: Record<ServerName, () => Promise<ServerProcess>> = {
  http: () => startServer('http'),
  bare: () => startServer('bare', env),
  info: () => startServer('gateway', { ...homes[0].env, ...env, LOG_LEVEL: 'info', PORT: '0' }),
  warn: () => startServer('gateway', { ...homes[1].env, ...env, LOG_LEVEL: 'warn', PORT: '0' }),
  sdk: () => startServer('sdk'),
  'mcp-proxy': () => startServer('chain', { ...env, FRONT: 'mcp-proxy' }),
  supergateway: () => startServer('chain', { ...env, FRONT: 'supergateway' }),
}
const servers = new Map<ServerName, ServerProcess>()
try {
  for (const { server, stores } of subjects)
    for (const name of [server, stores?.server ?? server])
      if (!servers.has(name)) servers.set(name, await start[name]())
  const lines = await measure(subjects, servers, options)
  const engine = postgres === undefined ? 'embedded' : 'PostgreSQL'
  const { markdown, missed } = renderResults({
    lines,
    starts,
    holds,
    refreshes,
    memorySearch,
    smallHeap,
    engine,
    options,
  })
  if (only === undefined) writeFileSync(new URL('results.md', import.meta.url), markdown)
  process.stdout.write(markdown)
  if (flags.check === true && missed.length > 0) {
    process.stderr.write(`Missed: ${missed.join('; ')}\n`)
    process.exitCode = 1
  }
} finally {
  for (const server of [...servers.values(), upstream]) await server.stop()
  for (const home of homes) await home.remove()
}
