import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const WELL_KNOWN_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Returns the address text of a URL's host; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  // The URL parser has converted every IPv4 notation to four decimal parts and rejected zones.
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return isIPv4(hostname) ? hostname : undefined
}

/** The host name as EGRESS_ALLOW has it, without a trailing dot. */
export function nameOf(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/**
 * Parses an address; undefined if the text is none. An IPv4-mapped or NAT64 (well-known prefix) IPv6 address becomes
 * the IPv4 address.
 */
export function parseAddress(text: string): Address | undefined {
  let address: Address
  try {
    // `parse` checks the text itself: asking `isValid` first would double the cost.
    address = ipaddr.parse(text)
  } catch {
    return undefined
  }
  if (!isIPv6(address)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(WELL_KNOWN_NAT64)) return ipaddr.fromByteArray(address.toByteArray().slice(12))
  // A zone selects an interface; the address is the same without it.
  return new ipaddr.IPv6(address.parts)
}

export function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

/** The ranges of private networks and of this machine. */
const PRIVATE_RANGES = new Set(['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'])

/** Returns the IANA range of an address by ipaddr.js's table; IPv6 outside the allocated unicast space is `reserved`. */
export function rangeOf(address: Address): string {
  const range: string = address.range()
  if (!isIPv6(address) || range !== 'unicast') return range
  if (address.match(COMPATIBLE)) return 'compatible'
  return address.match(GLOBAL_UNICAST) ? range : 'reserved'
}

/** Whether a text is an address of a private network or of this machine. */
export function isPrivateAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && PRIVATE_RANGES.has(rangeOf(address))
}
