import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

const WELL_KNOWN_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** The address that a URL's host is, as text; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  // The URL parser has brought every spelling of an IPv4 to four decimal parts, and refused zones.
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return isIPv4(hostname) ? hostname : undefined
}

/** A host as EGRESS_ALLOW names it: without the dot that ends a rooted name. */
export function nameOf(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** An address as it is judged; undefined for what is none. An IPv4 that is written as an IPv6 (mapped, or behind the well-known NAT64 prefix) is the IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  if (!isIPv6(address)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(WELL_KNOWN_NAT64)) return ipaddr.fromByteArray(address.toByteArray().slice(12))
  // A zone picks an interface, not another address.
  return new ipaddr.IPv6(address.parts)
}

export function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}
