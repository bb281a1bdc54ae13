import { GatewayError } from '../../lib/errors/errors.ts'
import { requireConnector } from '../../services/connectors/connect/require-connectors.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { type Caller, isAdmin } from '../../services/identity/caller.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { hasCredential, isPerMember } from '../../services/remote-connectors/registration.ts'
import type { RemoteConnector } from '../../services/remote-connectors/remote-connectors.ts'
import { requireRemote } from '../../services/remote-connectors/require-remote.ts'
import { remoteStatus } from '../../services/remote-connectors/to-remote-entry.ts'
import { nextStep, unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'
import { type Command, command, optional, person, required, secret } from './command.ts'
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

const ORG = { org: required('ORG') }

export const REMOTE_COMMANDS: readonly Command<OperatorServices>[] = [
  command('remote list', {
    about: 'list the MCP servers of an organization, including hidden ones',
    options: ORG,
    async run({ remotes, members, commands }: OperatorServices, { org }) {
      // Rejects an organization that does not exist, instead of listing no servers.
      await members.list(org)
      const list = await remotes.list(org)
      return {
        remotes: list.map(remote => {
          const { slug, name, upstreamUrl, auth, hidden, createdBy, candidate } = remote.registration
          const { snapshot } = remote
          const next = nextStep(remote, commands)
          return {
            id: slug,
            name,
            upstream_url: upstreamUrl,
            auth_mode: auth.mode,
            ...(isPerMember(remote.registration) && { credential_per: 'member' }),
            status: remoteStatus(remote),
            hidden,
            tools: snapshot?.tools.length ?? null,
            set_aside: snapshot?.rejected.count ?? null,
            not_listed: remote.leftOut,
            snapshot_fetched_at: snapshot?.fetchedAt.toISOString() ?? null,
            pending_changes: candidate?.changes ?? null,
            pending_risky: candidate?.risky ?? null,
            created_by: createdBy,
            next_step: next ?? null,
          }
        }),
      }
    },
  }),
  ...(['hide', 'show'] as const).map(verb =>
    command(`remote ${verb}`, {
      about:
        verb === 'hide'
          ? 'hide the tools of a registered MCP server from the organization; its entry stays'
          : 'show the tools of a hidden MCP server again',
      positional: 'SLUG',
      options: ORG,
      async run({ remotes }: OperatorServices, { positional: slug, org }) {
        await remotes.setHidden(org, slug, verb === 'hide', 'operator')
        return { id: slug, hidden: verb === 'hide' }
      },
    }),
  ),
]

/** The steps of `remote connect`, which alternate with the person at the terminal. */
export const REMOTE_CONNECT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('remote connect-token', {
    about: 'store another token for an MCP server, of a member if each has their own',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: person({ required: false }), token: { ...secret('T'), required: true } },
    async run({ remotes, commands }: OperatorServices, { positional: slug, org, user, token }) {
      const { unchecked, ...remote } = await remotes.setToken(org, slug, token, 'operator', user)
      return {
        ...answerOf(remote, commands),
        ...(unchecked !== undefined && { warning: `The token is stored but was not checked: ${unchecked}` }),
      }
    },
  }),
  command('remote connect-as', {
    about: 'name the member who authorizes an MCP server',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: person({ required: false }) },
    async run(services: OperatorServices, { positional: slug, org, user }) {
      const { userId } = await authorizer(services, { org, slug, user })
      return { user: userId }
    },
  }),
  command('remote connect-begin', {
    about: 'begin the authorization of an MCP server',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: person({ required: true }), 'redirect-uri': required('URL') },
    async run(services: OperatorServices, { positional: slug, org, user, 'redirect-uri': redirectUri }) {
      const { remotes } = services
      const caller = await authorizer(services, { org, slug, user })
      const { authorizationUrl, state } = await remotes.beginAuthorization({ caller, slug, redirectUri })
      return { authorization_url: authorizationUrl, state }
    },
  }),
  command('remote connect-finish', {
    about: 'complete the authorization of an MCP server',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: person({ required: true }), callback: required('URL') },
    async run(services: OperatorServices, { positional: slug, org, user, callback }) {
      const caller = await authorizer(services, { org, slug, user })
      const { remotes, commands } = services
      return answerOf(await remotes.finishAuthorization({ caller, by: 'operator', callback }), commands)
    },
  }),
]

function answerOf(remote: RemoteConnector, commands: OperatorCommands): object {
  const { registration, snapshot } = remote
  const unavailable = unavailableReason(remote, commands)
  return {
    id: registration.slug,
    status: remoteStatus(remote),
    tools: snapshot?.tools.length ?? null,
    ...(unavailable !== undefined && { note: unavailable.explanation }),
  }
}

/**
 * The member who authorizes a server. Per member: the given user. Otherwise an administrator: the given user, else the one
 * who registered it. Throws invalid_request.
 */
async function authorizer(
  { remotes, members, commands }: OperatorServices,
  { org, slug, user }: { org: string; slug: string; user: string | undefined },
): Promise<Caller> {
  const list = await members.list(org)
  const found = await requireRemote(remotes, org, slug)
  const { registration } = found
  if (registration.auth.mode !== 'oauth') throw signInNotNeeded(found, commands)
  const perMember = isPerMember(registration)
  if (perMember && user === undefined) throw withoutUser(found, commands)
  const userId = user ?? registration.createdBy
  const member = list.find(each => each.userId === userId)
  const caller = member && { orgId: org, userId, role: member.role }
  if (caller !== undefined && perMember) return caller
  if (caller !== undefined && isAdmin(caller)) return caller
  const who = user === undefined ? `${userId}, who registered ${slug},` : userId
  throw new GatewayError(
    'invalid_request',
    `${who} is not ${perMember ? 'a member' : 'an owner or admin'} of ${org}. Name one with --user. To list them, run: ${commands.listMembers(org)}`,
  )
}

function withoutUser({ registration }: RemoteConnector, commands: OperatorCommands): GatewayError {
  return new GatewayError(
    'invalid_request',
    `Each member authorizes ${registration.slug} for themselves. Name the member: ${commands.connectRemote(registration)}`,
  )
}

function signInNotNeeded({ registration }: RemoteConnector, commands: OperatorCommands): GatewayError {
  const { slug, auth } = registration
  const how = hasCredential(auth)
    ? `takes a token instead of a sign-in: ${commands.connectRemote(registration)}`
    : 'needs no credential: there is nothing to connect.'
  return new GatewayError('invalid_request', `${slug} ${how}`)
}
