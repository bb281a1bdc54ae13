import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import {
  againstLayers,
  cycles,
  type Files,
  folderOf,
  readFiles,
  unitOf,
  unusedExports,
  withoutPlugin,
} from './fixtures/import-graph.ts'

const project = readFiles('.')
const sources: Files = new Map([...project].filter(([path]) => !path.startsWith('test/')))

/** A made-up tree: the specifiers that each file imports. */
function tree(imports: Record<string, readonly string[]>): Files {
  return new Map(Object.entries(imports).map(([path, from]) => [path, from.map(name => `import '${name}'\n`).join('')]))
}

t.test('imports go one way through the layers', async t => {
  t.ok(sources.size > 300 && [...sources].some(([, text]) => text.includes("from '../")), 'the files were found')
  t.same(againstLayers(sources), [])

  const broken = tree({
    'app.ts': ['./tools/catalog.ts', './routes/mcp.ts'],
    'plugins/origin/plugin.ts': ['../../routes/mcp.ts', '../../services/identity/caller.ts'],
    'services/usage/usage.ts': ['../../tools/manage/whoami.ts', '../../test/fixture.ts'],
    'lib/vault/vault.ts': ['../../services/usage/usage.ts', '../../schemas/primitives/ids.ts'],
    'schemas/primitives/ids.ts': ['../../lib/id-source.ts', './time.ts'],
    'tools/catalog.ts': ['./connectors/catalog.ts', '../services/create-services.ts'],
    'tools/connectors/github/connector.ts': ['../../../services/definitions/http-tool.ts', '../../../lib/id-source.ts'],
  })
  t.same(againstLayers(broken), [
    'app.ts → tools/catalog.ts',
    'plugins/origin/plugin.ts → routes/mcp.ts',
    'services/usage/usage.ts → tools/manage/whoami.ts',
    'services/usage/usage.ts → test/fixture.ts',
    'lib/vault/vault.ts → services/usage/usage.ts',
    'schemas/primitives/ids.ts → lib/id-source.ts',
    'tools/connectors/github/connector.ts → lib/id-source.ts',
  ])
})

t.test('the page of the dashboard imports only itself, packages, and types of schemas', async t => {
  const broken: Files = new Map([
    [
      'dashboard/page/pages/keys.tsx',
      "import type { ApiKeyEntry } from '../../../schemas/organizations/api-key.ts'\nimport { request } from '../lib/api.ts'\n",
    ],
    ['dashboard/page/lib/money.ts', "import { dollars } from '../../../schemas/billing/money.ts'\n"],
    ['dashboard/page/lib/keys.ts', "import type { Keys } from '../../../services/organizations/keys.ts'\n"],
    ['services/usage/usage.ts', "import type { Row } from '../../dashboard/page/lib/rows.ts'\n"],
  ])
  t.same(againstLayers(broken), [
    'dashboard/page/lib/money.ts → schemas/billing/money.ts',
    'dashboard/page/lib/keys.ts → services/organizations/keys.ts',
    'services/usage/usage.ts → dashboard/page/lib/rows.ts',
  ])
})

t.test('no file and no folder imports itself through another one, not even for a type', async t => {
  t.same(
    cycles(sources, path => path),
    [],
    'files',
  )
  t.same(cycles(sources, unitOf), [], 'folders of the second level')
  t.same(cycles(sources, folderOf), [], 'all folders')

  const broken: Files = new Map([
    ['services/usage/usage.ts', "import type { Call } from '../tool-calls/call.ts'\n"],
    ['services/tool-calls/call.ts', "import { a } from './gates/a.ts'\nimport { b } from '../billing/b.ts'\n"],
    ['services/tool-calls/gates/a.ts', "export const a = () => import('../../usage/usage.ts')\n"],
    ['services/billing/b.ts', "import { x } from '../../lib/x.ts'\n"],
    ['services/create-services.ts', "import { a } from './usage/usage.ts'\n"],
  ])
  const around = [
    'services/tool-calls/gates/a.ts → services/usage/usage.ts',
    'services/usage/usage.ts → services/tool-calls/call.ts',
  ]
  t.same(
    cycles(broken, unitOf).map(cycle => cycle.sort()),
    [around],
  )
  t.same(
    cycles(broken, folderOf).map(cycle => cycle.sort()),
    [['services/tool-calls/call.ts → services/tool-calls/gates/a.ts', ...around]],
  )
})

t.test('only plugins, routes and the app import Fastify, and each folder of plugins has a plugin', async t => {
  t.same(withoutPlugin(sources), [])

  const broken = tree({
    'services/mcp/dispatch.ts': ['fastify'],
    'plugins/origin/plugin.ts': ['fastify-plugin'],
    'plugins/standing/rules.ts': ['../origin/hosts.ts'],
    'routes/mcp.ts': ['fastify'],
  })
  const withNames = new Map([...broken].map(([path, text]) => [path, text.replace("import '", "import x from '")]))
  t.same(withoutPlugin(withNames), ['services/mcp/dispatch.ts', 'plugins/standing'])
})

t.test('every export is imported by another file', async t => {
  // Kysely and Vite read their configurations by the name of the file, a group of tests replaces tap by its own test, and
  // tap gets the domains of its tests. Migrations are frozen.
  const excepted =
    /^(kysely\.config|dashboard\/page\/vite\.config|test\/groups\/tap-of-file|test\/tap-domains|lib\/database\/migrations\/.*)\.ts: /
  const unused = unusedExports(project).filter(name => !excepted.test(name))
  t.same(unused, [])

  const broken: Files = new Map([
    ['lib/a.ts', 'export const one = 1\nexport type Two = 2\nexport async function three() {}\nconst four = 4\n'],
    ['lib/b.ts', "import {\n  one,\n  type Two as Zwei,\n} from './a.ts'\nexport interface Five {}\n"],
    ['lib/c.ts', 'export default 1\nexport class Six {}\n'],
    ['test/d.ts', "import six, { Six } from '../lib/c.ts'\nexport const seven = () => import('../lib/e.ts')\n"],
    ['lib/e.ts', 'export const eight = 8\n'],
  ])
  t.same(unusedExports(broken), ['lib/a.ts: three', 'lib/b.ts: Five', 'test/d.ts: seven'])
})

t.test('only services/identity creates an identity', async t => {
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
  // The lines that import it by name, the one that imports everything, and the one that exports it again.
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

t.test('only the entry points and the tests read the environment', async t => {
  const read = ['export const port = process.env.PORT']
  const entries = ['run-server.ts', 'run-cli.ts', 'kysely.config.ts', 'test/fixtures/database.ts']
  const others = [
    'services/create-services.ts',
    'app.ts',
    'services/settings/load.ts',
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

t.test('served code imports no development dependency', async t => {
  const imports = ["import t from 'tap'", "import fastify from 'fastify'", "import x from 'nowhere'"]
  const refused = await lint(
    t,
    ['app.ts', 'test/fixtures/build.ts', 'kysely.config.ts'].map(file => [file, imports]),
    'noUndeclaredDependencies',
  )
  t.same(linesOf(refused, 'app.ts'), [1, 3])
  for (const file of ['test/fixtures/build.ts', 'kysely.config.ts']) t.same(linesOf(refused, file), [3], `${file} may`)
})

/** Lints the files in a separate tree with the project's biome.json. Returns `file:line` for each finding of a rule. */
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
