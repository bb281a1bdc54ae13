import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JSON_SCHEMA, load } from 'js-yaml'

/** The folder of the providers' own API descriptions, which are not part of the project; empty without one. */
export const VENDOR_APIS = process.env.VENDOR_APIS ?? ''

/** Why contract tests cannot run here; false if they can. */
export const skipped =
  VENDOR_APIS !== '' && existsSync(join(VENDOR_APIS, 'trim.mjs'))
    ? false
    : 'VENDOR_APIS names no folder of API descriptions to check tools against'

/** The description of `GET /path`. */
interface DocumentIndex {
  /** The path of the server, without a trailing slash. */
  basePath: string
  operations: readonly string[]
}

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const USED = new URL('operations.json', import.meta.url)
const CACHE = join(tmpdir(), 'connector-gateway-descriptions')

/** The operations of a description; without the descriptions, only those that tools used when operations.json was written. */
export function indexOf(file: string): DocumentIndex {
  if (skipped !== false) return usedOperations(file)
  return cached(`index:${file}`, readFileSync(join(VENDOR_APIS, file)), () => {
    const text = readFileSync(join(VENDOR_APIS, file), 'utf8')
    const document = (file.endsWith('.json') ? JSON.parse(text) : load(text, { schema: JSON_SCHEMA })) as {
      servers?: { url: string }[]
      basePath?: string
      paths: Record<string, Record<string, unknown>>
    }
    const server = document.servers?.[0]?.url ?? document.basePath ?? ''
    const { pathname } = new URL(server, 'http://host.invalid')
    return {
      basePath: pathname.replace(/\/+$/, ''),
      operations: Object.entries(document.paths).flatMap(([path, item]) =>
        Object.keys(item)
          .filter(method => /^(get|put|post|patch|delete)$/.test(method))
          .map(method => `${method.toUpperCase()} ${path}`),
      ),
    }
  })
}

function usedOperations(file: string): DocumentIndex {
  const index: Record<string, DocumentIndex> = JSON.parse(readFileSync(USED, 'utf8'))
  return index[file] ?? { basePath: '', operations: [] }
}

/** Returns a description reduced to some operations, with inlined references, so that Prism can compile it. */
export function trimmed(file: string, operations: readonly string[], responseDepth: number): Record<string, unknown> {
  const wanted = [...new Set(operations)].sort()
  const script = join(VENDOR_APIS, 'trim.mjs')
  const source = Buffer.concat([readFileSync(join(VENDOR_APIS, file)), readFileSync(script)])
  return cached(`trim:${file}:${responseDepth}:${wanted.join()}`, source, () => {
    mkdirSync(CACHE, { recursive: true })
    const out = join(CACHE, `trim-${process.pid}-${file}.json`)
    execFileSync(process.execPath, [script, join(VENDOR_APIS, file), out, ...wanted], {
      env: { ...process.env, NODE_PATH: MODULES, RESP_DEPTH: String(responseDepth) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const text = readFileSync(out, 'utf8')
    rmSync(out)
    return JSON.parse(text) as Record<string, unknown>
  })
}

/** Cached by the content of its sources: Stripe's description takes seconds to parse. */
function cached<T>(name: string, source: Buffer, make: () => T): T {
  const key = createHash('sha256').update(name).update(source).digest('hex')
  const path = join(CACHE, `${key}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  const made = make()
  mkdirSync(CACHE, { recursive: true })
  // Other test files run concurrently: write the file as a whole or not at all.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(made))
  renameSync(`${path}.${process.pid}`, path)
  return made
}
