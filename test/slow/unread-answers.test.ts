import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testDataDir } from '../fixtures/database.ts'
import { until } from '../fixtures/until.ts'
import { callOf, type GatewayProcess, startGateway } from './gateway-process.ts'

const READERS = 500
const ANSWER_BYTES = 7_000_000
const MB = 1024 * 1024

// The memory that unread answers may add to an idle gateway. 25 keys also keep at most 48 MB, but all their requests may
// begin, and the dropped answers wait for the garbage collector.
for (const [owners, keys, allowedMb] of [
  ['one key', 1, 300],
  // Mostly garbage of answers that were dropped, which a busy machine collects later: 300 to 450 MB on a quiet one.
  ['25 keys', 25, 1_000],
] as const)
  t.test(`${READERS} clients with ${owners} that do not read add at most ${allowedMb} MB`, async t => {
    const settings = {
      DATA_DIR: await testDataDir(t),
      RATE_LIMIT_MAX: '1000000',
      LOG_LEVEL: 'warn',
      KEYS: `${keys + 1}`,
    }
    const gateway = await startGateway(t, settings, 'test/slow/slow-tool-server.ts')
    for (const key of gateway.keys) await gateway.call(key, 'slow__fill', { bytes: 100 })
    const idle = await residentMb(gateway)

    let peak = idle
    let answered = 0
    for (let i = 0; i < READERS; i++)
      startReader(t, gateway, gateway.keys[i % keys] ?? '', () => {
        answered++
      })
    while (answered < READERS) {
      await delay(50)
      peak = Math.max(peak, await residentMb(gateway))
    }
    const { checks } = (await (await fetch(`${gateway.url}/health?ready`)).json()) as { checks: Checks }
    const waiting = Math.round(checks.waiting_bytes / MB)
    t.comment(`resident: ${idle} MB idle, ${peak} MB at most; ${waiting} MB unread`)
    t.ok(peak - idle <= allowedMb)
    t.ok(waiting > 0 && waiting <= 48)
    // The event loop may still be busy with the 500 answers.
    await until(async () => (await gateway.call(gateway.keys[keys] ?? '', 'slow__fill', { bytes: 3 })).includes('xxx'))
    t.pass('another key is served')
  })

interface Checks {
  waiting_bytes: number
}

/** Calls a tool and reads only the first bytes of the answer. Calls `begun` then, or when the connection is closed. */
function startReader(t: Test, { port }: GatewayProcess, key: string, begun: () => void): void {
  const { headers, body } = callOf(key, 'slow__fill', { bytes: ANSWER_BYTES })
  let counted = false
  const count = () => {
    if (!counted) begun()
    counted = true
    return false // Stops reading.
  }
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(1024), callback: count } })
  t.teardown(() => void socket.destroy())
  socket.on('error', () => {}) // A reset also closes the connection.
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': body.length })
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  socket.once('close', count)
}

async function residentMb({ pid }: GatewayProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
