import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './database-errors.ts'

/** Another process has the embedded database open. */
class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/** A lock on a directory, held until it is released. */
export interface DirectoryLock {
  release(): void
}

/** How long a start waits for the holder: a killed process exists until the kernel has freed its memory. */
const HOLDER_WAIT_MS = 5_000
const POLL_MS = 50

/**
 * Takes the lock file for this process. PGlite has no lock of its own, and two processes on one directory lose commits.
 * Waits for another holder to end or release the lock, and takes over the lock of a process that is gone. Throws a
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

/** Creates the lock file; false if it already exists. */
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

/**
 * Moves a stale lock away. Only one of several processes can move it; a process that moved a fresh lock puts it back.
 */
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

/** The holder of a lock, as the lock file names it. */
interface Holder {
  pid: number
  /** When the process started, by its own clock and by the kernel's. Two times are needed because PIDs are reused. */
  origin: number
  started: string | null
}

/** The content of this process's lock file. */
function thisProcess(): Holder {
  return { pid: process.pid, origin: performance.timeOrigin, started: processStat(process.pid)?.started ?? null }
}

/** Parses a lock file; undefined if its process died between creating and writing it. */
function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, origin, started } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && pid > 0 ? { pid, origin: Number(origin), started: started ?? null } : undefined
  } catch {
    return undefined
  }
}

/** Whether this process is the holder. */
function isThisProcess(holder: Holder): boolean {
  // In a container every process has PID 1. Our own PID belongs to an earlier run unless it started when we did.
  return holder.pid === process.pid && holder.origin === performance.timeOrigin
}

/** Whether the holder still runs. */
function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return isThisProcess(holder)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const stat = processStat(holder.pid)
  // A zombie keeps its PID until its parent collects it, which some parents never do, but it runs nothing anymore.
  if (stat?.ended) return false
  return holder.started === null || holder.started === (stat?.started ?? null)
}

interface ProcessStat {
  /** When the kernel started the process, in ticks since boot. */
  started: string | null
  /** Whether the process and all of its threads ended. */
  ended: boolean
}

/** Reads a process's state on Linux; undefined for a process that is gone, and on other systems. */
function processStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command is in parentheses and may contain spaces. The state is field 3, the first one after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = ''] = fields
    // The main thread can be a zombie before the other threads end.
    return { started: fields[19] ?? null, ended: 'ZXx'.includes(state) && Number(fields[17]) <= 1 }
  } catch {
    return undefined
  }
}
