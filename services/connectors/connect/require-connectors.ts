import { computeAll } from '../../../lib/configuration/faults.ts'
import type { Checks } from '../../../lib/configuration/read-settings.ts'
import { ConfigurationError } from '../../../lib/configuration/variable.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { ConnectorSettings, connectorSettings } from '../connector-settings.ts'
import { applyOverrides } from '../overrides.ts'

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
 * Rejects settings without effect: for connectors that this version does not have, URLs that a connector does not use,
 * and OAuth apps for connectors that use keys.
 */
export function connectorChecks(catalog: readonly ConnectorDefinition[]): Required<Checks<typeof connectorSettings>> {
  const byId = new Map(catalog.map(connector => [connector.id, connector]))
  function requireKnown(variable: string, ids: Iterable<string>): void {
    const unknown = [...ids].find(id => !byId.has(id))
    if (unknown === undefined) return
    const known = [...byId.keys()].toSorted().join(', ')
    throw new ConfigurationError(variable, `must name only connectors of this version: ${known}. ${unknown} is unknown`)
  }
  return {
    connectors: (ids = []) => requireKnown('CONNECTORS', ids),
    connectorOverrides(overrides) {
      requireKnown('CONNECTOR_OVERRIDES', overrides.keys())
      for (const connector of catalog.filter(({ id }) => overrides.has(id)))
        applyOverrides(connector, overrides.get(connector.id) ?? {})
    },
    oauthClients(clients) {
      requireKnown('OAUTH_CLIENTS', clients.keys())
      const withKeys = catalog.find(({ id, auth }) => auth.type === 'api_key' && clients.has(id))
      if (withKeys !== undefined)
        throw new ConfigurationError('OAUTH_CLIENTS', `must not name ${withKeys.id}, which is connected with keys`)
    },
  }
}

/** Runs all connector checks on the settings. Throws InvalidConfiguration. */
export function requireKnownConnectors(
  { connectors, connectorOverrides, oauthClients }: ConnectorSettings,
  catalog: readonly ConnectorDefinition[],
): void {
  const checks = connectorChecks(catalog)
  computeAll({
    connectors: () => checks.connectors(connectors),
    connectorOverrides: () => checks.connectorOverrides(connectorOverrides),
    oauthClients: () => checks.oauthClients(oauthClients),
  })
}
