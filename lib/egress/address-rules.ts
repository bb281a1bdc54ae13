import ipaddr from 'ipaddr.js'
import type { AllowList } from './allow-list.ts'
import { type Address, isIPv6, parseAddress } from './host.ts'

/** What is wrong with a URL over http, behind its host. */
export const ONLY_HTTPS = 'is only reached over https; http is for what EGRESS_ALLOW names'

/** What is known of the destination whose address is judged. */
export interface Destination {
  /** EGRESS_ALLOW names its host. */
  named: boolean
  /** The request goes without TLS. */
  plain: boolean
}

/** Which addresses and names may be reached. */
export interface AddressRules {
  /** Why an address may not be reached; undefined when it may. */
  refusal(address: string, destination: Destination): string | undefined
  /** Whether an address is one host's on the Internet, whatever else stands against it. */
  isPublic(address: string): boolean
  /** EGRESS_ALLOW names this host, in lower case and without a closing dot. */
  names(host: string): boolean
  /** Some address may be reached without TLS. */
  readonly somePlain: boolean
  /** This machine may be reached. */
  readonly loopback: boolean
}

export interface AddressRulesOptions {
  /** EGRESS_ALLOW. */
  allow: AllowList
  allowLoopback: boolean
}

/** What the hosting platforms answer their machines' questions on: credentials, among others. */
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

/** Classes that neither a CIDR nor a name opens: what they lead to is this machine, its neighbours or a disguised IPv4. */
const GUARDED = new Set(['linkLocal', 'multicast', 'broadcast', 'rfc6145', 'rfc6052', '6to4', 'teredo', 'compatible'])

const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** What opens this machine, as a clause. */
export const BY_LOOPBACK =
  'EGRESS_ALLOW_LOOPBACK=true in the gateway’s environment opens it (in development and staging only)'

/** The rules of one configuration. */
export function createAddressRules({ allow, allowLoopback }: AddressRulesOptions): AddressRules {
  function refusal(text: string, { named, plain }: Destination): string | undefined {
    const address = parseAddress(text)
    if (address === undefined) return 'is not an address that can be judged'
    const range = rangeOf(address)
    if (range === 'unspecified') return 'is an unspecified address, which leads to this machine'
    if (allow.hasExactly(address)) return undefined
    if (METADATA.has(address.toString()) || range === 'linkLocal')
      return `is an address of the hosting platform; ${only(named)}`
    if (range === 'loopback')
      return allowLoopback ? undefined : `is this machine itself; ${BY_LOOPBACK}, or else ${only(named)}`
    if (GUARDED.has(range)) return `is no address of one host on the Internet (${range}); ${only(named)}`
    if (named || allow.includes(address)) return undefined
    if (range !== 'unicast')
      return 'is on a private or reserved network; if it may be reached, name the host or its network in EGRESS_ALLOW'
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
  return `${named ? 'its host name in EGRESS_ALLOW does not open it, ' : ''}only the exact address in EGRESS_ALLOW does`
}

function rangeOf(address: Address): string {
  const range: string = address.range()
  if (!isIPv6(address) || range !== 'unicast') return range
  if (address.match(COMPATIBLE)) return 'compatible'
  return address.match(GLOBAL_UNICAST) ? range : 'reserved'
}
