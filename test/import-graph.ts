import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The files of a tree by path, with their text. */
export type Files = ReadonlyMap<string, string>

/** A file that another one imports, and what it takes from it. */
interface Import {
  from: string
  to: string
  /** The names, or all of them for a namespace, a side effect or `import()`. */
  names: readonly string[] | 'all'
  /** Whether nothing of it is left when the program runs. */
  typeOnly: boolean
}

const SOURCES = '{*.ts,{cli,dashboard,lib,plugins,routes,schemas,scripts,services,tools,test}/**/*.{ts,tsx}}'
/** Biome writes each import and export at the beginning of a line, with single quotes. */
const STATIC = /^(?:import|export)( type)?(?: ([^'=]*?))?(?: from)? '(\.{1,2}\/[^']+)'/gm
const DYNAMIC = /\bimport\('(\.{1,2}\/[^']+)'\)/g
const DECLARATION = /^export (?:declare )?(?:abstract |async )*(?:function\*?|const|let|class|interface|type) (\w+)/gm

/** The TypeScript files of the project. */
export function readFiles(root: string): Files {
  const paths = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
  return new Map(paths.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The imports of values and of types between the files. */
function importsOf(files: Files): Import[] {
  return [...files].flatMap(([from, text]) => {
    const to = (specifier: string) => relative('.', join(dirname(from), specifier))
    const imports: Import[] = []
    for (const [, type, clause, specifier = ''] of text.matchAll(STATIC))
      imports.push({ from, to: to(specifier), names: namesOf(clause), typeOnly: type !== undefined })
    for (const [, specifier = ''] of text.matchAll(DYNAMIC))
      imports.push({ from, to: to(specifier), names: 'all', typeOnly: false })
    return imports
  })
}

/** The names of a clause such as `fp, { type A, b as c }`. */
function namesOf(clause = '*'): Import['names'] {
  if (clause.includes('*')) return 'all'
  const [before = '', braces = ''] = clause.split('{')
  const named = braces.replace('}', '').split(',')
  const names = named.map(name =>
    name
      .trim()
      .replace(/^type /, '')
      .replace(/ as .*/, ''),
  )
  return [...(/\w/.test(before) ? ['default'] : []), ...names.filter(Boolean)]
}

/** What each part of the project may import, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'server.ts': ['app.ts', 'dashboard-app.ts', 'cli', 'tools', 'services', 'lib', 'schemas'],
  'cli.ts': ['cli', 'tools', 'services', 'lib', 'schemas'],
  'kysely.config.ts': ['lib', 'schemas'],
  'app.ts': ['routes', 'plugins', 'services', 'lib', 'schemas'],
  'dashboard-app.ts': ['app.ts', 'routes', 'plugins', 'services', 'lib', 'schemas'],
  cli: ['services', 'lib', 'schemas'],
  routes: ['plugins', 'services', 'lib', 'schemas'],
  plugins: ['services', 'lib', 'schemas'],
  tools: ['tools/connectors', 'services', 'lib', 'schemas'],
  'tools/connectors': ['services/definitions', 'schemas'],
  services: ['lib', 'schemas'],
  lib: ['schemas', 'package.json'],
  schemas: [],
  // What developers run; none of it is part of the build.
  scripts: ['tools', 'services', 'lib', 'schemas'],
  // The build of the page. The page runs in a browser: of the project it gets only the types of the schemas.
  dashboard: [],
  'dashboard/page': [],
}
const MAY_IMPORT_TYPES: Readonly<Record<string, readonly string[]>> = { 'dashboard/page': ['schemas'] }

/** The imports against the layers, as `file → file`. */
export function againstLayers(files: Files): string[] {
  return importsOf(files)
    .filter(({ from, to, typeOnly }) => {
      const layer = layerOf(from)
      const allowed = [...(MAY_IMPORT[layer] ?? []), ...(typeOnly ? (MAY_IMPORT_TYPES[layer] ?? []) : [])]
      return layer !== layerOf(to) && !allowed.some(path => to === path || to.startsWith(`${path}/`))
    })
    .map(({ from, to }) => `${from} → ${to}`)
}

function layerOf(path: string): string {
  const nested = ['tools/connectors', 'dashboard/page'].find(layer => path.startsWith(`${layer}/`))
  return nested ?? path.split('/')[0] ?? path
}

/** The files besides plugins, routes, `app.ts` and `dashboard-app.ts` that import Fastify, and the folders of plugins without a `plugin.ts`. */
export function withoutPlugin(files: Files): string[] {
  const isPlugin = /^((?:dashboard-)?app\.ts|routes\/.*|plugins\/[^/]+\/plugin\.ts|test\/.*)$/
  const others = [...files].filter(([path, text]) => !isPlugin.test(path) && /from '(@fastify\/|fastify)/.test(text))
  const folders = [...files.keys()].filter(path => path.startsWith('plugins/')).map(path => dirname(path))
  const bare = folders.filter(folder => !files.has(`${folder}/plugin.ts`))
  return [...others.map(([path]) => path), ...new Set(bare)]
}

/**
 * The unit of a file: a folder of `lib`, `services`, `plugins`, `tools` or `dashboard`, any other top-level folder, or a
 * single file.
 */
export function unitOf(path: string): string {
  const [top = '', folder] = path.split('/')
  return ['lib', 'services', 'plugins', 'tools', 'dashboard'].includes(top) && folder !== undefined
    ? `${top}/${folder}`
    : top
}

/**
 * The folder of a file. A file that composes the folders below its own is a separate node: `create-*.ts`,
 * `catalog.ts`, `connector.ts` of a connector, and `commands.ts`.
 */
export function folderOf(path: string): string {
  const composes = /(^|\/)(create-[^/]+|catalog|commands)\.ts$|^tools\/.*\/connector\.ts$/
  return composes.test(path) || !path.includes('/') ? path : dirname(path)
}

/** The exports that no other file imports, as `file: name`. */
export function unusedExports(files: Files): string[] {
  const used = new Map<string, Set<string> | 'all'>()
  for (const { from, to, names } of importsOf(files)) {
    const known = used.get(to) ?? new Set()
    if (from === to || known === 'all') continue
    used.set(to, names === 'all' ? 'all' : known.union(new Set(names)))
  }
  return [...files].flatMap(([path, text]) => {
    const taken = used.get(path)
    if (taken === 'all') return []
    const names = Array.from(text.matchAll(DECLARATION), ([, name = '']) => name)
    if (/^export default /m.test(text)) names.push('default')
    return names.filter(name => !taken?.has(name)).map(name => `${path}: ${name}`)
  })
}

/** The cycles between nodes, each as the imports that make it; `nodeOf` names the node of a file. */
export function cycles(files: Files, nodeOf: (path: string) => string): string[][] {
  const edges = new Map<string, Map<string, string>>()
  for (const { from, to } of importsOf(files)) {
    const [a, b] = [nodeOf(from), nodeOf(to)]
    const targets = edges.get(a) ?? new Map<string, string>()
    if (a !== b && !targets.has(b)) targets.set(b, `${from} → ${to}`)
    edges.set(a, targets)
  }
  const reachable = new Map([...edges.keys()].map(node => [node, reach(node, edges)]))
  const inCycle = [...edges.keys()].filter(node => reachable.get(node)?.has(node))
  const groups = Map.groupBy(inCycle, node =>
    inCycle.filter(other => reachable.get(node)?.has(other) && reachable.get(other)?.has(node)).join(),
  )
  return Array.from(groups.values(), group =>
    group.flatMap(node => [...(edges.get(node) ?? [])].filter(([to]) => group.includes(to)).map(([, why]) => why)),
  )
}

function reach(start: string, edges: ReadonlyMap<string, ReadonlyMap<string, string>>): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of edges.get(node)?.keys() ?? [])
      if (!reached.has(next)) {
        reached.add(next)
        open.push(next)
      }
  return reached
}
