import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { onCore, SERVER_CORE } from './cores.ts'
import type { Ready } from './servers/report.ts'

/** A server under test in a separate process, which reports its CPU time. */
export interface ServerProcess extends Ready {
  /** User and system time since its start, in microseconds. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

/** Starts `servers/<name>.ts`. Its standard output is a pipe, as in a container, and is discarded. */
export async function startServer(
  name: string,
  env: Record<string, string> = {},
  core = SERVER_CORE,
): Promise<ServerProcess> {
  const child = fork(new URL(`servers/${name}.ts`, import.meta.url), {
    ...onCore(core),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.stdout?.resume()
  const ready = (await message(child)) as Ready
  return {
    ...ready,
    async cpu() {
      child.send('cpu')
      return (await message(child)) as number
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Resolves with the child's next message; rejects if it exits first. */
function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A server under test ended with ${code}.`))
    child.once('exit', ended)
    child.once('message', value => {
      child.off('exit', ended)
      resolve(value)
    })
  })
}
