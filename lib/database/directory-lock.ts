import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.ts'
import { type Holder, isAlive, isThisProcess, parseHolder, thisProcess } from './lock-holder.ts'

/** Another process has the embedded database open. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/** A directory that this process holds until it gives it back. */
export interface DirectoryLock {
  release(): void
}

/** How long a start waits for the holder: a killed process exists until the kernel has freed its memory. */
const HOLDER_WAIT_MS = 5_000
const POLL_MS = 50

/**
 * Takes the lock file for this process: PGlite has no lock of its own, and two processes on one directory lose commits.
 * Waits for another process that holds it to end or release it, and takes over a lock whose process is gone. Throws a
 * DirectoryInUse that names the holder if it still runs after `waitMs`, and at once if this process is the holder.
 */
export async function lockDirectory(file: string, { waitMs = HOLDER_WAIT_MS } = {}): Promise<DirectoryLock> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify(thisProcess())
  const deadline = performance.now() + waitMs

  for (;;) {
    if (create(file, text)) return { release: () => release(file, text) }
    const found = read(file)
    if (found === undefined) continue
    const holder = parseHolder(found)
    if (holder === undefined || !isAlive(holder)) removeStale(file, found)
    else if (isThisProcess(holder) || performance.now() >= deadline) throw inUse(file, holder)
    else await delay(POLL_MS)
  }
}

/** Whether the lock file did not exist and is now this process's. */
function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function inUse(file: string, { pid }: Holder): DirectoryInUse {
  return new DirectoryInUse(
    `${dirname(file)} is in use by process ${pid}: the embedded database belongs to one process. ` +
      'Stop that process, set another DATA_DIR, or set DATABASE_URL to use PostgreSQL.',
  )
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
