import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import { type Command, command, optional } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

/** How accounts of a connector are connected, as a person says it. */
function connectedBy(connector: ConnectorDefinition): string {
  const key = apiKeyMethodOf(connector) === undefined ? [] : ['key']
  return [...(connector.auth.type === 'api_key' ? [] : ['sign-in']), ...key].join(' or ')
}

export const CONNECTOR_COMMANDS: readonly Command<OperatorServices>[] = [
  command('connector list', {
    about: 'the connectors that are offered, how each is connected, and whose OAuth app serves it (of an organization)',
    options: { org: optional('ORG') },
    async run({ connectors, accounts, oauthClients }: OperatorServices, { org }) {
      // Refuses an organization that does not exist, whose apps would be none.
      const connected = org === undefined ? undefined : await accounts.listOf(org)
      const own = new Set(org === undefined ? [] : (await oauthClients.list(org)).map(({ connector }) => connector))
      const appOf = ({ id, auth }: ConnectorDefinition) => {
        if (auth.type === 'api_key') return null
        if (own.has(id)) return 'organization'
        return oauthClients.hasPlatform(id) ? 'platform' : 'none'
      }
      return {
        connectors: [...connectors.values()].map(connector => ({
          id: connector.id,
          name: connector.name,
          connected_by: connectedBy(connector),
          oauth_app: appOf(connector),
          ...(connected && { accounts: connected.filter(account => account.connector === connector.id).length }),
        })),
      }
    },
  }),
]
