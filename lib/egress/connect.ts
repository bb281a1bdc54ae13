import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressRules, Destination } from './address-rules.ts'
import { nameOf } from './host.ts'
import { notPublic, refusalOfName, refused } from './validate-destination.ts'

/** All addresses of a name: `dns.lookup` asked for `all`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface ConnectorOptions {
  rules: AddressRules
  lookup: Lookup
  /** How long a connection may take to be made, TLS included. */
  timeoutMs: number
}

/**
 * Makes connections to judged addresses only: a name of which one address is refused is refused whole, since which of
 * them is connected to would be chance. The address that a connection has in the end is judged once more.
 */
export function createConnector({ rules, lookup, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>()

  // One for each of the four kinds of destination: a connector's lookup cannot tell what it is asked for.
  function connectorFor(destination: Destination): buildConnector.connector {
    const key = `${destination.named}${destination.plain}`
    const known = connectors.get(key)
    if (known !== undefined) return known
    const made = buildConnector({
      lookup: checkedLookup(destination),
      timeout: timeoutMs,
      // One protocol on the wire: HTTP/1.1, whose bounds are all under test.
      allowH2: false,
    })
    connectors.set(key, made)
    return made
  }

  function checkedLookup(destination: Destination): LookupFunction {
    return (hostname, options, callback) =>
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? []
        if (error !== null || first === undefined) return callback(notPublic(hostname), '', 0)
        for (const { address } of addresses) {
          const refusal = refusalOfName(hostname, address, { rules, destination })
          if (refusal !== undefined) return callback(refusal, '', 0)
        }
        if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
  }

  return function connect(options, callback) {
    const destination = { named: rules.names(nameOf(options.hostname)), plain: options.protocol === 'http:' }
    connectorFor(destination)(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const refusal = rules.refusal(socket.remoteAddress ?? '', destination)
      if (refusal === undefined) return callback(null, socket)
      socket.on('error', () => {})
      socket.destroy()
      callback(refused(options.hostname, `was connected to at what ${refusal}`), null)
    })
  }
}
