import type { Settings } from '../../lib/configuration/settings.ts'
import { ConfigurationError } from '../../lib/configuration/variable.ts'
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

/**
 * Refuses settings that would silently do nothing: of connectors that this version does not have, and OAuth apps of such
 * as are connected with keys. Throws a ConfigurationError.
 */
export function requireKnownConnectors(
  settings: Pick<Settings, 'connectors' | 'connectorOverrides' | 'oauthClients'>,
  catalog: readonly Pick<ConnectorDefinition, 'id' | 'auth'>[],
): void {
  const named = {
    CONNECTORS: settings.connectors ?? [],
    CONNECTOR_OVERRIDES: [...settings.connectorOverrides.keys()],
    OAUTH_CLIENTS: [...settings.oauthClients.keys()],
  }
  const knownIds = catalog.map(({ id }) => id)
  for (const [variable, ids] of Object.entries(named)) {
    const unknown = ids.find(id => !knownIds.includes(id))
    if (unknown !== undefined)
      throw new ConfigurationError(
        variable,
        `must name connectors of this version alone: ${knownIds.toSorted().join(', ')}; ${unknown} is none`,
      )
  }
  const withKeys = catalog.find(({ id, auth }) => auth.type === 'api_key' && settings.oauthClients.has(id))
  if (withKeys !== undefined)
    throw new ConfigurationError('OAUTH_CLIENTS', `must not name ${withKeys.id}: it is connected with keys`)
}
