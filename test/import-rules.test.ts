import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'

t.test('only services/identity and its plugin create an identity', async t => {
  const lines = [
    "import { verifiedIdentity } from './services/identity/identity.ts'",
    "import { type Identity, verifiedIdentity as make } from './services/identity/identity.ts'",
    "import * as all from './services/identity/identity.ts'",
    "export { verifiedIdentity } from './services/identity/identity.ts'",
    "import type { Identity } from './services/identity/identity.ts'",
  ]
  const within = (up: string) => lines.map(line => line.replace('./services', up))
  const outside: [file: string, up: string][] = [
    ['services/billing/rules.ts', '..'],
    ['plugins/standing/plugin.ts', '../../services'],
    ['routes/me.ts', '../services'],
    ['tools/manage/whoami.ts', '../../services'],
    ['services/create-services.ts', '.'],
  ]
  const inside: [file: string, up: string][] = [
    ['services/identity/api-keys.ts', '..'],
    ['test/keys.ts', '../services'],
  ]
  const files = [...outside, ...inside].map(([file, up]): [string, string[]] => [file, within(up)])
  // The lines that name it, the one that takes all, and the one that hands it on.
  const rules = { noPrivateImports: [1, 2], noNamespaceImport: [3], noBarrelFile: [4] }
  const identity: [string, string[]] = [
    'services/identity/identity.ts',
    readFileSync('services/identity/identity.ts', 'utf8').split('\n'),
  ]
  for (const [rule, places] of Object.entries(rules)) {
    const refused = await lint(t, [identity, ...files], rule)
    for (const [file] of outside) t.same(linesOf(refused, file), places, `${file}: ${rule}`)
    if (rule === 'noPrivateImports') for (const [file] of inside) t.same(linesOf(refused, file), [], `${file} can`)
  }
})

t.test('the environment is read by the entry points and the tests alone', async t => {
  const read = ['export const port = process.env.PORT']
  const entries = ['server.ts', 'cli.ts', 'kysely.config.ts', 'test/database.ts']
  const others = [
    'services/create-services.ts',
    'app.ts',
    'lib/configuration/load.ts',
    'routes/mcp.ts',
    'cli/control-socket.ts',
  ]
  const refused = await lint(
    t,
    [...entries, ...others].map(file => [file, read]),
    'noProcessEnv',
  )
  for (const file of others) t.same(linesOf(refused, file), [1], `${file} does not`)
  for (const file of entries) t.same(linesOf(refused, file), [], `${file} does`)
})

t.test('what is served imports no development dependency', async t => {
  const imports = ["import t from 'tap'", "import fastify from 'fastify'", "import x from 'nowhere'"]
  const refused = await lint(
    t,
    ['app.ts', 'test/build.ts', 'kysely.config.ts'].map(file => [file, imports]),
    'noUndeclaredDependencies',
  )
  t.same(linesOf(refused, 'app.ts'), [1, 3])
  for (const file of ['test/build.ts', 'kysely.config.ts']) t.same(linesOf(refused, file), [3], `${file} may`)
})

/** Lints the files in a tree of their own under the project's biome.json; answers `file:line` of all that the rule refuses. */
async function lint(
  t: Test,
  files: [file: string, lines: string[]][],
  rule = 'noRestrictedImports',
): Promise<string[]> {
  const root = t.testdir()
  for (const file of ['biome.json', 'package.json']) copyFileSync(file, join(root, file))
  for (const [file, lines] of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), `${lines.join('\n')}\n`)
  }
  const args = ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', '.']
  const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome')
  const output = await new Promise<string>(resolve =>
    execFile(process.execPath, [biome, ...args], { cwd: root }, (_error, stdout) => resolve(stdout)),
  )
  return [...output.matchAll(/title=lint\/\w+\/(\w+),file=(.+?),line=(\d+),/g)]
    .filter(([, broken]) => broken === rule)
    .map(([, , file = '', line]) => `${file.replace(`${root}/`, '')}:${line}`)
}

function linesOf(refused: string[], file: string): number[] {
  const lines = refused.filter(place => place.startsWith(`${file}:`)).map(place => Number(place.split(':')[1]))
  return [...new Set(lines)].sort((a, b) => a - b)
}
