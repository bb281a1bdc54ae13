import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { startProgram } from './gateway-process.ts'

const run = promisify(execFile)
const UNIT = 'connector-gateway.service'
/** The maximum exposure that systemd may report, from 0 to 100. A service without hardening has nearly 100. */
const MAX_EXPOSURE = 15

const sample = readFileSync(join('deploy', UNIT), 'utf8')
const skip = spawnSync('systemd-analyze', ['--version']).error === undefined ? false : 'needs systemd-analyze'

/** The values of a setting of the unit, in their order. */
const valuesOf = (name: string) =>
  [...sample.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'cgw-systemd-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

t.test('systemd accepts the unit of deploy/ without a warning', { skip }, async t => {
  const unit = join(folder(t), UNIT)
  writeFileSync(unit, sample.replace('/usr/bin/node', process.execPath))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit])
  t.equal(stdout + stderr, '')
})

t.test(`systemd finds the exposure of the unit to be at most ${MAX_EXPOSURE / 10} of 10`, { skip }, async t => {
  const args = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, join('deploy', UNIT)]
  const { stdout } = await run('systemd-analyze', args)
  t.match(stdout, /Overall exposure level for connector-gateway.service: \d/)
})

t.test(
  'the command of the unit starts what npm run build makes, with its environment, and stops in its time',
  async t => {
    const home = folder(t)
    // Without the loaders that tap adds to every Node.js process, which cannot load the compiler.
    const tsc = [process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
    await run('env', ['-u', 'NODE_OPTIONS', ...tsc, '--outDir', join(home, 'dist')])
    symlinkSync(resolve('node_modules'), join(home, 'node_modules'))
    const dataDir = join(home, 'state')
    mkdirSync(dataDir, { mode: Number.parseInt(valuesOf('StateDirectoryMode')[0] ?? '', 8) })
    const secret = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
    const port = await freePort()
    const environment = {
      // Those of the unit, with the folder and the port of this test.
      ...Object.fromEntries(valuesOf('Environment').flatMap(line => line.split(' ').map(pair => pair.split('=')))),
      DATA_DIR: dataDir,
      PORT: String(port),
      // Those of the environment file.
      PUBLIC_ORIGINS: 'https://gateway.example',
      API_KEY_PEPPERS: secret('p1'),
      VAULT_KEYS: secret('v1'),
    }
    t.match(environment, { GATEWAY_ENV: 'production', HOST: '127.0.0.1' })
    t.equal(valuesOf('WorkingDirectory')[0], '/opt/connector-gateway')
    const [node, ...args] = valuesOf('ExecStart')[0]?.split(' ') ?? []
    t.equal(node, '/usr/bin/node')
    const gateway = await startProgram(t, args, environment, home)
    const answer = await fetch(`${gateway.url}/health?ready`)
    t.equal(answer.status, 200)
    const { code, ms } = await gateway.stop(valuesOf('KillSignal')[0] as 'SIGTERM')
    t.equal(code, 0)
    t.ok(ms < Number(valuesOf('TimeoutStopSec')[0]) * 1_000)
    t.ok(Number(valuesOf('TimeoutStopSec')[0]) >= 35)
  },
)
