import type { LookupAddress, LookupOptions } from 'node:dns'
import { setTimeout as delay } from 'node:timers/promises'
import { EgressError } from './egress.ts'
import { literalOf, nameOf } from './host.ts'
import { type AddressRules, BY_LOOPBACK, type Destination, ONLY_HTTPS } from './private-addresses.ts'

/** Resolves a name to all of its addresses, as `dns.lookup` with `all` does. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The time limit for a lookup. Every connection checks the addresses again. */
const LOOKUP_MS = 3_000

interface DestinationOptions {
  readonly rules: AddressRules
  readonly lookup: Lookup
}

/** See Egress.validateDestination. */
export async function validateDestination(text: string, options: DestinationOptions): Promise<URL> {
  const { url, needsAddress, refusal } = await resolveDestination(text, options)
  // Over https, an unresolvable name is harmless: every connection checks it again. Over http, it must resolve to an
  // allowed address.
  if (refusal !== undefined && needsAddress) throw refused(url.host, ONLY_HTTPS)
  return url
}

/** See Egress.requireReachable. */
export async function requireReachable(text: string, options: DestinationOptions): Promise<void> {
  const { refusal } = await resolveDestination(text, options)
  if (refusal !== undefined) throw refusal
}

/** Checks a URL and resolves its name. */
async function resolveDestination(
  text: string,
  { rules, lookup }: DestinationOptions,
): Promise<{ url: URL; needsAddress: boolean; refusal: EgressError | undefined }> {
  const url = validateUrl(text, rules)
  const { hostname } = url
  const plain = url.protocol === 'http:'
  const named = rules.names(nameOf(hostname))
  const needsAddress = plain && !named
  if (literalOf(hostname) !== undefined) return { url, needsAddress, refusal: undefined }
  const destination = { named, plain }
  const addresses = await addressesOf(hostname, lookup)
  if (addresses.length === 0) return { url, needsAddress, refusal: notPublic(hostname) }
  const refusals = addresses.map(address => refusalOfName(hostname, address, { rules, destination }))
  return { url, needsAddress, refusal: refusals.find(refusal => refusal !== undefined) }
}

/** Returns an empty list if the name has no addresses or the lookup takes too long. */
function addressesOf(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  const found = new Promise<readonly string[]>(resolve =>
    lookup(hostname, { all: true }, (error, addresses) =>
      resolve(error === null ? addresses.map(({ address }) => address) : []),
    ),
  )
  return Promise.race([found, delay(LOOKUP_MS, [], { ref: false })])
}

/** Ports of other protocols than HTTP ("bad ports" of https://fetch.spec.whatwg.org/#port-blocking). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Names that conventionally resolve to this machine or its local network. */
const INWARD = /(^|\.)(localhost|local|internal|home\.arpa)$/
const LOOPBACK = /(^|\.)localhost$/

/** The maximum length of a domain name in characters, with a trailing dot (RFC 1035). */
const MAX_NAME = 254

/**
 * Parses and checks the URL of a request without resolving its name; the addresses are checked at every connection.
 * Throws an EgressError `refused`.
 */
export function validateUrl(input: string | URL, rules: AddressRules): URL {
  const url = parseUrl(input)
  // Error messages contain the host, so it must be short.
  if (url.hostname.length > MAX_NAME) throw refused('The host of the URL', 'is too long')
  const host = url.host
  const plain = url.protocol === 'http:'
  if (!plain && url.protocol !== 'https:') throw refused('The URL', 'must begin with https://')
  if (url.username !== '' || url.password !== '')
    throw refused(host, 'has a user name or password in its URL; send them as a header')
  if (url.port !== '' && BAD_PORTS.has(Number(url.port)))
    throw refused(host, 'is refused: the port belongs to a protocol other than HTTP')

  const literal = literalOf(url.hostname)
  if (literal !== undefined) {
    const refusal = rules.refusal(literal, { named: false, plain })
    if (refusal !== undefined) throw refused(host, refusal)
    return url
  }
  const name = nameOf(url.hostname)
  if (rules.names(name)) return url
  if (LOOPBACK.test(name) && !rules.loopback) throw refused(host, `is this machine; to allow it, ${BY_LOOPBACK}`)
  if (INWARD.test(name) && !LOOPBACK.test(name))
    throw refused(host, 'is a name of this machine or its local network; to allow it, add it to EGRESS_ALLOW')
  if (plain && !rules.somePlain) throw refused(host, ONLY_HTTPS)
  return url
}

/** The error for a refused destination. */
export function refused(host: string, why: string): EgressError {
  return new EgressError('refused', `${host} ${why}.`)
}

/**
 * The error for a name without a public address. A name that does not resolve and a name that resolves to a private
 * address get the same error: a difference would reveal which names an internal network has.
 */
export function notPublic(hostname: string): EgressError {
  return new EgressError('unreachable', `${hostname} does not resolve to a public address.`)
}

/** The error for a name that resolves to a refused address; undefined if the address is allowed. */
export function refusalOfName(
  hostname: string,
  address: string,
  { rules, destination }: { rules: AddressRules; destination: Destination },
): EgressError | undefined {
  const refusal = rules.refusal(address, destination)
  if (refusal === undefined) return undefined
  return rules.isPublic(address) ? refused(hostname, `resolves to an address that ${refusal}`) : notPublic(hostname)
}

function parseUrl(input: string | URL): URL {
  if (typeof input !== 'string') return input
  const url = URL.parse(input)
  if (url === null) throw refused('The URL', 'is not valid')
  return url
}
