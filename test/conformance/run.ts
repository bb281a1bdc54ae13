import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { createServices } from '../../services/create-services.ts'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { directory } from '../fixtures/directory.ts'
import { scrub } from '../fixtures/fixture.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'
import { testSettings } from '../fixtures/settings.ts'
import { clientSlots } from './client-slots.ts'
import { credentialProxy } from './credential-proxy.ts'
import { fixtureFamily } from './fixture-family.ts'
import { FIXTURE_TOOLS } from './fixture-tools.ts'
import { type FixtureUpstream, fixtureUpstreams } from './fixture-upstreams.ts'

const RUNNER = fileURLToPath(
  new URL('../checkers/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
/** Per scenario, in milliseconds. A client's time includes its wait for a slot. */
const TIMEOUT = ['--timeout', '600000']
const REVISIONS = ['2025-11-25', '2026-07-28']

/** Starts the whole app with its own database, behind a proxy that adds the key of an organization's owner. */
async function serve(dataDir: string, families: readonly AnyTool[] = []) {
  const proxy = await credentialProxy()
  const log = pino({ level: 'silent' })
  const settings = testSettings({ dataDir, publicOrigins: () => [proxy.origin] })
  const services = await createServices(settings, { ...CATALOG, log, scrub, families })
  await services.database.migrate()
  const owner = await (await directory(services).org()).member('owner')
  const { key } = await owner.key()

  const app = buildApp(services, { logger: log, overload: NO_LOAD_SHEDDING })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  proxy.passTo({ port, key })
  return {
    url: `${proxy.origin}/mcp`,
    /** Registers an upstream. From now on, the proxy uses only its tools, resources and prompts. */
    async callThrough({ slug, url, auth }: FixtureUpstream) {
      const request = { slug, name: slug, upstream_url: url, auth }
      const { snapshot } = await services.remotes.register(owner.caller, request, proxy.origin)
      const rejected = [...(snapshot?.rejected.tools ?? []), ...(snapshot?.offers.rejected ?? [])]
      if (snapshot === undefined || rejected.length > 0)
        throw new Error(`The gateway did not take all of ${slug}: ${JSON.stringify(rejected)}`)
      proxy.passTo({ port, key, slug })
    },
    async close() {
      proxy.close()
      await app.close()
      await services.close()
    },
  }
}

/** One run of the conformance runner. */
interface ConformanceRun {
  /** The name in the output. */
  name: string
  role: 'server' | 'client'
  flags: readonly string[]
  revision: string
  baseline: URL
}

/** Runs one requirement set. The runner exits with 1 for a failure outside the baseline and for a needless baseline entry. */
async function checkConformance(
  { name, role, flags, revision, baseline }: ConformanceRun,
  workspace: string,
): Promise<void> {
  const set = ['--requirements', revision, '--expected-failures', fileURLToPath(baseline)]
  const results = ['-o', join(workspace, `${name}-${revision}`)]
  await runRunner(`${name}, ${revision}`, [role, ...flags, ...set, ...results])
}

async function runRunner(what: string, args: readonly string[]): Promise<void> {
  const runner = spawn(process.execPath, [RUNNER, ...args, ...TIMEOUT], { stdio: 'inherit' })
  const conforms = await new Promise<boolean>((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', code => resolve(code === 0))
  })
  console.log(`conformance: ${what} ${conforms ? 'as expected' : 'NOT as expected'}`)
  if (!conforms) process.exitCode = 1
}

async function checkServer(name: string, url: string, kind: 'server' | 'through'): Promise<void> {
  for (const revision of REVISIONS) {
    const baseline = new URL(`${kind}-baseline-${revision}.yml`, import.meta.url)
    await checkConformance({ name, role: 'server', flags: ['--url', url], revision, baseline }, workspace)
  }
}

const workspace = mkdtempSync(join(tmpdir(), 'connector-gateway-conformance-'))

/** `client` or `server`, to check only one role; both if absent. */
const [only] = process.argv.slice(2)
if (only !== 'server') await checkClient()
if (only !== 'client') await checkServers()
rmSync(workspace, { recursive: true })

async function checkClient(): Promise<void> {
  const slots = await clientSlots()
  /** How the runner starts the client of upstreams. The runner appends a URL, and a shell parses the command. */
  const command = [process.execPath, fileURLToPath(new URL('client-in-slot.ts', import.meta.url)), slots.port]
    .map(part => `"${part}"`)
    .join(' ')
  for (const revision of REVISIONS) {
    const baseline = new URL(`client-baseline-${revision}.yml`, import.meta.url)
    await checkConformance(
      { name: 'client', role: 'client', flags: ['--command', command], revision, baseline },
      workspace,
    )
  }
  /** The scenarios of an extension, which no revision requires. */
  for (const scenario of ['auth/client-credentials-basic', 'auth/client-credentials-jwt'])
    await runRunner(scenario, ['client', '--command', command, '--scenario', scenario, '-o', join(workspace, scenario)])
  slots.close()
}

async function checkServers(): Promise<void> {
  const own = await serve(join(workspace, 'own'), fixtureFamily(FIXTURE_TOOLS))
  await checkServer('server', own.url, 'server')
  await own.close()

  const ending: (() => unknown)[] = []
  const through = await serve(join(workspace, 'through'))
  for (const upstream of await fixtureUpstreams({ teardown: end => void ending.push(end) }, FIXTURE_TOOLS)) {
    await through.callThrough(upstream)
    await checkServer(`server through ${upstream.slug} upstream`, through.url, 'through')
  }
  await through.close()
  for (const end of ending) await end()
}
