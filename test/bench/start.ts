import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../fixtures/free-port.ts'
import { type Home, makeHome } from './bench-database.ts'
import { NODE_FLAGS } from './cores.ts'

/** One start of the built server, in milliseconds from the start of the process. */
export interface Start {
  title: string
  health: number
  /** The first answer to `tools/list`. */
  list: number
  /** Resident memory in MB, a few seconds later; undefined if the platform does not report it. */
  resident: number | undefined
  /** The maximum milliseconds of the first list, and the maximum resident MB of the idle process. */
  atMost: { list: number; resident?: number }
}

/** Starts dist/server.js on each kind of database, fresh and used; on PostgreSQL only if there is a server. */
export async function measureStarts(postgres: string | undefined): Promise<Start[]> {
  const starts: Start[] = []
  for (const server of postgres === undefined ? [undefined] : [undefined, postgres]) {
    const home = await makeHome(server)
    const engine = server === undefined ? 'embedded' : 'PostgreSQL'
    const list = server === undefined ? { fresh: 8_000, used: 2_000 } : { fresh: 2_000, used: 2_000 }
    try {
      const first = await measureStart(home, { title: `${engine}, fresh database`, atMost: { list: list.fresh } })
      const atMost = { list: list.used, ...(server !== undefined && { resident: 130 }) }
      const again = await measureStart(home, { title: `${engine}, used database`, atMost, key: first.key })
      starts.push(first.start, again.start)
    } finally {
      await home.remove()
    }
  }
  return starts
}

async function measureStart(
  home: Home,
  { title, atMost, key }: Pick<Start, 'title' | 'atMost'> & { key?: string },
): Promise<{ start: Start; key: string }> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, fileURLToPath(new URL('../../dist/server.js', import.meta.url))],
    {
      env: { ...process.env, ...home.env, PORT: String(port), LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const printed = firstKey(child)
  try {
    const origin = `http://127.0.0.1:${port}`
    await untilHealthy(origin, child)
    const health = performance.now() - started
    const known = key ?? (await printed)
    await listTools(origin, known)
    const list = performance.now() - started
    await delay(5_000)
    return { start: { title, health, list, resident: residentOf(child), atMost }, key: known }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** Resolves with the key that a first start prints. */
function firstKey(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise(resolve => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
      const [key] = /cgw_dev_\w{49}/.exec(text) ?? []
      if (key !== undefined) resolve(key)
    })
  })
}

async function untilHealthy(origin: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    const answer = await fetch(`${origin}/health`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await delay(5)
  }
}

async function listTools(origin: string, key: string): Promise<void> {
  const answer = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const text = await answer.text()
  if (!text.includes('memory__remember')) throw new Error(`No list of tools: ${answer.status} ${text}`)
}

function residentOf({ pid }: ChildProcess): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
