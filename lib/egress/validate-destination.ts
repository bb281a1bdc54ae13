import { setTimeout as delay } from 'node:timers/promises'
import { type AddressRules, BY_LOOPBACK, type Destination, ONLY_HTTPS } from './address-rules.ts'
import type { Lookup } from './connect.ts'
import { EgressError } from './egress.ts'
import { literalOf, nameOf } from './host.ts'

/** How long a name may take to be looked up: what it leads to is judged again at every connection. */
const LOOKUP_MS = 3_000

interface DestinationOptions {
  readonly rules: AddressRules
  readonly lookup: Lookup
}

/** See Egress.validateDestination. */
export async function validateDestination(text: string, options: DestinationOptions): Promise<URL> {
  const { url, needsAddress, refusal } = await resolveDestination(text, options)
  // Over https a name without a usable address does no harm, and every connection judges it again. Over http it has to
  // lead to what is open.
  if (refusal !== undefined && needsAddress) throw refused(url.host, ONLY_HTTPS)
  return url
}

/** See Egress.requireReachable. */
export async function requireReachable(text: string, options: DestinationOptions): Promise<void> {
  const { refusal } = await resolveDestination(text, options)
  if (refusal !== undefined) throw refusal
}

/** A URL whose form is let out, and why its name may not be connected to now. */
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

/** None where a name has none, and where nobody says so in time. */
function addressesOf(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  const found = new Promise<readonly string[]>(resolve =>
    lookup(hostname, { all: true }, (error, addresses) =>
      resolve(error === null ? addresses.map(({ address }) => address) : []),
    ),
  )
  return Promise.race([found, delay(LOOKUP_MS, [], { ref: false })])
}

/** Ports that other protocols than HTTP listen on ("bad ports" of https://fetch.spec.whatwg.org/#port-blocking). */
export const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

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
