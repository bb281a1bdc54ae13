import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A gateway in a separate process. */
export interface GatewayProcess {
  pid: number
  url: string
  port: number
  /** The key that a first start prints. */
  readonly key: string | undefined
  /** All keys that a first start prints. */
  readonly keys: readonly string[]
  /** Everything that it has written to stdout and stderr. */
  output(): string
  /** Calls a tool; resolves with the text of its result. */
  call(key: string, tool: string, args: object): Promise<string>
  /** Sends a signal. Resolves when the process has exited, with its exit code and the duration in milliseconds. */
  stop(signal: 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; ms: number }>
  /** Kills the process and resolves when it has exited. */
  kill(): Promise<void>
}

/** Starts server.ts, or another entry point, with these settings. Resolves when it listens; rejects if it exits before. */
export async function startGateway(
  t: Test,
  settings: Record<string, string>,
  entry = 'server.ts',
): Promise<GatewayProcess> {
  return startProgram(t, [entry], { PORT: '0', DASHBOARD: 'off', ...settings }, root)
}

/** Starts Node.js with these arguments, which must start a gateway. */
export async function startProgram(
  t: Test,
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string,
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH ?? '', ...environment } })
  t.teardown(() => void child.kill('SIGKILL'))
  const output = collect(child)
  await untilReady(child, output)
  const url = URL_LINE.exec(output())?.[1] ?? ''
  const exited = once(child, 'exit') as Promise<[number | null]>

  return {
    pid: child.pid ?? 0,
    url,
    port: Number(new URL(url).port),
    get key() {
      return /cgw_dev_\w+/.exec(output())?.[0]
    },
    get keys() {
      return [...new Set(output().match(/cgw_dev_\w+/g) ?? [])]
    },
    output,
    async call(key, tool, args) {
      const response = await fetch(`${url}/mcp`, callOf(key, tool, args))
      return response.text()
    },
    async stop(signal) {
      const started = performance.now()
      child.kill(signal)
      const [code] = await exited
      return { code, ms: performance.now() - started }
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The options of `fetch` for a `tools/call`. */
export function callOf(key: string, tool: string, args: object) {
  return {
    method: 'POST',
    headers: {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
  }
}

/** The last line of a start, after the key of a first one. */
const READY = /"msg":"ready"|is ready: /
const URL_LINE = /(?:listening at|ready:) (http:\/\/[\d.:]+)/

function collect(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return () => output
}

function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => READY.test(output()) && resolve()
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('exit', code => reject(new Error(`The gateway ended with ${code}: ${output()}`)))
  })
}
