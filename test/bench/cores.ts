import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The number of cores, read before this process is pinned to one of them. */
export const CORES = availableParallelism()

/** Whether processes can be pinned to a core, which needs two cores and Linux's taskset. */
export const PINNED = CORES > 1 && spawnSync('taskset', ['-V']).status === 0

/** The cores of the servers under test, of the load generator, and of the upstream. */
export const SERVER_CORE = 0
export const LOADER_CORE = 1
export const UPSTREAM_CORE = CORES > 2 ? 2 : LOADER_CORE

/** The Node.js flags of the gateway (package.json, Dockerfile). Every server is measured with them. */
export const NODE_FLAGS = ['--max-semi-space-size=4']

/** Returns options of `fork` that pin the child to one core, if possible. */
export function onCore(core: number): { execPath?: string; execArgv: string[] } {
  if (!PINNED) return { execArgv: NODE_FLAGS }
  return { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, ...NODE_FLAGS] }
}

/** Pins all threads of this process to one core, if possible. */
export function moveToCore(core: number): void {
  if (PINNED) spawnSync('taskset', ['-acp', String(core), String(process.pid)])
}
