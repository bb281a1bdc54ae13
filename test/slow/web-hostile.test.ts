import { readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { until } from '../fixtures/until.ts'
import { articlePage, sentences, serveSite, startWithoutLoaders } from '../fixtures/web-fixture.ts'
import { hostileFiles } from '../services/web/hostile-pages.ts'
import { startGateway } from './gateway-process.ts'

/** The time for a hostile page, in milliseconds on a machine that does nothing else. */
const LIMIT_MS = 3_000
const ATTEMPTS = 3
const READ = ['ok', 'article', 'whole', 'text', 'pdf']
const MAX_MEMORY_KB = 100 * 1024

const GOOD = articlePage(sentences(20))

interface Called {
  ms: number
  /** How a page was read, `ok` for other tools, or the code of the error. */
  outcome: string
  text: string
}

async function webGateway(t: Test, settings: Record<string, string> = {}) {
  startWithoutLoaders()
  const database = testDatabaseUrl === undefined ? {} : { DATABASE_URL: await testPostgres(t, testDatabaseUrl) }
  const gateway = await startGateway(t, {
    DATA_DIR: t.testdir(),
    EGRESS_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'warn',
    ...database,
    ...settings,
  })
  return {
    ...gateway,
    async read(tool: string, args: object): Promise<Called> {
      const from = performance.now()
      const { result } = JSON.parse(await gateway.call(gateway.key ?? '', `web__${tool}`, args))
      const ms = performance.now() - from
      const text: string = result.content[0].text
      return result.isError === true
        ? { ms, outcome: JSON.parse(text).error.code, text }
        : { ms, outcome: result.structuredContent.extraction ?? 'ok', text }
    },
  }
}

/** The resident memory of a process in KB, now or at its highest since `resetPeak`. Linux only. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Whether a process runs. A process that has ended stays in the list until its parent looks. */
function isRunning(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** How many times longer than its own time a computation takes now, because the machine does other things too. */
function slowness(): number {
  const from = performance.now()
  const before = process.threadCpuUsage()
  const used = () => process.threadCpuUsage(before).user / 1_000
  while (used() < 50);
  return Math.max(1, (performance.now() - from) / used())
}

/** The CPU time that a process has used, in hundredths of a second. */
function cpuTicks(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const skip = process.platform === 'linux' ? false : 'processes are observed in /proc'

t.test(
  'every hostile page ends in under 3 s, with less than 100 MB more memory, and the next call is served',
  { skip },
  async t => {
    const gateway = await webGateway(t)
    const { origin } = await serveSite(t, { '/': GOOD })
    const isServed = async (t: Test) =>
      t.match(
        await gateway.read('fetch', { url: origin }),
        { outcome: 'article', text: /Sentence 19/ },
        'the next call is served',
      )
    for (let i = 0; i < 3; i++) await isServed(t)

    const atStart = memoryOf(gateway.pid, 'VmRSS')
    for (const [name, { at, tool, args, serve, errors }] of Object.entries(hostileFiles())) {
      await t.test(name, async t => {
        const site = await serveSite(t, { '/': GOOD, [at]: serve })
        let fastest = Number.POSITIVE_INFINITY
        let called: Called | undefined
        const before = memoryOf(gateway.pid, 'VmRSS')
        resetPeak(gateway.pid)
        for (let i = 0; i < ATTEMPTS && fastest >= LIMIT_MS; i++) {
          called = await gateway.read(tool, { url: site.origin, ...args })
          fastest = Math.min(fastest, called.ms / slowness())
        }
        const { outcome = '', text = '' } = called ?? {}
        const more = memoryOf(gateway.pid, 'VmHWM') - before
        t.comment(`${outcome} ${Math.round(fastest)} ms, ${Math.round(more / 1024)} MB`)
        t.ok(READ.includes(outcome) || errors.includes(outcome), `${outcome}: ${text.slice(0, 300)}`)
        t.ok(fastest < LIMIT_MS, `${Math.round(fastest)} ms`)
        t.ok(more < MAX_MEMORY_KB, `${Math.round(more / 1024)} MB more`)
        await isServed(t)
      })
    }
    const growth = () => memoryOf(gateway.pid, 'VmRSS') - atStart
    // The last pages may not have been collected yet; more calls make that happen.
    for (let i = 0; i < 50 && growth() >= MAX_MEMORY_KB; i++) await gateway.read('fetch', { url: origin })
    t.ok(growth() < MAX_MEMORY_KB, 'the memory does not grow from page to page')
  },
)

t.test('kill -9 leaves no process that reads pages, neither an idle nor a busy one', { skip }, async t => {
  const gateway = await webGateway(t)
  const { origin } = await serveSite(t, { '/': GOOD, '/rows': `<p>${'<i>1</i>'.repeat(5_000)}` })
  const children = () =>
    readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8').split(' ').filter(Boolean)
  await Promise.all([gateway.read('fetch', { url: origin }), gateway.read('fetch', { url: origin })])
  const both = children()
  t.equal(both.length, 2)
  // Each element is compared with all elements before it, five times over: hours.
  const slow = { url: `${origin}/rows`, select: { slow: { css: 'b ~ i ~ i ~ i ~ i ~ i' } } }
  const idle = both.map(cpuTicks)
  const cut = gateway.read('extract', slow).catch(() => {})
  await until(() => both.some((pid, i) => cpuTicks(pid) - (idle[i] ?? 0) > 20))
  await gateway.kill()
  await cut
  await until(() => !both.some(isRunning))
  t.same(both.filter(isRunning), [])
})
