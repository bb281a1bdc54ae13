import { GatewayError } from '../../lib/errors/errors.ts'
import { requireConnector } from '../../services/connectors/connect/require-connectors.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import { type Command, command, optional, required, secret } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

/** The connect methods of a connector, in words. */
function connectedBy(connector: ConnectorDefinition): string {
  const key = apiKeyMethodOf(connector) === undefined ? [] : ['key']
  return [...(connector.auth.type === 'api_key' ? [] : ['sign-in']), ...key].join(' or ')
}

export const CONNECTOR_COMMANDS: readonly Command<OperatorServices>[] = [
  command('connector list', {
    about: 'list the offered connectors, their connect methods, and the OAuth app that each uses (in an organization)',
    options: { org: optional('ORG') },
    async run({ connectors, accounts, oauthClients }: OperatorServices, { org }) {
      // Rejects an organization that does not exist, instead of listing no apps.
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

const ONE = { org: required('ORG'), connector: required('ID') }

export const OAUTH_CLIENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('oauth-client set', {
    about: 'use an organization’s own OAuth app for a connector',
    options: { ...ONE, 'client-id': required('I'), 'client-secret': { ...secret('S'), required: true } },
    async run(services: OperatorServices, { org, connector, ...client }) {
      requireOrgClients(services, connector)
      const { oauthClients } = services
      await oauthClients.set({
        orgId: org,
        connector,
        clientId: client['client-id'],
        clientSecret: client['client-secret'],
        by: 'operator',
        setBy: null,
      })
      return { id: connector, client_id: client['client-id'] }
    },
  }),
  command('oauth-client remove', {
    about: 'remove an organization’s own OAuth app; its tokens can no longer be refreshed',
    options: ONE,
    async run({ oauthClients, commands }, { org, connector }) {
      const removed = await oauthClients.remove({ orgId: org, connector, by: 'operator' })
      if (!removed)
        throw new GatewayError(
          'invalid_request',
          `${org} has no OAuth app of its own for ${connector}. To list its apps, run: ${commands.listOauthClients(org)}`,
        )
      return { id: connector }
    },
  }),
  command('oauth-client list', {
    about: 'list the OAuth apps of an organization, without their secrets',
    options: { org: required('ORG'), connector: optional('ID') },
    async run({ oauthClients }, { org, connector }) {
      const list = await oauthClients.list(org)
      return {
        oauth_clients: list
          .filter(client => connector === undefined || client.connector === connector)
          .map(serializeRow),
      }
    },
  }),
]

function requireOrgClients({ connectors, leftOutConnectors }: OperatorServices, id: string): void {
  const connector = requireConnector(connectors, id, leftOutConnectors)
  if (connector.auth.type === 'api_key')
    throw new GatewayError('invalid_request', `${connector.name} connects with API keys and uses no OAuth app.`)
  if (connector.orgClients === false)
    throw new GatewayError('invalid_request', `${connector.name} does not support OAuth apps of organizations.`)
}
