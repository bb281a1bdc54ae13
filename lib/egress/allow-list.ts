import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type Address, isIPv6, literalOf, nameOf, parseAddress } from './host.ts'

/** What EGRESS_ALLOW opens: on private networks, and over http. */
export interface AllowList {
  /** A host stands in it by its name, in lower case and without a closing dot. */
  names(host: string): boolean
  /** This very address stands in it, and not only a network around it. */
  hasExactly(address: Address): boolean
  /** The address or a network around it stands in it. */
  includes(address: Address): boolean
  /** Some address or network stands in it. */
  readonly hasAddresses: boolean
}

/** Wider than any private network there is (10.0.0.0/8, fc00::/7), a prefix would let out to everyone's. */
const PREFIXES = { ipv4: { from: 8, to: 32 }, ipv6: { from: 7, to: 128 } }

const LABEL = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?'
const HOST_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`)

/** Characters of a domain name at most (RFC 1035). */
const MAX_NAME = 253

/** The list of its entries: host names, addresses and CIDRs. Throws a TypeError that names an entry which is none of them, or too wide. */
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

/** Whether the host of a URL, as `URL.hostname` writes it, stands in the list by its name or its address. */
export function isAllowed(list: AllowList, hostname: string): boolean {
  const literal = literalOf(hostname)
  if (literal === undefined) return list.names(nameOf(hostname))
  const address = parseAddress(literal)
  return address !== undefined && list.includes(address)
}

function readNetwork(entry: string): [Address, number] | undefined {
  const [text = '', prefix, ...rest] = entry.split('/')
  // Only what is written in full: `127.1` and `0x7f000001` are addresses in disguise, and a zone is this machine's own matter.
  const address = isIP(text) === 0 || text.includes('%') || rest.length > 0 ? undefined : parseAddress(text)
  if (address === undefined) return undefined
  const { from, to } = PREFIXES[address.kind()]
  if (prefix === undefined) return [address, to]
  const bits = Number(prefix)
  // The prefix of an IPv4 that is written as an IPv6 counts other bits than the address is judged by.
  const inDisguise = isIPv6(address) !== (isIP(text) === 6)
  if (inDisguise || !/^[1-9]\d{0,2}$/.test(prefix) || bits < from || bits > to) throw unreadable(entry)
  return [address, bits]
}

function readName(entry: string): string {
  // What ends the host of a URL would be cut off.
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
