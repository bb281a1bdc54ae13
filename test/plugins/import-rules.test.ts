import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'

interface Rule {
  name: string
  /** The file the lines stand in, from the root of the tree. */
  file: string
  refused: string[]
  allowed: string[]
}

/** The import rules of the design: who may stand on whom. */
const RULES: Rule[] = [
  {
    name: 'schemas import nothing of ours but schemas',
    file: 'schemas/tool.ts',
    refused: ["'../plugins/database/tables.ts'", "'../tools/define-tool.ts'", "'../services.ts'", "'fastify'"],
    allowed: ["'./ids.ts'", "'@sinclair/typebox'"],
  },
  {
    name: 'plain files of plugins stand below plugin.ts, routes, app, services and the tool families',
    file: 'plugins/origin/hosts.ts',
    refused: [
      "'fastify'",
      "'fastify-plugin'",
      "'@fastify/cors'",
      "'./plugin.ts'",
      "'../identity/plugin.ts'",
      "'../../routes/mcp.ts'",
      "'../../app.ts'",
      "'../../services.ts'",
      "'../../server.ts'",
      "'../../cli.ts'",
      "'../../tools/memory/remember.ts'",
      "'../../tools/catalog.ts'",
      "'../../test/build.ts'",
    ],
    allowed: ["'./address.ts'", "'../database/tables.ts'", "'../../schemas/ids.ts'", "'../../tools/define-tool.ts'"],
  },
  {
    name: 'the rules hold in deeper folders of plugins too',
    file: 'plugins/database/migrations/0001_init.ts',
    refused: ["'fastify'", "'../../../app.ts'", "'../../../services.ts'", "'../../../tools/memory/remember.ts'"],
    allowed: ["'kysely'"],
  },
  {
    name: 'a plugin.ts stands below routes and app, and is handed its services',
    file: 'plugins/origin/plugin.ts',
    refused: [
      "'../../routes/mcp.ts'",
      "'../../app.ts'",
      "'../../services.ts'",
      "'../../tools/memory/remember.ts'",
      "'../../test/build.ts'",
    ],
    allowed: ["'fastify'", "'fastify-plugin'", "'@fastify/cors'", "'./hosts.ts'", "'../identity/plugin.ts'"],
  },
  {
    name: 'a route stands below app and is handed its services',
    file: 'routes/mcp.ts',
    refused: [
      "'../app.ts'",
      "'../server.ts'",
      "'../cli.ts'",
      "'../services.ts'",
      "'../tools/memory/remember.ts'",
      "'../tools/catalog.ts'",
      "'../test/build.ts'",
    ],
    allowed: [
      "'fastify'",
      "'../plugins/origin/plugin.ts'",
      "'../plugins/origin/hosts.ts'",
      "'../tools/define-tool.ts'",
    ],
  },
  {
    name: 'what defines tools stands below the families',
    file: 'tools/define-tool.ts',
    refused: ["'fastify'", "'./memory/remember.ts'", "'../plugins/identity/plugin.ts'", "'../services.ts'"],
    allowed: ["'../plugins/identity/identity.ts'", "'../schemas/ids.ts'"],
  },
  {
    name: 'a tool family stands below services, app and routes, and knows no plugin.ts',
    file: 'tools/memory/remember.ts',
    refused: [
      "'fastify'",
      "'../../plugins/identity/plugin.ts'",
      "'../../routes/mcp.ts'",
      "'../../app.ts'",
      "'../../services.ts'",
      "'../../test/build.ts'",
    ],
    allowed: ["'./store.ts'", "'../define-tool.ts'", "'../../plugins/database/tables.ts'", "'../../schemas/ids.ts'"],
  },
  {
    name: 'the catalog may name the families and knows no HTTP',
    file: 'tools/catalog.ts',
    refused: ["'fastify'", "'../services.ts'", "'../routes/mcp.ts'"],
    allowed: ["'./memory/remember.ts'", "'./define-tool.ts'"],
  },
  {
    name: 'services.ts knows no HTTP',
    file: 'services.ts',
    refused: [
      "'fastify'",
      "'./plugins/origin/plugin.ts'",
      "'./routes/mcp.ts'",
      "'./app.ts'",
      "'./server.ts'",
      "'./test/build.ts'",
    ],
    allowed: ["'./tools/catalog.ts'", "'./tools/memory/remember.ts'", "'./plugins/database/tables.ts'"],
  },
  {
    name: 'app.ts is handed its services and tools',
    file: 'app.ts',
    refused: [
      "'./server.ts'",
      "'./cli.ts'",
      "'./tools/catalog.ts'",
      "'./tools/memory/remember.ts'",
      "'./test/build.ts'",
    ],
    allowed: ["'fastify'", "'./plugins/origin/plugin.ts'", "'./routes/mcp.ts'", "'./services.ts'"],
  },
  {
    name: 'server.ts leaves Fastify, routes and plugin.ts files to app.ts',
    file: 'server.ts',
    refused: ["'fastify'", "'./plugins/origin/plugin.ts'", "'./routes/mcp.ts'", "'./cli.ts'", "'./test/build.ts'"],
    allowed: ["'./app.ts'", "'./services.ts'", "'./plugins/configuration/load.ts'"],
  },
  {
    name: 'the command line stands on services and knows no HTTP',
    file: 'cli.ts',
    refused: ["'fastify'", "'./app.ts'", "'./server.ts'", "'./plugins/origin/plugin.ts'", "'./test/build.ts'"],
    allowed: ["'./services.ts'", "'./plugins/configuration/load.ts'"],
  },
]

t.test('imports go one way', async t => {
  const refused = await lint(
    t,
    RULES.map(({ file, refused, allowed }) => [file, [...refused, ...allowed].map(asImport)]),
  )
  for (const { name, file, refused: wanted } of RULES) {
    t.same(
      linesOf(refused, file),
      wanted.map((_, index) => index + 1),
      name,
    )
  }
})

t.test('an identity is made in plugins/identity alone', async t => {
  const lines = [
    "import { verifiedIdentity } from './plugins/identity/identity.ts'",
    "import { type Identity, verifiedIdentity as make } from './plugins/identity/identity.ts'",
    "import * as all from './plugins/identity/identity.ts'",
    "export { verifiedIdentity } from './plugins/identity/identity.ts'",
    "import type { Identity } from './plugins/identity/identity.ts'",
  ]
  const within = (up: string) => lines.map(line => line.replace('./plugins', up))
  const outside: [file: string, up: string][] = [
    ['plugins/standing/rules.ts', '..'],
    ['plugins/standing/plugin.ts', '..'],
    ['routes/me.ts', '../plugins'],
    ['tools/manage/whoami.ts', '../../plugins'],
    ['services.ts', './plugins'],
  ]
  const inside: [file: string, up: string][] = [
    ['plugins/identity/api-keys.ts', '..'],
    ['plugins/identity/plugin.ts', '..'],
    ['test/keys.ts', '../plugins'],
  ]
  const files = [...outside, ...inside].map(([file, up]): [string, string[]] => [file, within(up)])
  // The lines that name it, the one that takes all, and the one that hands it on.
  const rules = { noPrivateImports: [1, 2], noNamespaceImport: [3], noBarrelFile: [4] }
  const identity: [string, string[]] = [
    'plugins/identity/identity.ts',
    readFileSync('plugins/identity/identity.ts', 'utf8').split('\n'),
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
  const others = ['services.ts', 'app.ts', 'plugins/configuration/load.ts', 'routes/mcp.ts', 'tools/define-tool.ts']
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

function asImport(specifier: string, index: number): string {
  return `import { x as x${index} } from ${specifier}`
}

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
