import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** server.ts in a process of its own. */
export interface GatewayProcess {
  pid: number
  /** The key that a first start prints. */
  key: string | undefined
  /** Calls a tool; resolves with the text of its result. */
  call(key: string, tool: string, args: object): Promise<string>
  /** Ends the process where it stands, and resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts server.ts with these settings; resolves once it listens, rejects when it ends before. */
export async function startGateway(t: Test, settings: Record<string, string>): Promise<GatewayProcess> {
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...settings },
  })
  t.teardown(() => void child.kill('SIGKILL'))
  const output = await untilListening(child)
  const url = URL_LINE.exec(output)?.[1] ?? ''

  return {
    pid: child.pid ?? 0,
    key: /cgw_dev_\w+/.exec(output)?.[0],
    async call(key, tool, args) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
      })
      return response.text()
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const URL_LINE = /listening at (http:\/\/[\d.:]+)/

function untilListening(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk
      if (URL_LINE.test(output)) resolve(output)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.once('exit', code => reject(new Error(`server.ts ended with ${code}: ${output}`)))
  })
}
