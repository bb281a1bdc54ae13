import { makeHome } from './bench-database.ts'
import { measure } from './measure.ts'
import { startServer } from './server-process.ts'
import { CALL } from './subjects.ts'

/** Requests per second at full load, without a heap limit and with a small one. */
export interface SmallHeap {
  /** The limit in MB (`--max-old-space-size`). */
  limit: number
  seconds: number
  unlimited: number
  limited: number
  /** The least share of the unlimited throughput that the limited server must keep. */
  atLeast: number
}

const LIMIT = 128
const SECONDS = 30

/** Measures `tools/call` at full load on two processes of this server, one after the other. */
export async function measureSmallHeap(postgres: string | undefined): Promise<SmallHeap> {
  const perSecond = async (flags: string) => {
    const home = await makeHome(postgres)
    // No call goes to the upstream.
    const env = { ...home.env, UPSTREAM: 'http://localhost:65000', NODE_OPTIONS: flags, LOG_LEVEL: 'info', PORT: '0' }
    const server = await startServer('gateway', env)
    try {
      const options = { rounds: 1, connections: 16, rate: 2_000, steady: 500, full: SECONDS * 1_000, warmUp: 4_000 }
      const [line] = await measure([CALL], new Map([[CALL.server, server]]), options)
      return line?.full.perSecond ?? 0
    } finally {
      await server.stop()
      await home.remove()
    }
  }
  const unlimited = await perSecond('')
  return {
    limit: LIMIT,
    seconds: SECONDS,
    unlimited,
    limited: await perSecond(`--max-old-space-size=${LIMIT}`),
    atLeast: 0.8,
  }
}
