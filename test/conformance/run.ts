import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { createServices } from '../../services.ts'
import { directory } from '../directory.ts'
import { testSettings } from '../settings.ts'
import { scrub } from '../stage.ts'
import { credentialProxy } from './credential-proxy.ts'
import { fixtureFamily } from './fixture-family.ts'
import { fixtureTools } from './fixture-tools.ts'

const RUNNER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
/** What the runner needs and may not reach, kept beside the project. */
const SHARED = new URL('../../../shared/conformance/', import.meta.url)
const REVISIONS = ['2025-11-25', '2026-07-28']

/** The whole app with the runner's fixture tools, on a database of its own, behind a proxy that adds a key. */
async function serve(workspace: string) {
  const proxy = await credentialProxy()
  const log = pino({ level: 'silent' })
  const settings = testSettings({ dataDir: workspace, publicOrigins: () => [proxy.origin] })
  const families = fixtureFamily(await fixtureTools(new URL('fixture-tools.mjs', SHARED)))
  const services = await createServices(settings, { log, scrub, families })
  await services.database.migrate()
  const { key } = await (await (await directory(services).org()).member('owner')).key()

  const app = buildApp(services, { logger: log })
  await app.listen({ host: '127.0.0.1', port: 0 })
  proxy.passTo({ port: (app.server.address() as AddressInfo).port, key })
  return {
    url: `${proxy.origin}/mcp`,
    async close() {
      proxy.close()
      await app.close()
      await services.close()
    },
  }
}

/** Runs one requirement set; the runner's exit code is 1 on a failure the baseline does not have, and on one it has for nothing. */
async function judge(revision: string, url: string, workspace: string): Promise<boolean> {
  const baseline = fileURLToPath(new URL(`baseline-${revision}.yml`, SHARED))
  const flags = ['--requirements', revision, '--expected-failures', baseline, '-o', join(workspace, revision)]
  const runner = spawn(process.execPath, [RUNNER, 'server', '--url', url, ...flags], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', code => resolve(code === 0))
  })
}

if (!existsSync(SHARED)) {
  console.log('conformance: skipped, because the shared fixtures and baselines (../shared/conformance) are not here')
} else {
  const workspace = mkdtempSync(join(tmpdir(), 'connector-gateway-conformance-'))
  const server = await serve(workspace)
  for (const revision of REVISIONS) {
    const conforms = await judge(revision, server.url, workspace)
    console.log(`conformance: ${revision} ${conforms ? 'as expected' : 'NOT as expected'}`)
    if (!conforms) process.exitCode = 1
  }
  await server.close()
  rmSync(workspace, { recursive: true })
}
