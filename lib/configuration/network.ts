import { isIP } from 'node:net'
import { type AllowList, isAllowed } from '../egress/allow-list.ts'
import type { Lookup } from '../egress/validate-destination.ts'
import { type ConfigurationError, splitList } from './variable.ts'

const ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i
/** The host of a parsed URL. Excludes wildcards, which no Host header carries. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/
const LOOPBACK_ADDRESS = /^127(?:\.\d{1,3}){3}$/

/** Creates the error of the variable that is parsed. */
type Wrong = () => ConfigurationError

/** Parses a comma-separated list of origins. */
export function parseOrigins(list: string, wrong: Wrong): URL[] {
  const origins = splitList(list).map(text => {
    const url = ORIGIN.test(text) ? URL.parse(text) : null
    if (url === null || !HOST_NAME.test(url.hostname)) throw wrong()
    return url
  })
  if (origins.length === 0) throw wrong()
  return origins
}

/** Parses one origin. */
export function parseOrigin(text: string, wrong: Wrong): URL {
  const [origin, ...others] = parseOrigins(text, wrong)
  if (origin === undefined || others.length > 0) throw wrong()
  return origin
}

/** Checks a URL; undefined if it is not set. */
export function optionalUrl(url: string | undefined, wrong: Wrong): string | undefined {
  if (url !== undefined && !URL.canParse(url)) throw wrong()
  return url
}

/** Whether a host name or address is this machine's loopback. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || LOOPBACK_ADDRESS.test(host)
}

/** What outbound traffic may reach in addition to the public Internet. */
export interface EgressSettings {
  readonly allow: AllowList
  /** Whether this machine may be reached; never in production. */
  readonly loopback: boolean
  /** Resolves names. Not a variable: only tests set it, to reach no network. */
  readonly lookup?: Lookup
}

/** Whether credentials may be sent to this host over http: an allowed private host, or this machine. */
export function mayBeInTheClear(hostname: string, { allow, loopback }: EgressSettings): boolean {
  return (loopback && isLoopback(hostname)) || isAllowed(allow, hostname)
}

const BITS: Record<number, number> = { 4: 32, 6: 128 }

/**
 * Parses TRUST_PROXY: the addresses and CIDRs whose forwarded headers are trusted. A prefix length of 0 would trust
 * everyone and is refused.
 */
export function parseProxies(list: string, wrong: Wrong): readonly string[] {
  const proxies = splitList(list)
  if (proxies.length === 0 || !proxies.every(isNetwork)) throw wrong()
  return proxies
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = BITS[isIP(address)]
  if (bits === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits
}

/** The passwords in a URL, as it has them and decoded. */
export function passwordsOf(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { password, searchParams } = new URL(url)
  return [password, decode(password), searchParams.get('password') ?? ''].filter(Boolean)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
