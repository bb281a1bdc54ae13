import { isIP } from 'node:net'
import type { Config } from '../../schemas/config.ts'
import { type AllowList, parseAllowList } from '../egress/allow-list.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

const ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i
/** What a URL's host is once it has been parsed: this leaves out wildcards, which no Host header carries. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/
const LOOPBACK_ADDRESS = /^127(?:\.\d{1,3}){3}$/

/** The origins of a comma list, each as `URL.origin` writes it; throws the variable's ConfigurationError. */
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
 * The origins a service answers for. Each host stands once, because a Host header does not tell its scheme; outside
 * development http is for loopback alone: a credential that is sent to any other http origin crosses a network in the clear.
 */
export function parsePublicOrigins(list: string, development: boolean): readonly string[] {
  const origins = parseOrigins('PUBLIC_ORIGINS', list)
  if (new Set(origins.map(({ host }) => host)).size < origins.length) throw mustBe('PUBLIC_ORIGINS')
  const inTheClear = origins.some(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))
  if (inTheClear && !development) throw mustBe('PUBLIC_ORIGINS')
  return origins.map(({ origin }) => origin)
}

/** What a service in development answers for unless it is told: the names of its own machine, at the port it listens on. */
export function loopbackOrigins(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map(host => new URL(`http://${host}:${port}`).origin)
}

/** Whether a host, as HOST or a URL names it, is this machine alone. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || LOOPBACK_ADDRESS.test(host)
}

const BITS: Record<number, number> = { 4: 32, 6: 128 }

/** The addresses and CIDRs whose forwarded headers are believed; a prefix of 0 would believe everyone, and is refused. */
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

/** What outbound traffic may reach beside the public internet. */
export interface EgressSettings {
  readonly allow: AllowList
  /** Whether this machine itself may be reached; never in production. */
  readonly loopback: boolean
}

/** EGRESS_ALLOW and EGRESS_ALLOW_LOOPBACK; throws a ConfigurationError, for loopback in production too. */
export function parseEgress(config: Config): EgressSettings {
  if (config.EGRESS_ALLOW_LOOPBACK && config.GATEWAY_ENV === 'production')
    throw new ConfigurationError('EGRESS_ALLOW_LOOPBACK', 'must not be true in production')
  return { allow: allowListOf(config.EGRESS_ALLOW), loopback: config.EGRESS_ALLOW_LOOPBACK }
}

function allowListOf(list: string | undefined): AllowList {
  if (list === undefined) return parseAllowList([])
  const entries = splitList(list)
  if (entries.length === 0) throw mustBe('EGRESS_ALLOW')
  try {
    return parseAllowList(entries)
  } catch {
    // The cause is left out: it quotes what was refused.
    throw mustBe('EGRESS_ALLOW')
  }
}
