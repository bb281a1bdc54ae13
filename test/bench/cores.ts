import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** How many cores there are; asked before this process is held on one of them. */
export const CORES = availableParallelism()

/** Whether processes can be held on a core of their own: two cores, and Linux's taskset. */
export const PINNED = CORES > 1 && spawnSync('taskset', ['-V']).status === 0

/** Where the servers under test run, and where what they are not measured with does. */
export const SERVER_CORE = 0
export const LOADER_CORE = 1
export const UPSTREAM_CORE = CORES > 2 ? 2 : LOADER_CORE

/** The flags of Node.js that the gateway starts with (package.json, Dockerfile); every server is measured with them. */
export const NODE_FLAGS = ['--max-semi-space-size=8']

/** Options of `fork` that hold the child on one core, where that can be done. */
export function onCore(core: number): { execPath?: string; execArgv: string[] } {
  if (!PINNED) return { execArgv: NODE_FLAGS }
  return { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, ...NODE_FLAGS] }
}

/** Holds this process, all its threads, on one core. */
export function moveToCore(core: number): void {
  if (PINNED) spawnSync('taskset', ['-acp', String(core), String(process.pid)])
}
