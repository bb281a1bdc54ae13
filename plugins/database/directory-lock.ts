import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './error-code.ts'

/** Another process has the embedded database open. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/** A directory that this process holds until it gives it back. */
export interface DirectoryLock {
  release(): void
}

interface Holder {
  pid: number
  /** When that process started, by its own reckoning and by the kernel's: a pid alone comes back. */
  origin: number
  started: string | null
}

/**
 * Takes the lock file for this process: PGlite has no lock of its own, and two processes on one directory lose commits.
 * A lock whose process is gone is taken over. Throws an Error that names the process that holds it.
 */
export function lockDirectory(file: string): DirectoryLock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const self: Holder = { pid: process.pid, origin: performance.timeOrigin, started: startOf(process.pid) }
  const text = JSON.stringify(self)

  for (;;) {
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
      return { release: () => release(file, text) }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const found = read(file)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && isAlive(holder, self)) {
      throw new DirectoryInUse(
        `${dirname(file)} is in use by process ${holder.pid}: the embedded database belongs to one process. ` +
          'Stop that process, set another DATA_DIR, or set DATABASE_URL to use PostgreSQL.',
      )
    }
    removeStale(file, found)
  }
}

function isAlive(holder: Holder, self: Holder): boolean {
  // In a container every process is pid 1: our own pid is an earlier run's, unless it started when we did.
  if (holder.pid === self.pid) return holder.origin === self.origin
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  return holder.started === null || holder.started === startOf(holder.pid)
}

/** When the kernel started a process, in ticks since boot; null where it does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command stands in parentheses and may hold spaces: field 22 is the 20th behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** Moves the stale lock away. Of several processes that try, one moves it; who moved a fresh one puts it back. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  try {
    if (read(aside) !== stale) linkSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
}

function release(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, origin, started } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && pid > 0 ? { pid, origin: Number(origin), started: started ?? null } : undefined
  } catch {
    // A process that died between making the file and writing it.
    return undefined
  }
}
