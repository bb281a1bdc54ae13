import { GatewayError } from '../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../definitions/define-connector.ts'

/** The connectors that are offered, by id. */
export type OfferedConnectors = Pick<ReadonlyMap<string, ConnectorDefinition>, 'get' | 'keys' | 'values'>

/** The connector of an id; throws invalid_request with those there are, and says which CONNECTORS leaves out. */
export function requireConnector(
  offered: OfferedConnectors,
  id: string,
  leftOut: ReadonlySet<string> = new Set(),
): ConnectorDefinition {
  const connector = offered.get(id)
  if (connector !== undefined) return connector
  const why = leftOut.has(id) ? `The connector ${id} is left out by CONNECTORS.` : `There is no connector ${id}.`
  throw new GatewayError('invalid_request', `${why} There are: ${[...offered.keys()].toSorted().join(', ')}.`)
}
