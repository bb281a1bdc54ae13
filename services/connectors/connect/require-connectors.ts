import type { Settings } from '../../../lib/configuration/settings.ts'
import { ConfigurationError } from '../../../lib/configuration/variable.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'

/** The offered connectors by ID. */
export type OfferedConnectors = Pick<ReadonlyMap<string, ConnectorDefinition>, 'get' | 'keys' | 'values'>

/**
 * Returns an offered connector. Throws invalid_request that lists the offered ones, and says if CONNECTORS excludes it.
 */
export function requireConnector(
  offered: OfferedConnectors,
  id: string,
  leftOut: ReadonlySet<string> = new Set(),
): ConnectorDefinition {
  const connector = offered.get(id)
  if (connector !== undefined) return connector
  const why = leftOut.has(id) ? `CONNECTORS excludes the connector ${id}.` : `There is no connector ${id}.`
  throw new GatewayError('invalid_request', `${why} Choose from: ${[...offered.keys()].toSorted().join(', ')}.`)
}

/**
 * Rejects settings without effect: for connectors that this version does not have, and OAuth apps for connectors that
 * use keys. Throws a ConfigurationError.
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
        `must name only connectors of this version: ${knownIds.toSorted().join(', ')}. ${unknown} is unknown`,
      )
  }
  const withKeys = catalog.find(({ id, auth }) => auth.type === 'api_key' && settings.oauthClients.has(id))
  if (withKeys !== undefined)
    throw new ConfigurationError('OAUTH_CLIENTS', `must not name ${withKeys.id}, which is connected with keys`)
}
