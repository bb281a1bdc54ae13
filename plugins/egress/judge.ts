import { setTimeout as delay } from 'node:timers/promises'
import type { AddressRules } from './addresses.ts'
import type { Lookup } from './connect.ts'
import { judgeUrl, refused } from './destination.ts'
import { literalOf, nameOf } from './host.ts'

/** How long a name may take to be looked up: what it leads to is judged again at every connection. */
const LOOKUP_MS = 3_000

/** See Egress.judge. */
export async function judge(text: string, { rules, lookup }: { rules: AddressRules; lookup: Lookup }): Promise<URL> {
  const url = judgeUrl(text, rules)
  const { hostname, host, protocol } = url
  if (literalOf(hostname) !== undefined) return url
  const destination = { named: rules.names(nameOf(hostname)), plain: protocol === 'http:' }
  const addresses = await addressesOf(hostname, lookup)
  for (const address of addresses) {
    const refusal = rules.refusal(address, destination)
    if (refusal !== undefined) throw refused(host, `resolves to what ${refusal}`)
  }
  // Over https a name that is not known yet does no harm; over http it has to lead to what is opened.
  if (addresses.length === 0 && destination.plain && !destination.named)
    throw refused(host, 'is only reached over https; http is for what EGRESS_ALLOW names')
  return url
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
