import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../fixtures/free-port.ts'
import { thirdParty } from '../../fixtures/third-party.ts'
import { upstreamPath } from '../remotes.ts'
import { report } from './report.ts'

// Two chained proxies with Streamable HTTP on both sides, and stdio between them. FRONT names the first.
const MCP_PROXY = thirdParty('mcp-proxy/dist/bin/mcp-proxy.mjs')
const SUPERGATEWAY = thirdParty('supergateway/dist/index.js')
const VERSION = '2025-11-25'
/** The length of a tick in /proc, the same on every Linux that Node.js supports. */
const TICK_MICROSECONDS = 10_000

const port = await freePort()
const upstream = `${process.env.UPSTREAM}${upstreamPath('legacy')}`
const back = [process.execPath, SUPERGATEWAY, '--streamableHttp', upstream, '--logLevel', 'none']
const front =
  process.env.FRONT === 'mcp-proxy'
    ? [MCP_PROXY, '--host', '127.0.0.1', '--server', 'stream', '--port', `${port}`, '--', ...back]
    : [
        ...[SUPERGATEWAY, '--stdio', back.join(' '), '--outputTransport', 'streamableHttp', '--stateful'],
        ...['--port', `${port}`, '--logLevel', 'none'],
      ]
const child = spawn(process.execPath, front, { stdio: ['ignore', 'ignore', 'inherit'] })
const { pid } = child
child.on('exit', () => process.exit(1))

async function post(message: object, headers: Record<string, string> = {}): Promise<Response | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  }).catch(() => undefined)
  await answer?.text()
  return answer
}

/** Opens a session and returns its headers. Both proxies use sessions by default. */
async function openSession(): Promise<Record<string, string>> {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } }
  for (;;) {
    const answer = await post({ id: 1, method: 'initialize', params })
    const session = answer?.headers.get('mcp-session-id')
    if (answer?.status === 200 && session) {
      const headers = { 'mcp-session-id': session, 'mcp-protocol-version': VERSION }
      await post({ method: 'notifications/initialized' }, headers)
      return headers
    }
    await delay(50)
  }
}

/** Returns the process and all its descendants. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const parent = statOf(Number(name))?.[1]
      return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }]
    })
  const tree = [root]
  for (const pid of tree) for (const process of parents) if (process.parent === pid) tree.push(process.pid)
  return tree
}

/** Returns the fields of a process's stat after its name, starting with its state; undefined if it has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const headers = await openSession()
const tree = pid === undefined ? [] : treeOf(pid)
process.on('exit', () => {
  for (const pid of tree) process.kill(pid)
})
report({ port, headers }, () => {
  const ticks = tree.map(pid => {
    const [user, system] = statOf(pid)?.slice(11, 13) ?? []
    return Number(user) + Number(system)
  })
  return ticks.reduce((sum, used) => sum + used) * TICK_MICROSECONDS
})
