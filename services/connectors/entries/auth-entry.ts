import type { ConnectorAuthEntry } from '../../../schemas/connector.ts'
import { type ConnectorDefinition, keyDoorOf, type Scopes } from '../../definitions/define-connector.ts'

/** The `auth` object of an entry (spec.md, `auth` object). A connector that is no longer offered takes no keys. */
export function authEntry(
  connector: Pick<ConnectorDefinition, 'auth'>,
  { offered, oauthConfigured }: { offered: boolean; oauthConfigured: boolean },
): ConnectorAuthEntry {
  const { auth } = connector
  const door = keyDoorOf(connector)
  return {
    type: auth.type,
    ...grants(auth),
    ...(door !== undefined && { api_key_connect: offered, api_key_probe: door.probe }),
    ...(auth.type !== 'api_key' && { oauth_configured: oauthConfigured }),
  }
}

/** A summary or scopes, never both; nothing of either where a key is all there is. */
function grants(auth: ConnectorDefinition['auth']): Omit<ConnectorAuthEntry, 'type'> {
  if (auth.type === 'api_key') return { scopes: [] }
  if (auth.accessSummary !== undefined) return { scopes: [], access_summary: auth.accessSummary }
  const { scopes, optionalScopes, userScopes } = auth
  return {
    scopes: Object.keys(scopes),
    scope_descriptions: plain(scopes),
    ...(optionalScopes !== undefined && {
      optional_scopes: Object.keys(optionalScopes),
      optional_scope_descriptions: plain(optionalScopes),
    }),
    ...(userScopes !== undefined && {
      user_scopes: Object.keys(userScopes),
      user_scope_descriptions: plain(userScopes),
    }),
  }
}

const plain = (scopes: Scopes): Record<string, string> => ({ ...scopes })
