import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { sanitizeLine } from '../sanitize-text.ts'
import type { AllowList } from './allow-list.ts'
import { isPrivateAddress, parseAddress, rangeOf } from './host.ts'

/** Why a URL over http is refused, as a clause after its host. */
export const ONLY_HTTPS = 'may only be reached over https; http is for hosts in EGRESS_ALLOW'

/** The kind of destination an address belongs to. */
export interface Destination {
  /** Whether EGRESS_ALLOW has its host name. */
  named: boolean
  /** Whether the request has no TLS. */
  plain: boolean
}

/** Decides which addresses and names may be reached. */
export interface AddressRules {
  /** Returns why an address is refused, as a clause after its host; undefined if it is allowed. */
  refusal(address: string, destination: Destination): string | undefined
  /** Whether an address is a public unicast address. */
  isPublic(address: string): boolean
  /** Whether EGRESS_ALLOW has this host name, given in lower case and without a trailing dot. */
  names(host: string): boolean
  /** Whether any address may be reached without TLS. */
  readonly somePlain: boolean
  /** Whether this machine may be reached. */
  readonly loopback: boolean
}

interface AddressRulesOptions {
  /** EGRESS_ALLOW. */
  allow: AllowList
  allowLoopback: boolean
}

/** Addresses of cloud metadata services, which hand out credentials. */
const METADATA = new Set(
  [
    '168.63.129.16', // Azure's wire server, which has a public address
    '100.100.100.200', // Alibaba Cloud
    '192.0.0.192', // Oracle Cloud
    'fd00:ec2::254', // AWS; the IPv4 ones of all vendors are link-local
    'fd00:ec2::23', // AWS, for EKS
    'fd20:ce::254', // Google Cloud
  ].map(text => ipaddr.parse(text).toString()),
)

/**
 * Ranges that only an exact address in EGRESS_ALLOW opens: they lead to this machine, its neighbors or a disguised IPv4
 * address.
 */
const GUARDED = new Set(['linkLocal', 'multicast', 'broadcast', 'rfc6145', 'rfc6052', '6to4', 'teredo', 'compatible'])

/** How an operator allows this machine, as a clause. */
export const BY_LOOPBACK = 'set EGRESS_ALLOW_LOOPBACK=true (only in development and staging), and restart the gateway'

/** Creates the rules of one configuration. */
export function createAddressRules({ allow, allowLoopback }: AddressRulesOptions): AddressRules {
  function refusal(text: string, { named, plain }: Destination): string | undefined {
    const address = parseAddress(text)
    if (address === undefined) return 'is not a valid address'
    const range = rangeOf(address)
    if (range === 'unspecified') return 'is an unspecified address, which refers to this machine'
    if (allow.hasExactly(address)) return undefined
    if (METADATA.has(address.toString()) || range === 'linkLocal')
      return `is an address of the hosting platform; ${only(named)}`
    if (range === 'loopback') {
      // A name must not reveal what it resolves to.
      const exact = named ? 'its exact address' : address.toString()
      return allowLoopback ? undefined : `is this machine; to allow it, add ${exact} to EGRESS_ALLOW or ${BY_LOOPBACK}`
    }
    if (GUARDED.has(range)) return `is not the address of a host on the Internet (${range}); ${only(named)}`
    if (named || allow.includes(address)) return undefined
    if (range !== 'unicast')
      return 'is on a private or reserved network; to allow it, add the host or its network to EGRESS_ALLOW'
    if (plain) return ONLY_HTTPS
    return undefined
  }

  function isPublic(text: string): boolean {
    const address = parseAddress(text)
    return address !== undefined && rangeOf(address) === 'unicast' && !METADATA.has(address.toString())
  }

  return {
    refusal,
    isPublic,
    names: allow.names,
    somePlain: allowLoopback || allow.hasAddresses,
    loopback: allowLoopback,
  }
}

function only(named: boolean): string {
  return `${named ? 'its host name in EGRESS_ALLOW does not allow it, ' : ''}only the exact address in EGRESS_ALLOW does`
}

const REDACTED = '[private address]'

/** How many addresses of a text are parsed, because each takes several microseconds. All further ones are redacted. */
const MAX_PARSED = 500

/** The maximum length of an error text in characters. */
export const MAX_ERROR_TEXT = 64 * 1024

/** What may be an IPv4 address, with or without a port; never a part of a longer number or word. */
const IPV4 = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?!\.?\w)/g

/** What may be an IPv6 address, with or without brackets, zone and port. Bounded, so that the search stays linear. */
const IPV6 =
  /(?<![\w.:%])(?:\[[\da-f:.]{3,45}(?:%[\w-]{1,32})?\](?::\d{1,5})?|[\da-f]{0,4}:[\da-f:.]{1,45}(?:%[\w-]{1,32})?)(?![\w:])/gi

/**
 * Redacts private IP addresses in a provider's error: some providers quote hosts of their own network, or of the
 * gateway's. Host names and addresses in unusual notations stay. Cuts the text at `longest` characters.
 */
export function redactPrivateAddresses(text: string, longest = MAX_ERROR_TEXT): string {
  const kept = text.slice(0, longest)
  let parsed = 0
  const isPrivate = (address: string) => ++parsed > MAX_PARSED || isPrivateAddress(address)
  const rest = kept.includes(':') ? kept.replace(IPV6, found => withoutIPv6(found, isPrivate)) : kept
  return rest.replace(IPV4, (found, address: string) => (isPrivate(decimal(address)) ? REDACTED : found))
}

/**
 * Makes a foreign error a sentence of at most `length` characters without private IP addresses. Reads only as much of it
 * as `sanitizeLine` does, because each address takes several microseconds.
 */
export function foreignLine(text: string, length = 500): string {
  return sanitizeLine(redactPrivateAddresses(beginningOf(text, 4 * length)), length)
}

/** Ends before a word, so that no part of an address stays. */
function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text
  const kept = text.slice(0, longest)
  const end = kept.search(/\s\S{0,99}$/)
  return end < 0 ? kept : kept.slice(0, end)
}

/** Without the zeros that some providers pad the numbers with, which would be read as octal numbers. */
function decimal(address: string): string {
  return address.replace(/\b0+(?=\d)/g, '')
}

function withoutIPv6(found: string, isPrivate: (address: string) => boolean): string {
  const [, address = '', dots = ''] = /^\[?(.*?)(?:%[\w-]*)?(?:\](?::\d+)?)?(\.*)$/.exec(found) ?? []
  // A port may follow an address without brackets.
  const portless = address.replace(/:\d{1,5}$/, '')
  // The notation first: for what is not an address, such as a time, that is many times faster than parsing it.
  return [address, portless].some(text => isIPv6(text) && isPrivate(text)) ? REDACTED + dots : found
}
