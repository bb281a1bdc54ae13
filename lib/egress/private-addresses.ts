import { BlockList, isIPv6 } from 'node:net'

const REDACTED = '[private address]'

/** Characters of an error's text that are kept. A text of nothing but addresses takes some microseconds for each. */
export const MAX_ERROR_TEXT = 64 * 1024

/** Private, loopback, link-local and shared (RFC 6598) IPv4 addresses, and a port. Not a part of a longer number or word. */
const IPV4 =
  /(?<![\w.])(?:(?:10|127)\.\d{1,3}|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d{1,3}\.\d{1,3}(?::\d{1,5})?(?!\.?\w)/g

/** What may be an IPv6 address, with or without brackets, zone and port. Bounded, so that the search stays linear. */
const IPV6 =
  /(?<![\w.:%])(?:\[[\da-f:.]{3,45}(?:%[\w-]{1,32})?\](?::\d{1,5})?|[\da-f]{0,4}:[\da-f:.]{1,45}(?:%[\w-]{1,32})?)(?![\w:])/gi

const PRIVATE_IPV6 = privateIPv6()

/**
 * Takes private IP addresses out of what a provider says of an error: some quote the hosts of their own network, or of
 * this gateway's. Host names and addresses in other notations stay. Cuts what is longer than `longest` characters.
 */
export function withoutPrivateAddresses(text: string, longest = MAX_ERROR_TEXT): string {
  const kept = text.slice(0, longest)
  const rest = kept.includes(':') ? kept.replace(IPV6, withoutIPv6) : kept
  return rest.replace(IPV4, REDACTED)
}

function withoutIPv6(found: string): string {
  const [, address = '', dots = ''] = /^\[?(.*?)(?:%[\w-]*)?(?:\](?::\d+)?)?(\.*)$/.exec(found) ?? []
  // Some write a port behind an address without brackets.
  const portless = address.replace(/:\d{1,5}$/, '')
  return isPrivate(address) || (portless !== address && isPrivate(portless)) ? REDACTED + dots : found
}

function isPrivate(text: string): boolean {
  return isIPv6(text) && PRIVATE_IPV6.check(text, 'ipv6')
}

/** Loopback, unique local and link-local. An IPv4 address that is written as an IPv6 is checked as the IPv4. */
function privateIPv6(): BlockList {
  const list = new BlockList()
  list.addAddress('::1', 'ipv6')
  list.addSubnet('fc00::', 7, 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  for (const [net, prefix] of [
    ['10.0.0.0', 8],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['192.168.0.0', 16],
    ['172.16.0.0', 12],
    ['100.64.0.0', 10],
  ] as const)
    list.addSubnet(net, prefix, 'ipv4')
  return list
}
