import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { acceptsEncoding } from '../../lib/http/headers.ts'

/** A file of the page, as it is sent. */
export interface PageFile {
  body: Buffer
  type: string
  /** The content coding of the body; undefined if it is plain. */
  encoding: 'br' | 'gzip' | undefined
  /** Whether its name has a digest of its content, so that it never changes. */
  immutable: boolean
}

/** The built page of the dashboard. */
export interface PageFiles {
  /** The file of a URL path such as `/assets/index-4f2a.js`; undefined if there is none. `accepts` is Accept-Encoding. */
  find(path: string, accepts: string | undefined): PageFile | undefined
  /** The HTML of every page; undefined if the page was not built. */
  shell(accepts: string | undefined): PageFile | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Serves the files of a directory with their compressed forms (`name.br`, `name.gz`) beside them. Only names that the
 * directory had at the start are found, so no path leads out of it. Contents are read at their first request.
 */
export function createPageFiles(directory: string): PageFiles {
  const names = new Set(existsSync(directory) ? listFiles(directory) : [])
  const contents = new Map<string, Buffer>()

  function read(name: string): Buffer | undefined {
    const known = contents.get(name)
    if (known !== undefined) return known
    const path = join(directory, name)
    // A page that was built again since the start has other names.
    if (!existsSync(path)) return undefined
    const body = readFileSync(path)
    contents.set(name, body)
    return body
  }

  function find(path: string, accepts?: string): PageFile | undefined {
    const type = TYPES[extname(path)]
    if (type === undefined || !names.has(path)) return undefined
    const found = ENCODINGS.find(([coding, suffix]) => acceptsEncoding(accepts, coding) && names.has(path + suffix))
    const name = found === undefined ? path : path + found[1]
    const body = read(name)
    return body && { body, type, encoding: found?.[0], immutable: path.startsWith('/assets/') }
  }

  return { find, shell: accepts => find('/index.html', accepts) }
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
}
