import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeHome } from './bench-database.ts'
import { moveToCore } from './cores.ts'
import { type MeasureOptions, measure, type Servers } from './measure.ts'
import { renderResults } from './report-results.ts'
import { startServer } from './server-process.ts'
import { measureStarts } from './start.ts'
import { SUBJECTS } from './subjects.ts'

// `npm run bench`: measures the built server and writes results.md beside this file. With --check, a missed target
// ends it with 1; with --only TEXT, it measures the lines whose title has that text, and prints instead of writing.
const { values: flags } = parseArgs({
  options: { check: { type: 'boolean' }, only: { type: 'string' }, rounds: { type: 'string', default: '9' } },
})
const options: MeasureOptions = {
  rounds: Number(flags.rounds),
  connections: 16,
  rate: 2_000,
  steady: 700,
  full: 300,
  warmUp: 4_000,
}
const postgres = process.env.TEST_DATABASE_URL

const { only } = flags
const subjects = SUBJECTS.filter(({ title }) => only === undefined || title.startsWith('bare') || title.includes(only))

const starts = only === undefined ? await measureStarts(postgres) : []
const homes = [await makeHome(postgres), await makeHome(postgres)] as const
// The loader keeps to a core of its own, so that no line's answers wake it on the core of the server they come from.
moveToCore(1)
const servers: Servers = {
  http: await startServer('http'),
  bare: await startServer('bare'),
  info: await startServer('gateway', { ...homes[0].env, LOG_LEVEL: 'info', PORT: '0' }),
  warn: await startServer('gateway', { ...homes[1].env, LOG_LEVEL: 'warn', PORT: '0' }),
  sdk: await startServer('sdk'),
}
try {
  const lines = await measure(subjects, servers, options)
  const engine = postgres === undefined ? 'embedded' : 'PostgreSQL'
  const { markdown, missed } = renderResults({ lines, starts, engine, options })
  if (only === undefined) writeFileSync(new URL('results.md', import.meta.url), markdown)
  process.stdout.write(markdown)
  if (flags.check === true && missed.length > 0) {
    process.stderr.write(`Missed: ${missed.join('; ')}\n`)
    process.exitCode = 1
  }
} finally {
  for (const server of Object.values(servers)) await server.stop()
  for (const home of homes) await home.remove()
}
