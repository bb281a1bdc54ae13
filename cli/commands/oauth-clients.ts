import { GatewayError } from '../../lib/errors/errors.ts'
import { requireConnector } from '../../services/connectors/require-connectors.ts'
import { type Command, command, optional, required, secret } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

const ONE = { org: required('ORG'), connector: required('ID') }

export const OAUTH_CLIENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('oauth-client set', {
    about: 'have an organization’s own OAuth app serve its connects of a connector',
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
    about: 'remove an organization’s own OAuth app; what it issued cannot be refreshed any more',
    options: ONE,
    async run({ oauthClients }, { org, connector }) {
      const removed = await oauthClients.remove({ orgId: org, connector, by: 'operator' })
      if (!removed) throw new GatewayError('invalid_request', `${org} has no OAuth app of its own for ${connector}.`)
      return { id: connector }
    },
  }),
  command('oauth-client list', {
    about: 'the OAuth apps of an organization, without their secrets',
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
    throw new GatewayError('invalid_request', `${connector.name} is connected with keys and has no OAuth app.`)
  if (connector.orgClients === false)
    throw new GatewayError('invalid_request', `${connector.name} takes no OAuth apps of organizations.`)
}
