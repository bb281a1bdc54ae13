import { Type } from '@sinclair/typebox'
import { type AllowList, parseAllowList } from '../egress/allow-list.ts'
import { GATEWAY_ENV, isDevelopment } from './environment.ts'
import { computeAll } from './faults.ts'
import { type EgressSettings, isLoopback, parseOrigins } from './network.ts'
import { type Reading, settingOf } from './setting.ts'
import { ConfigurationError, mustBe, splitList, variable } from './variable.ts'

const HOST = variable(
  'HOST',
  Type.String({
    default: '127.0.0.1',
    pattern: '^[0-9A-Za-z.:_-]+$',
    description: 'an address or a host name to listen on',
  }),
  { doc: 'the address to listen on', unset: '`127.0.0.1` (the image: `0.0.0.0`)' },
)

const PORT = variable(
  'PORT',
  Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'a port, from 0 to 65535' }),
  { doc: 'the port to listen on; 0 picks a free port' },
)

const DEV_ON_NETWORK = variable('DEV_ON_NETWORK', Type.Boolean({ default: false, description: 'true or false' }), {
  doc: 'must be `true` for development on a `HOST` that is not loopback. Clients still have to use loopback names; add others to `PUBLIC_ORIGINS`',
})

/** Where to listen; port 0 picks a free port. */
export const listen = settingOf([HOST, PORT, DEV_ON_NETWORK], reading =>
  computeAll({ host: () => hostOf(reading), port: () => reading.read(PORT) }),
)

function hostOf(reading: Reading): string {
  const host = reading.read(HOST)
  if (!isLoopback(host) && isDevelopment(reading) && !reading.read(DEV_ON_NETWORK))
    throw new ConfigurationError('HOST', 'must be a loopback address in development, unless DEV_ON_NETWORK is true')
  return host
}

export const PUBLIC_ORIGINS = variable(
  'PUBLIC_ORIGINS',
  Type.Optional(
    Type.String({
      description:
        'a comma-separated list of origins (scheme://host[:port], no path), each host once; https except for loopback',
    }),
  ),
  {
    doc: "comma-separated list of the gateway's public origins, `scheme://host[:port]`. Outside development they must be https, except for loopback. Each host only once, because a `Host` header does not show its scheme",
    unset: 'in development `127.0.0.1`, `localhost` and `[::1]` with the listening port; required elsewhere',
  },
)

/** The public origins. Development's defaults contain the listening port. */
export const publicOrigins = settingOf([PUBLIC_ORIGINS], (reading): ((port: number) => readonly string[]) => {
  const list = reading.required(PUBLIC_ORIGINS)
  if (list instanceof ConfigurationError)
    return () => {
      throw list
    }
  if (list === undefined) return loopbackOrigins
  const origins = parsePublicOrigins(list, reading)
  return () => origins
})

/**
 * Parses PUBLIC_ORIGINS. Each host may occur only once, because a Host header does not show its scheme. Outside
 * development, http is limited to loopback: other http origins would expose credentials on the network.
 */
function parsePublicOrigins(list: string, reading: Reading): readonly string[] {
  const wrong = () => mustBe(PUBLIC_ORIGINS)
  const origins = parseOrigins(list, wrong)
  if (new Set(origins.map(({ host }) => host)).size < origins.length) throw wrong()
  const inTheClear = origins.some(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))
  if (inTheClear && !isDevelopment(reading)) throw wrong()
  return origins.map(({ origin }) => origin)
}

/** The default origins in development: the loopback names, with the listening port. */
function loopbackOrigins(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map(host => new URL(`http://${host}:${port}`).origin)
}

const EGRESS_ALLOW = variable(
  'EGRESS_ALLOW',
  Type.Optional(
    Type.String({
      description: 'a comma-separated list of host names, addresses and CIDRs, none wider than 10.0.0.0/8 or fc00::/7',
    }),
  ),
  {
    doc: 'comma-separated list of private hosts, addresses and CIDRs that outbound traffic may reach; none wider than 10.0.0.0/8 or fc00::/7',
  },
)

const EGRESS_ALLOW_LOOPBACK = variable(
  'EGRESS_ALLOW_LOOPBACK',
  Type.Boolean({ default: false, description: 'true or false' }),
  { doc: 'whether outbound traffic may reach this machine (for test doubles); refused in production' },
)

/** What outbound traffic may reach besides the public Internet. */
export const egress = settingOf(
  [EGRESS_ALLOW, EGRESS_ALLOW_LOOPBACK],
  ({ read }): EgressSettings =>
    computeAll({
      allow: () => allowListOf(read(EGRESS_ALLOW)),
      loopback() {
        const loopback = read(EGRESS_ALLOW_LOOPBACK)
        if (loopback && read(GATEWAY_ENV) === 'production')
          throw new ConfigurationError('EGRESS_ALLOW_LOOPBACK', 'must not be true in production')
        return loopback
      },
    }),
)

function allowListOf(list: string | undefined): AllowList {
  if (list === undefined) return parseAllowList([])
  const entries = splitList(list)
  if (entries.length === 0) throw mustBe(EGRESS_ALLOW)
  try {
    return parseAllowList(entries)
  } catch {
    // The cause is left out because it quotes the value.
    throw mustBe(EGRESS_ALLOW)
  }
}
