import { type AddressRules, BY_LOOPBACK, type Destination, ONLY_HTTPS } from './addresses.ts'
import { BAD_PORTS } from './bad-ports.ts'
import { EgressError } from './egress.ts'
import { literalOf, nameOf } from './host.ts'

/** Names that by convention lead to this machine or its own network. */
const INWARD = /(^|\.)(localhost|local|internal|home\.arpa)$/
const LOOPBACK = /(^|\.)localhost$/

/** Characters of a domain name at most, with the dot of a rooted one (RFC 1035). */
const MAX_NAME = 254

/**
 * The URL of a request, if its form lets it out: what its name resolves to is judged when it is connected to.
 * Throws an EgressError `refused`.
 */
export function validateUrl(input: string | URL, rules: AddressRules): URL {
  const url = parseUrl(input)
  // Nothing longer is a name, and the name stands in every message.
  if (url.hostname.length > MAX_NAME) throw refused('The host of the URL', 'is longer than a name can be')
  const host = url.host
  const plain = url.protocol === 'http:'
  if (!plain && url.protocol !== 'https:') throw refused('The URL', 'has to begin with https://')
  if (url.username !== '' || url.password !== '')
    throw refused(host, 'was given with a user name or password in its URL; send them as a header')
  if (url.port !== '' && BAD_PORTS.has(Number(url.port)))
    throw refused(host, 'is not reached: the port belongs to another protocol than HTTP')

  const literal = literalOf(url.hostname)
  if (literal !== undefined) {
    const refusal = rules.refusal(literal, { named: false, plain })
    if (refusal !== undefined) throw refused(host, refusal)
    return url
  }
  const name = nameOf(url.hostname)
  if (rules.names(name)) return url
  if (LOOPBACK.test(name) && !rules.loopback) throw refused(host, `is this machine itself; ${BY_LOOPBACK}`)
  if (INWARD.test(name) && !LOOPBACK.test(name))
    throw refused(host, 'is a name of this machine or its own network; if it may be reached, name it in EGRESS_ALLOW')
  if (plain && !rules.somePlain) throw refused(host, ONLY_HTTPS)
  return url
}

/** A host that was not let out to, and why. */
export function refused(host: string, why: string): EgressError {
  return new EgressError('refused', `${host} ${why}.`)
}

/**
 * A name without a usable address. Names that do not resolve and names that resolve to a private address get this same
 * error: otherwise the difference would tell which names an internal network has.
 */
export function notPublic(hostname: string): EgressError {
  return new EgressError(
    'unreachable',
    `${hostname} does not resolve to a public address. Check the name. To reach a private network, add the name to EGRESS_ALLOW.`,
  )
}

/** Why a name cannot be connected to by one of its addresses; undefined if that address may be reached. */
export function refusalOfName(
  hostname: string,
  address: string,
  { rules, destination }: { rules: AddressRules; destination: Destination },
): EgressError | undefined {
  const refusal = rules.refusal(address, destination)
  if (refusal === undefined) return undefined
  return rules.isPublic(address) ? refused(hostname, `resolves to what ${refusal}`) : notPublic(hostname)
}

function parseUrl(input: string | URL): URL {
  if (typeof input !== 'string') return input
  const url = URL.parse(input)
  if (url === null) throw refused('What was given', 'is not a URL')
  return url
}
