import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { remoteCapability } from '../../schemas/remote-names.ts'
import { createServices } from '../../services/create-services.ts'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { directory } from '../directory.ts'
import { scrub } from '../fixture.ts'
import { NO_LOAD_SHEDDING } from '../no-load-shedding.ts'
import { testSettings } from '../settings.ts'
import { clientSlots } from './client-slots.ts'
import { credentialProxy } from './credential-proxy.ts'
import { fixtureFamily } from './fixture-family.ts'
import { fixtureTools } from './fixture-tools.ts'
import { type FixtureUpstream, fixtureUpstreams } from './fixture-upstreams.ts'

const RUNNER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
/** Per scenario, in milliseconds. A client's time includes its wait for a slot. */
const TIMEOUT = ['--timeout', '600000']
/** What the runner needs of a server and may not reach, kept beside the project. */
const SHARED = new URL('../../../shared/conformance/', import.meta.url)
const REVISIONS = ['2025-11-25', '2026-07-28']

/** The whole app on a database of its own, behind a proxy that adds the key of an organization's owner. */
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
    /** Registers an upstream, whose tools alone the proxy calls from now on. */
    async callThrough({ slug, url, auth }: FixtureUpstream) {
      const request = { slug, name: slug, upstream_url: url, auth }
      const { snapshot } = await services.remotes.register(owner.caller, request, proxy.origin)
      if (snapshot === undefined || snapshot.rejected.count > 0)
        throw new Error(`Not all tools of ${slug} are there: ${JSON.stringify(snapshot?.rejected)}`)
      proxy.passTo({ port, key, prefix: `${remoteCapability(slug)}__` })
    },
    async close() {
      proxy.close()
      await app.close()
      await services.close()
    },
  }
}

/** What the runner judges, and with what of it. */
interface Judged {
  /** What it is called. */
  name: string
  role: 'server' | 'client'
  flags: readonly string[]
  revision: string
  baseline: URL
}

/** Runs one requirement set; the runner's exit code is 1 on a failure the baseline does not have, and on one it has for nothing. */
async function judge({ name, role, flags, revision, baseline }: Judged, workspace: string): Promise<void> {
  const set = ['--requirements', revision, '--expected-failures', fileURLToPath(baseline)]
  const results = ['-o', join(workspace, `${name}-${revision}`)]
  const runner = spawn(process.execPath, [RUNNER, role, ...flags, ...set, ...TIMEOUT, ...results], { stdio: 'inherit' })
  const conforms = await new Promise<boolean>((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', code => resolve(code === 0))
  })
  console.log(`conformance: ${name}, ${revision} ${conforms ? 'as expected' : 'NOT as expected'}`)
  if (!conforms) process.exitCode = 1
}

async function judgeServer(name: string, url: string): Promise<void> {
  for (const revision of REVISIONS) {
    const baseline = new URL(`baseline-${revision}.yml`, SHARED)
    await judge({ name, role: 'server', flags: ['--url', url], revision, baseline }, workspace)
  }
}

const workspace = mkdtempSync(join(tmpdir(), 'connector-gateway-conformance-'))

const slots = await clientSlots()
/** How the runner starts the client of upstreams. The runner appends a URL, and a shell parses the command. */
const command = [process.execPath, fileURLToPath(new URL('client-in-slot.ts', import.meta.url)), slots.port]
  .map(part => `"${part}"`)
  .join(' ')
for (const revision of REVISIONS) {
  const baseline = new URL(`client-baseline-${revision}.yml`, import.meta.url)
  await judge({ name: 'client', role: 'client', flags: ['--command', command], revision, baseline }, workspace)
}
slots.close()

if (!existsSync(SHARED)) {
  console.log(
    'conformance: server skipped, because the shared fixtures and baselines (../shared/conformance) are not here',
  )
} else {
  const tools = await fixtureTools(new URL('fixture-tools.mjs', SHARED))
  const own = await serve(join(workspace, 'own'), fixtureFamily(tools))
  await judgeServer('server', own.url)
  await own.close()

  const ending: (() => unknown)[] = []
  const through = await serve(join(workspace, 'through'))
  for (const upstream of await fixtureUpstreams({ teardown: end => void ending.push(end) }, tools)) {
    await through.callThrough(upstream)
    await judgeServer(`server through ${upstream.slug} upstream`, through.url)
  }
  await through.close()
  for (const end of ending) await end()
}

rmSync(workspace, { recursive: true })
