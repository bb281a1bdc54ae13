import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from './settings.ts'

/** The value of GATEWAY_COMMIT where nobody has set it. */
const UNKNOWN = 'unknown'
/** Two folders below the root of a clone, where the sources run. */
const ROOT = resolve(import.meta.dirname, '..', '..')

/** In development without GATEWAY_COMMIT, takes the commit of the clone that runs. It costs reading two small files. */
export function withCheckoutCommit(settings: Settings, root = ROOT): Settings {
  const { environment, build } = settings
  if (environment !== 'development' || build.commit !== UNKNOWN) return settings
  return { ...settings, build: { ...build, commit: commitOf(root) ?? UNKNOWN } }
}

/** The commit that is checked out in a folder; undefined where it is no clone, or one in a form that is not known. */
function commitOf(root: string): string | undefined {
  try {
    const own = gitFolder(join(root, '.git'))
    const head = read(join(own, 'HEAD'))
    const branch = /^ref: (refs\/\S+)$/.exec(head)?.[1]
    const commit = branch === undefined ? head : tipOf(branch, own)
    return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined
  } catch {
    return undefined
  }
}

/** In a worktree, `.git` is a file that names the folder. */
function gitFolder(path: string): string {
  try {
    return resolve(dirname(path), /^gitdir: (.+)$/.exec(read(path))?.[1] ?? '')
  } catch {
    return path
  }
}

function tipOf(branch: string, own: string): string | undefined {
  const shared = existsSync(join(own, 'commondir')) ? resolve(own, read(join(own, 'commondir'))) : own
  if (existsSync(join(shared, branch))) return read(join(shared, branch))
  const packed = read(join(shared, 'packed-refs')).split('\n')
  return packed.find(line => line.endsWith(` ${branch}`))?.split(' ')[0]
}

function read(path: string): string {
  return readFileSync(path, 'utf8').trim()
}
