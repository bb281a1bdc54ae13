import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The group of a caller's address, by which limits count. An IPv4 address, also in its IPv6 form, is its own group. IPv6
 * addresses are grouped by /64, the size of network that one host usually has. All values that are not addresses form one
 * group.
 */
export function addressGroup(address: string | undefined): string {
  // ipaddr.js also reads other forms of IPv4 addresses, such as 127.1.
  if (address === undefined || isIP(address) === 0) return 'unknown'
  // ::ffff:0:0/96 is how a dual-stack socket shows an IPv4 client.
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4)
  return `${network.map(part => part.toString(16)).join(':')}::/64`
}
