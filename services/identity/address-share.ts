import { isIPv4, isIPv6 } from 'node:net'

/**
 * What a caller's address is counted as where callers get equal shares: an IPv4 address by itself, also as IPv6 writes
 * it, and an IPv6 address by its /64, which one host has for itself. Whatever is no address shares one name.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const groups = groupsOf(address)
  const [, , , , , , high = 0, low = 0] = groups
  // ::ffff:0:0/96, how a socket of both families shows who came by IPv4.
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every(group => group === 0)
  if (mapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of a valid IPv6 address, without its zone. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%')
  const [head = '', tail] = text.split('::')
  const before = numbersOf(head)
  if (tail === undefined) return before
  const after = numbersOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function numbersOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return Number.parseInt(group, 16)
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
