import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressRules, Destination } from './address-rules.ts'
import { nameOf } from './host.ts'
import { type Lookup, notPublic, refusalOfName, refused } from './validate-destination.ts'

interface ConnectorOptions {
  rules: AddressRules
  lookup: Lookup
  /** The time limit for a connection, TLS handshake included. */
  timeoutMs: number
}

/**
 * Connects only to allowed addresses. One refused address refuses the whole name, because which address is used is
 * chance. The address of the open connection is checked again.
 */
export function createConnector({ rules, lookup, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>()

  // One connector per kind of destination, because the lookup of a connector does not know the protocol.
  function connectorFor(destination: Destination): buildConnector.connector {
    const key = `${destination.named}${destination.plain}`
    const known = connectors.get(key)
    if (known !== undefined) return known
    const made = buildConnector({
      lookup: checkedLookup(destination),
      timeout: timeoutMs,
      // Only HTTP/1.1: all limits are tested with it.
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
      callback(refused(options.hostname, `was reached at an address that ${refusal}`), null)
    })
  }
}
