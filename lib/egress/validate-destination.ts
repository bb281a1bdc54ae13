import { setTimeout as delay } from 'node:timers/promises'
import { type AddressRules, ONLY_HTTPS } from './addresses.ts'
import type { Lookup } from './connect.ts'
import { notPublic, refusalOfName, refused, validateUrl } from './destination.ts'
import type { EgressError } from './egress.ts'
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
