import type { Config } from '../../schemas/config.ts'
import { isLoopback, parseOrigins } from './network.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

const DEFAULT_PORT = 3001

/** Where the dashboard listens, and its origin. */
export interface DashboardSettings {
  readonly host: string
  readonly port: number
  /** Whether the next free port will do: the one of development, which nobody has chosen. */
  readonly anyPort: boolean
}

/** The dashboard as a client of the session issuer. */
export interface DashboardClient {
  readonly issuer: string
  readonly clientId: string
  /** Not enumerable, so that printed settings do not show it; undefined for a public client. */
  readonly clientSecret: string | undefined
}

/** Parses the client that users sign in to the dashboard with; undefined if they do not sign in at an issuer. */
export function parseDashboardClient(config: Config): DashboardClient | undefined {
  const { SESSION_ISSUER: issuer, DASHBOARD_CLIENT_ID: clientId, DASHBOARD_CLIENT_SECRET: clientSecret } = config
  if (clientId === undefined) {
    if (clientSecret === undefined) return undefined
    throw new ConfigurationError('DASHBOARD_CLIENT_SECRET', 'must be set together with DASHBOARD_CLIENT_ID')
  }
  if (issuer === undefined)
    throw new ConfigurationError('DASHBOARD_CLIENT_ID', 'must be set together with SESSION_ISSUER')
  return Object.defineProperties({ issuer, clientId } as DashboardClient, {
    clientSecret: { get: () => clientSecret },
  })
}

/** Parses DASHBOARD_URL. Its host must not be the gateway's: a page of the dashboard must not share the origin of the API. */
export function parseDashboardUrl(config: Config): string | undefined {
  const { DASHBOARD_URL: text, PUBLIC_ORIGINS: list } = config
  if (text === undefined)
    return isDashboardOn(config) && config.GATEWAY_ENV === 'development' ? loopbackUrl(portOf(config)) : undefined
  const [url, ...others] = parseOrigins('DASHBOARD_URL', text)
  const taken = list !== undefined && splitList(list).some(origin => URL.parse(origin)?.origin === url?.origin)
  if (url === undefined || others.length > 0 || taken) throw mustBe('DASHBOARD_URL')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw mustBe('DASHBOARD_URL')
  return url.origin
}

/** Parses where this process serves the dashboard; undefined if it does not. */
export function parseDashboard(config: Config): DashboardSettings | undefined {
  if (!isDashboardOn(config)) return undefined
  const { DASHBOARD_URL: url, DASHBOARD_PORT: port, GATEWAY_ENV: environment, HOST: host } = config
  if (url === undefined && environment !== 'development')
    throw new ConfigurationError('DASHBOARD_URL', 'must be set if DASHBOARD is on')
  return { host, port: portOf(config), anyPort: url === undefined && port === undefined }
}

/** The origin of a dashboard in development. */
export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** By default, there is a dashboard where it has an address: in development, and with DASHBOARD_URL. */
function isDashboardOn({ DASHBOARD, DASHBOARD_URL: url, GATEWAY_ENV: environment }: Config): boolean {
  if (DASHBOARD !== undefined) return DASHBOARD === 'on'
  return environment === 'development' || url !== undefined
}

function portOf({ DASHBOARD_URL: text, DASHBOARD_PORT: port }: Config): number {
  const url = text === undefined ? null : URL.parse(text)
  return port ?? (url !== null && isLoopback(url.hostname) && url.port !== '' ? Number(url.port) : DEFAULT_PORT)
}
