import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import type { Test } from 'tap'
import { Agent, fetch as fetchWith, type RequestInit } from 'undici'
import { testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { freePort } from '../fixtures/free-port.ts'
import { eventually } from '../fixtures/until.ts'
import { callOf, startGateway } from './gateway-process.ts'
import { DASHBOARD_HOST, proxyPorts, type startNginx } from './reverse-proxy.ts'

const secret = () => `k1:${randomBytes(32).toString('base64')}`

/** Two gateways and their dashboards on one database behind a proxy, and a client that trusts its certificate. */
export async function proxiedGateways(t: Test, startProxy: typeof startNginx) {
  execFileSync(process.execPath, ['dashboard/build.ts', '--if-changed'])
  const twoPorts = async () => [await freePort(), await freePort()]
  const ports = { ...(await proxyPorts()), upstreams: await twoPorts(), dashboards: await twoPorts() }
  const url = `https://localhost:${ports.https}`
  const dashboardUrl = `https://${DASHBOARD_HOST}:${ports.https}`
  const settings = {
    DATABASE_URL: await testPostgres(t, testDatabaseUrl ?? ''),
    DATA_DIR: t.testdir(),
    PUBLIC_ORIGINS: url,
    DASHBOARD: 'on',
    DASHBOARD_URL: dashboardUrl,
    TRUST_PROXY: '127.0.0.1',
    API_KEY_PEPPERS: secret(),
    VAULT_KEYS: secret(),
    DRAIN_DELAY_SECONDS: '5',
    RATE_LIMIT_MAX: '100000',
  }
  /** Starts the first or the second gateway. */
  function start(i: number) {
    const own = { PORT: String(ports.upstreams[i]), DASHBOARD_PORT: String(ports.dashboards[i]) }
    return startGateway(t, { ...settings, ...own }, 'test/slow/slow-tool-server.ts')
  }
  const gateways = [await start(0), await start(1)]
  const key = gateways[0]?.key ?? ''
  const proxy = await startProxy(t, ports)
  const dispatcher = new Agent({ connect: { ca: proxy.ca, lookup: loopback }, connections: 50, allowH2: false })
  t.teardown(() => dispatcher.destroy())
  const ask = (path: string, init: RequestInit = {}) => fetchWith(`${url}${path}`, { dispatcher, ...init })
  const askDashboard = (path: string, init: RequestInit = {}) =>
    fetchWith(`${dashboardUrl}${path}`, { dispatcher, ...init })
  await eventually(async () => {
    if ((await ask('/health?ready')).status !== 200) throw new Error('not ready')
  })
  const call = (tool: string, args: object) => ask('/mcp', callOf(key, tool, args))
  return { url, dashboardUrl, ports, settings, gateways, start, key, proxy, dispatcher, ask, askDashboard, call }
}

/** Finds every host on this machine. */
const loopback: LookupFunction = (_host, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)
