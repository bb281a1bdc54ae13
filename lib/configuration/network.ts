import { isIP } from 'node:net'
import type { Config } from '../../schemas/config.ts'
import { type AllowList, parseAllowList } from '../egress/allow-list.ts'
import type { Lookup } from '../egress/validate-destination.ts'
import { computeAll } from './faults.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

const ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i
/** The host of a parsed URL. Excludes wildcards, which no Host header carries. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/
const LOOPBACK_ADDRESS = /^127(?:\.\d{1,3}){3}$/

/** Parses a comma-separated list of origins. Throws the variable's ConfigurationError. */
export function parseOrigins(variable: keyof Config, list: string): URL[] {
  const origins = splitList(list).map(text => {
    const url = ORIGIN.test(text) ? URL.parse(text) : null
    if (url === null || !HOST_NAME.test(url.hostname)) throw mustBe(variable)
    return url
  })
  if (origins.length === 0) throw mustBe(variable)
  return origins
}

/**
 * Parses PUBLIC_ORIGINS. Each host may occur only once, because a Host header does not show its scheme. Outside
 * development, http is limited to loopback: other http origins would expose credentials on the network.
 */
export function parsePublicOrigins(list: string, config: Config): readonly string[] {
  const origins = parseOrigins('PUBLIC_ORIGINS', list)
  if (new Set(origins.map(({ host }) => host)).size < origins.length) throw mustBe('PUBLIC_ORIGINS')
  const inTheClear = origins.some(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))
  if (inTheClear && config.GATEWAY_ENV !== 'development') throw mustBe('PUBLIC_ORIGINS')
  return origins.map(({ origin }) => origin)
}

/** The default origins in development: the loopback names, with the listening port. */
export function loopbackOrigins(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map(host => new URL(`http://${host}:${port}`).origin)
}

/** Whether a host name or address is this machine's loopback. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || LOOPBACK_ADDRESS.test(host)
}

const BITS: Record<number, number> = { 4: 32, 6: 128 }

/**
 * Parses TRUST_PROXY: the addresses and CIDRs whose forwarded headers are trusted. A prefix length of 0 would trust
 * everyone and is refused.
 */
export function parseProxies(list: string): readonly string[] {
  const proxies = splitList(list)
  if (proxies.length === 0 || !proxies.every(isNetwork)) throw mustBe('TRUST_PROXY')
  return proxies
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = BITS[isIP(address)]
  if (bits === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits
}

/** What outbound traffic may reach in addition to the public Internet. */
export interface EgressSettings {
  readonly allow: AllowList
  /** Whether this machine may be reached; never in production. */
  readonly loopback: boolean
  /** Resolves names. Not a variable: only tests set it, to reach no network. */
  readonly lookup?: Lookup
}

/** Parses EGRESS_ALLOW and EGRESS_ALLOW_LOOPBACK. Throws InvalidConfiguration, also for loopback in production. */
export function parseEgress(config: Config): EgressSettings {
  return computeAll({
    allow: () => allowListOf(config.EGRESS_ALLOW),
    loopback() {
      if (config.EGRESS_ALLOW_LOOPBACK && config.GATEWAY_ENV === 'production')
        throw new ConfigurationError('EGRESS_ALLOW_LOOPBACK', 'must not be true in production')
      return config.EGRESS_ALLOW_LOOPBACK
    },
  })
}

function allowListOf(list: string | undefined): AllowList {
  if (list === undefined) return parseAllowList([])
  const entries = splitList(list)
  if (entries.length === 0) throw mustBe('EGRESS_ALLOW')
  try {
    return parseAllowList(entries)
  } catch {
    // The cause is left out because it quotes the value.
    throw mustBe('EGRESS_ALLOW')
  }
}
