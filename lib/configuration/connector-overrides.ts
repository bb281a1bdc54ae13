import { type Static, Type } from '@sinclair/typebox'
import { isAllowed } from '../egress/allow-list.ts'
import { parseByConnector, wrongAt } from './by-connector.ts'
import { ConfigurationError, mustBe } from './configuration-error.ts'
import type { EgressSettings } from './egress.ts'
import { isLoopback } from './origins.ts'

const url = Type.Optional(Type.String({ minLength: 1 }))

const ConnectorOverride = Type.Object(
  {
    base_url: url,
    authorization_url: url,
    token_url: url,
    revocation_url: url,
    request_token_url: url,
    access_token_url: url,
    discovery_url: url,
    issuer: url,
  },
  { additionalProperties: false, minProperties: 1 },
)

/** Where a connector is found instead: a self-managed installation, a test double. `base_url` may have `{settings.name}` in its path. */
export type ConnectorOverride = Readonly<Static<typeof ConnectorOverride>>

/**
 * CONNECTOR_OVERRIDES by connector id; throws its ConfigurationError, which says what of which connector is wrong.
 * Credentials go to these URLs: over http to no network but one of ours.
 */
export function parseOverrides(text: string, egress: EgressSettings): ReadonlyMap<string, ConnectorOverride> {
  const overrides = parseByConnector('CONNECTOR_OVERRIDES', text, ConnectorOverride)
  const inTheClear = (hostname: string) =>
    (egress.loopback && isLoopback(hostname)) || isAllowed(egress.allow, hostname)
  for (const [connector, override] of overrides)
    for (const [name, value] of Object.entries(override)) {
      const url = endpointOf(name === 'base_url' ? withoutPlaces(value) : value, name)
      if (url === undefined) throw mustBe('CONNECTOR_OVERRIDES', wrongAt(connector, name))
      if (url.protocol === 'https:' || inTheClear(url.hostname)) continue
      throw isLoopback(url.hostname)
        ? new ConfigurationError(
            'CONNECTOR_OVERRIDES',
            `leads ${connector} to this machine itself (${name}), which needs EGRESS_ALLOW_LOOPBACK=true`,
          )
        : mustBe('CONNECTOR_OVERRIDES', wrongAt(connector, name))
    }
  return overrides
}

/** The URL of an override; undefined for a text that is none, or not one that can be asked. */
function endpointOf(text: string, name: string): URL | undefined {
  const url = /^https?:\/\/[^/?#@\\\s{}]+(?:[/?][^#\\\s{}]*)?$/i.test(text) ? URL.parse(text) : null
  if (url === null || (url.search !== '' && ['base_url', 'issuer'].includes(name))) return undefined
  return url
}

/** A setting may stand in the path alone: in the host it would choose whom a credential is sent to. */
function withoutPlaces(text: string): string {
  return text.replace(/(?<=\/\/[^/]+\/.*)\{settings\.[A-Za-z_]\w*\}/g, 'x')
}
