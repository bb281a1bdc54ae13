import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type Address, isIPv6, literalOf, nameOf, parseAddress } from './host.ts'

/** The parsed EGRESS_ALLOW: which private hosts and networks may be reached, also over http. */
export interface AllowList {
  /** Whether the list has this host name, given in lower case and without a trailing dot. */
  names(host: string): boolean
  /** Whether the list has exactly this address; a network around it does not count. */
  hasExactly(address: Address): boolean
  /** Whether the list has the address or a network around it. */
  includes(address: Address): boolean
  /** Whether the list has any address or network. */
  readonly hasAddresses: boolean
}

/** The widest prefixes allowed: no private network is wider (10.0.0.0/8, fc00::/7). */
const PREFIXES = { ipv4: { from: 8, to: 32 }, ipv6: { from: 7, to: 128 } }

const LABEL = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?'
const HOST_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`)

/** The maximum length of a domain name in characters (RFC 1035). */
const MAX_NAME = 253

/**
 * Parses host names, addresses and CIDRs. Throws a TypeError that names an entry which is none of these, or too wide.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const names = new Set<string>()
  const exact = new Set<string>()
  const networks: [Address, number][] = []
  for (const entry of entries) {
    const network = readNetwork(entry)
    if (network === undefined) names.add(readName(entry))
    else if (network[1] === PREFIXES[network[0].kind()].to) exact.add(network[0].toString())
    else networks.push(network)
  }

  const hasExactly = (address: Address) => exact.has(address.toString())
  return {
    names: host => names.has(host),
    hasExactly,
    includes: address =>
      hasExactly(address) ||
      networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)),
    hasAddresses: exact.size > 0 || networks.length > 0,
  }
}

/** Whether the list has the host of a URL (`URL.hostname`), by name or by address. */
export function isAllowed(list: AllowList, hostname: string): boolean {
  const literal = literalOf(hostname)
  if (literal === undefined) return list.names(nameOf(hostname))
  const address = parseAddress(literal)
  return address !== undefined && list.includes(address)
}

function readNetwork(entry: string): [Address, number] | undefined {
  const [text = '', prefix, ...rest] = entry.split('/')
  // Accepts only full notation: `127.1` and `0x7f000001` are disguised addresses, and zones are local to a machine.
  const address = isIP(text) === 0 || text.includes('%') || rest.length > 0 ? undefined : parseAddress(text)
  if (address === undefined) return undefined
  const { from, to } = PREFIXES[address.kind()]
  if (prefix === undefined) return [address, to]
  const bits = Number(prefix)
  // The prefix length of an IPv4-mapped IPv6 address does not count the bits of the IPv4 address.
  const isMapped = isIPv6(address) !== (isIP(text) === 6)
  if (isMapped || !/^[1-9]\d{0,2}$/.test(prefix) || bits < from || bits > to) throw unreadable(entry)
  return [address, bits]
}

function readName(entry: string): string {
  // domainToASCII would cut the name at these characters.
  const name = /[/?#\\:@%\s]/.test(entry) ? '' : nameOf(domainToASCII(entry))
  if (name.length > MAX_NAME || !HOST_NAME.test(name) || /(^|\.)\d+$/.test(name)) throw unreadable(entry)
  return name
}

function unreadable(entry: string): TypeError {
  return new TypeError(
    `EGRESS_ALLOW: ${entry} is neither a host name, an address nor a CIDR of at most a private network; ` +
      'write git.corp.example, 10.1.2.3 or 10.1.0.0/16, without a scheme or a port',
  )
}
