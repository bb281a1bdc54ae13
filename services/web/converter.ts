import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Task, Tasks } from './conversion/tasks.ts'
import { createPool } from './pool.ts'
import type { RequestedBy } from './requested-by.ts'

/** Runs the tasks on untrusted data. */
export interface Converter {
  /** Throws PoolErrors. */
  run<T extends Task>(task: T, by: RequestedBy): Promise<Tasks[T['kind']]['answer']>
  close(): Promise<void>
}

/**
 * The time for one task, in milliseconds. Finding the main content takes up to half of it on a slow machine. A robots.txt
 * and a page together stay under three seconds.
 */
const TASK_MS: Readonly<Record<Task['kind'], number>> = {
  convert: 2_000,
  extract: 2_000,
  pdf: 2_000,
  robots: 800,
  sitemap: 2_000,
}
const HEAP_MB = 256
/** A PDF of a few kilobytes can have a stream of gigabytes, which is decompressed outside of the heap. */
const MEMORY_MB = 512
const IDLE_MS = 60_000
const MAX_QUEUED = 128
const MAX_QUEUED_EACH = 32

/**
 * What a process may read: its modules. Everything else has secrets in it, such as the data directory and the environment of
 * the gateway in /proc.
 */
function modulePaths(): string[] {
  const own = ['services', 'lib', 'schemas'].map(name => fileURLToPath(new URL(`../../${name}/`, import.meta.url)))
  const installed = createRequire(import.meta.url).resolve.paths('htmlparser2') ?? []
  return [...own, ...installed.filter(path => existsSync(path))]
}

/** Creates the converter, for the web tools and the files of connectors. Its processes start with the first task. */
export function createConverter(): Converter {
  const pool = createPool({
    // The entry has the extension of this module: .ts, or .js in a build.
    entry: fileURLToPath(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)),
    readable: modulePaths(),
    processes: Math.min(4, Math.max(2, availableParallelism())),
    heapMb: HEAP_MB,
    memoryMb: MEMORY_MB,
    idleMs: IDLE_MS,
    maxQueued: MAX_QUEUED,
    maxQueuedEach: MAX_QUEUED_EACH,
  })
  return {
    async run(task, { orgId, signal }) {
      return (await pool.run(task, { group: orgId, timeoutMs: TASK_MS[task.kind], signal })) as never
    },
    close: pool.close,
  }
}
