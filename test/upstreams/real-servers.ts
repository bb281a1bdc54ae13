import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { thirdParty } from '../fixtures/third-party.ts'

/** A server of the official packages in its own process, which ends with the test. */
interface RealServer {
  readonly url: string
}

/** `server-everything` with its own Streamable HTTP: sessions, SSE answers, legacy revisions. */
export async function everything(t: Test): Promise<RealServer> {
  const port = await freePort()
  const script = new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url)
  const args = [fileURLToPath(script), 'streamableHttp']
  return listening(t, port, { args, env: { PORT: String(port) } })
}

/** The options of `mcp-proxy` in docs/remote-connectors.md. */
export function bridgeOptions(port: number): string[] {
  return ['--host', '127.0.0.1', '--port', `${port}`, '--server', 'stream', '--endpoint', '/mcp']
}

/** The environment variable with its key, which options would show to every user of the machine. */
export const BRIDGE_KEY = 'MCP_PROXY_API_KEY'

/** `server-memory` behind `mcp-proxy` with a key, which supports both protocol generations. */
export async function memory(t: Test): Promise<RealServer & { readonly apiKey: string }> {
  const port = await freePort()
  const apiKey = randomUUID()
  const args = [
    thirdParty('mcp-proxy/dist/bin/mcp-proxy.mjs'),
    ...bridgeOptions(port),
    '--',
    process.execPath,
    thirdParty('@modelcontextprotocol/server-memory/dist/index.js'),
  ]
  const env = { MEMORY_FILE_PATH: join(directory(t), 'memory.jsonl'), [BRIDGE_KEY]: apiKey }
  return { ...(await listening(t, port, { args, env })), apiKey }
}

/** `server-filesystem` behind `supergateway` with sessions, on a directory with two files. */
export async function filesystem(t: Test): Promise<RealServer & { readonly root: string }> {
  const port = await freePort()
  const root = directory(t)
  mkdirSync(join(root, 'notes'))
  writeFileSync(join(root, 'notes', 'a.txt'), 'first line\nsecond line\n')
  writeFileSync(join(root, 'b.json'), '{"b":true}\n')
  const stdio = [process.execPath, thirdParty('@modelcontextprotocol/server-filesystem/dist/index.js'), root]
  const args = [
    thirdParty('supergateway/dist/index.js'),
    ...['--stdio', stdio.map(part => `"${part}"`).join(' '), '--outputTransport', 'streamableHttp', '--stateful'],
    ...['--port', String(port), '--logLevel', 'none'],
  ]
  return { ...(await listening(t, port, { args })), root }
}

function directory(t: Test): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'connector-gateway-upstream-')))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function listening(
  t: Test,
  port: number,
  { args, env = {} }: { args: readonly string[]; env?: Record<string, string> },
): Promise<RealServer> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  t.teardown(() => ended(child))
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${complaints}`)
    await setTimeout(20)
  }
  return { url: `http://127.0.0.1:${port}/mcp` }
}

/** Terminates the process without killing it, so that a bridge ends its own child. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
