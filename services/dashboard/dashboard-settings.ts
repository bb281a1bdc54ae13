import { Type } from '@sinclair/typebox'
import { isDevelopment } from '../../lib/configuration/environment.ts'
import { isLoopback, parseOrigin } from '../../lib/configuration/network.ts'
import { listen, PUBLIC_ORIGINS } from '../../lib/configuration/network-settings.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import { ConfigurationError, mustBe, mustBeSetWith, splitList, variable } from '../../lib/configuration/variable.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { SESSION_ISSUER } from '../identity/issuer-settings.ts'

const DEFAULT_PORT = 3001

/** Where the dashboard listens, and its origin. */
interface DashboardSettings {
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

const DASHBOARD = variable('DASHBOARD', Type.Optional(StringEnum(['on', 'off'], { description: 'on or off' })), {
  doc: '`on`: this process serves the [dashboard](deployment.md#the-dashboard) on a port of its own, on `HOST`',
  unset: '`on` in development and with `DASHBOARD_URL`, otherwise `off`',
})

const DASHBOARD_PORT = variable(
  'DASHBOARD_PORT',
  Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'a port, from 1 to 65535' })),
  {
    doc: 'the port of the dashboard',
    unset:
      '3001, or the port of a loopback `DASHBOARD_URL`; in development without either, the next free one from 3001',
  },
)

const DASHBOARD_CLIENT_ID = variable(
  'DASHBOARD_CLIENT_ID',
  Type.Optional(Type.String({ minLength: 1, description: 'the client ID of the dashboard at SESSION_ISSUER' })),
  {
    doc: 'the client of the dashboard at `SESSION_ISSUER`, with the redirect URI `DASHBOARD_URL/auth/callback` (back-channel logout: `DASHBOARD_URL/auth/backchannel-logout`)',
    unset: 'none: users sign in with links',
  },
)

const DASHBOARD_CLIENT_SECRET = variable(
  'DASHBOARD_CLIENT_SECRET',
  Type.Optional(Type.String({ minLength: 1, description: 'the secret of that client; unset for a public client' })),
  { doc: 'the secret of that client; without a secret it is a public client' },
)

export const DASHBOARD_URL = variable(
  'DASHBOARD_URL',
  Type.Optional(
    Type.String({
      description:
        'one origin (scheme://host[:port], no path) that is not one of PUBLIC_ORIGINS; https except for loopback',
    }),
  ),
  {
    doc: 'the origin of the dashboard, to which payment pages and one-time links lead, `scheme://host[:port]`; https except for loopback, and not one of `PUBLIC_ORIGINS`. If your web application has [these pages](#taking-payments) instead, set `DASHBOARD=off`',
    unset: 'none; in development the address it listens on',
  },
)

/** The settings of the dashboard. */
export const dashboardSettings = {
  /** Where this process serves the dashboard; undefined if it does not. */
  dashboard: settingOf([DASHBOARD, DASHBOARD_PORT], parseDashboard),
  /** The client that users sign in to the dashboard with; undefined: they sign in with links. */
  dashboardClient: settingOf([DASHBOARD_CLIENT_ID, DASHBOARD_CLIENT_SECRET], parseClient, {
    secrets: client => (client?.clientSecret === undefined ? [] : [client.clientSecret]),
  }),
  /** The dashboard's origin, where payment pages and links lead; undefined without a dashboard. */
  dashboardUrl: settingOf([DASHBOARD_URL], parseUrl),
}

function parseClient({ read }: Reading): DashboardClient | undefined {
  const [issuer, clientId] = [read(SESSION_ISSUER), read(DASHBOARD_CLIENT_ID)]
  const clientSecret = read(DASHBOARD_CLIENT_SECRET)
  if (clientId === undefined) {
    if (clientSecret === undefined) return undefined
    throw mustBeSetWith(DASHBOARD_CLIENT_SECRET, DASHBOARD_CLIENT_ID)
  }
  if (issuer === undefined) throw mustBeSetWith(DASHBOARD_CLIENT_ID, SESSION_ISSUER)
  return Object.defineProperties({ issuer, clientId } as DashboardClient, {
    clientSecret: { get: () => clientSecret },
  })
}

/** Parses DASHBOARD_URL. Its host must not be the gateway's: a page of the dashboard must not share the origin of the API. */
function parseUrl(reading: Reading): string | undefined {
  const text = reading.read(DASHBOARD_URL)
  if (text === undefined) return isOn(reading) && isDevelopment(reading) ? loopbackUrl(portOf(reading)) : undefined
  const wrong = () => mustBe(DASHBOARD_URL)
  const url = parseOrigin(text, wrong)
  const list = splitList(reading.read(PUBLIC_ORIGINS) ?? '')
  if (list.some(origin => URL.parse(origin)?.origin === url.origin)) throw wrong()
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw wrong()
  return url.origin
}

function parseDashboard(reading: Reading): DashboardSettings | undefined {
  if (!isOn(reading)) return undefined
  const [url, port] = [reading.read(DASHBOARD_URL), reading.read(DASHBOARD_PORT)]
  if (url === undefined && !isDevelopment(reading))
    throw new ConfigurationError('DASHBOARD_URL', 'must be set if DASHBOARD is on')
  return {
    host: reading.read(listen).host,
    port: portOf(reading),
    anyPort: url === undefined && port === undefined,
  }
}

/** The origin of a dashboard in development. */
export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** By default, there is a dashboard where it has an address: in development, and with DASHBOARD_URL. */
function isOn(reading: Reading): boolean {
  const dashboard = reading.read(DASHBOARD)
  if (dashboard !== undefined) return dashboard === 'on'
  return isDevelopment(reading) || reading.read(DASHBOARD_URL) !== undefined
}

function portOf({ read }: Reading): number {
  const [text, port] = [read(DASHBOARD_URL), read(DASHBOARD_PORT)]
  const url = text === undefined ? null : URL.parse(text)
  return port ?? (url !== null && isLoopback(url.hostname) && url.port !== '' ? Number(url.port) : DEFAULT_PORT)
}
