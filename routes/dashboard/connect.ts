import { type Static, Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { callerOf } from '../../plugins/org-resolution/plugin.ts'
import {
  type AccountGrant,
  AccountGrants,
  CallbackBody,
  ConnectAnswer,
  ConnectBody,
  ConnectForm,
  OauthAppBody,
} from '../../schemas/connectors/connect.ts'
import { type Account, canRemove, missingScopes } from '../../services/accounts/account.ts'
import type { Accounts } from '../../services/accounts/accounts.ts'
import { isOauth2 } from '../../services/connectors/connect/connect-errors.ts'
import type { Connecting } from '../../services/connectors/connect/connecting.ts'
import type { OfferedConnectors } from '../../services/connectors/connect/require-connectors.ts'
import type { ManagedOauthClients } from '../../services/credentials/oauth-clients.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { defineRoutes, type RouteScope } from '../define-routes.ts'

interface ConnectRoutesOptions {
  connectors: OfferedConnectors
  accounts: Pick<Accounts, 'visibleTo'>
  connecting: Pick<Connecting, 'begin' | 'finish' | 'connectWithKey'>
  oauthClients: Pick<ManagedOauthClients, 'of' | 'set' | 'remove'>
  /** The origin of the dashboard, where providers send the browser back to. */
  dashboardUrl: string
}

const Path = Type.Object({ connector: Type.String({ maxLength: 100 }) })
const config = { group: 'account' } as const

/** Connects accounts of the signed-in member: at the provider's own pages, or with a pasted key. */
function addConnectRoutes(app: RouteScope, options: ConnectRoutesOptions): void {
  const { connectors, accounts, connecting, oauthClients } = options
  const redirectUri = `${options.dashboardUrl}/connect/callback`

  app.route<{ Params: Static<typeof Path> }>({
    method: 'GET',
    url: '/connect/:connector',
    config,
    schema: { summary: 'Show what connecting an account requires.', params: Path, response: { 200: ConnectForm } },
    handler: async function readForm(request): Promise<ConnectForm> {
      const connector = find(connectors, request.params.connector)
      const key = apiKeyMethodOf(connector)
      const app = await oauthClients.of(callerOf(request).orgId, connector.id)
      return {
        oauth: connector.auth.type !== 'api_key',
        oauth_configured: app !== undefined,
        key: key === undefined ? null : { hint: key.hint, verified: key.probe !== false },
        settings: askedSettings(connector),
        callback_url: redirectUri,
        app_guide: guideOf(connector),
      }
    },
  })

  app.route<{ Params: Static<typeof Path> }>({
    method: 'GET',
    url: '/connect/:connector/grants',
    config,
    schema: {
      summary:
        'Show what was granted to each account that the caller may reauthorize, and what tools need in addition.',
      params: Path,
      response: { 200: AccountGrants },
    },
    handler: async function listGrants(request): Promise<AccountGrants> {
      const caller = callerOf(request)
      const connector = find(connectors, request.params.connector)
      const visible = await accounts.visibleTo(caller)
      const own = visible.filter(account => account.connector === connector.id && canRemove(caller, account))
      return { grants: own.map(account => toGrant(account, connector)) }
    },
  })

  app.route<{ Params: Static<typeof Path>; Body: ConnectBody }>({
    method: 'POST',
    url: '/connect/:connector',
    config,
    schema: {
      summary: 'Connect an account with a key, or begin to sign in at the provider.',
      params: Path,
      body: ConnectBody,
      response: { 200: ConnectAnswer },
    },
    handler: async function connect(request): Promise<ConnectAnswer> {
      const { scope = 'private', alias, settings, optional_scopes, key, account_id } = request.body
      const connector = find(connectors, request.params.connector)
      const common = {
        caller: callerOf(request),
        connector: connector.id,
        scope,
        ...(alias !== undefined && { alias }),
        ...(settings !== undefined && { settings }),
        ...(account_id !== undefined && { accountId: account_id }),
      }
      if (key !== undefined) return connected(await connecting.connectWithKey({ ...common, key }), connector)
      const optional = optional_scopes === undefined ? {} : { optionalScopes: optional_scopes }
      const { authorizationUrl } = await connecting.begin({ ...common, ...optional, redirectUri })
      return { location: authorizationUrl, account: null }
    },
  })

  app.route<{ Body: CallbackBody }>({
    method: 'POST',
    url: '/connect-callback',
    config,
    schema: {
      summary: 'Finish connecting an account with the provider’s answer.',
      body: CallbackBody,
      response: { 200: ConnectAnswer },
    },
    handler: async function finish(request): Promise<ConnectAnswer> {
      const callback = new URLSearchParams(request.body.search)
      const account = await connecting.finish({ caller: callerOf(request), callback })
      return connected(account, connectors.get(account.connector))
    },
  })
}

function addOauthAppRoutes(app: RouteScope, { connectors, oauthClients }: ConnectRoutesOptions): void {
  async function storedSecret(orgId: string, connector: string): Promise<string> {
    const app = await oauthClients.of(orgId, connector)
    if (app?.source === 'org') return app.secret
    throw new GatewayError('invalid_request', 'Enter the client secret: the organization has no OAuth app here yet.')
  }

  app.route<{ Params: Static<typeof Path>; Body: OauthAppBody }>({
    method: 'PUT',
    url: '/connect/:connector/oauth-app',
    config,
    schema: {
      summary: 'Set the organization’s own OAuth app of a connector.',
      params: Path,
      body: OauthAppBody,
      response: { 204: Type.Null() },
    },
    handler: async function setOauthApp(request, reply) {
      const caller = callerOf(request)
      const { id: connector, auth, orgClients = true } = find(connectors, request.params.connector)
      if (auth.type === 'api_key' || !orgClients)
        throw new GatewayError('invalid_request', 'This connector does not use OAuth apps of organizations.')
      const { client_id: clientId } = request.body
      const clientSecret = request.body.client_secret ?? (await storedSecret(caller.orgId, connector))
      await oauthClients.set({
        orgId: caller.orgId,
        connector,
        clientId,
        clientSecret,
        by: caller,
        setBy: caller.userId,
      })
      return reply.code(204).send()
    },
  })

  app.route<{ Params: Static<typeof Path> }>({
    method: 'DELETE',
    url: '/connect/:connector/oauth-app',
    config,
    schema: { summary: 'Remove the organization’s own OAuth app.', params: Path, response: { 204: Type.Null() } },
    handler: async function removeOauthApp(request, reply) {
      const caller = callerOf(request)
      const { id: connector } = find(connectors, request.params.connector)
      if (!(await oauthClients.remove({ orgId: caller.orgId, connector, by: caller })))
        throw new GatewayError('not_found', 'The organization has no OAuth app of its own for this connector.')
      return reply.code(204).send()
    },
  })
}

function find(connectors: OfferedConnectors, id: string): ConnectorDefinition {
  const connector = connectors.get(id)
  if (connector === undefined)
    throw new GatewayError('not_found', 'There is no such connector here. Choose one from the list.')
  return connector
}

/** What a person needs to know to register an OAuth app at the provider. */
function guideOf({ oauthApp }: ConnectorDefinition): ConnectForm['app_guide'] {
  if (oauthApp === undefined) return null
  const { url, docs, steps = [], redirectUris, review, limits, notes = [] } = oauthApp
  const more = [redirectUris, review, limits].filter(text => text !== undefined)
  return { url, docs, steps: [...steps], notes: [...more, ...notes] }
}

/** The settings that a member gives: those that the gateway discovers itself are left out. */
function askedSettings({ settings, discovery }: ConnectorDefinition): ConnectForm['settings'] {
  const discovered = Object.keys(discovery?.settings ?? {}).filter(name => name !== discovery?.chosenBy)
  return Object.entries(settings?.properties ?? {})
    .filter(([name]) => !discovered.includes(name))
    .map(([name, { title, description }]) => ({
      name,
      title: title ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
      description: description ?? '',
      required: settings?.required?.includes(name) ?? false,
    }))
}

function connected(account: Account, connector: ConnectorDefinition | undefined): ConnectAnswer {
  const { id, alias, identity, scope, status, keyVerified, grantedScopes } = account
  return {
    location: null,
    account: {
      id,
      connector: account.connector,
      alias,
      identity,
      scope,
      status,
      ...(keyVerified !== null && { key_verified: keyVerified }),
      granted_scopes: grantedScopes === null ? null : [...grantedScopes],
      missing_scopes: connector === undefined ? [] : missingScopes(account, requiredScopes(connector)),
    },
  }
}

const requiredScopes = (connector: ConnectorDefinition) =>
  isOauth2(connector) ? Object.keys(connector.auth.scopes ?? {}) : []

/** The missing scopes are those without which a call fails, and those that every account is asked for. */
function toGrant(account: Account, connector: ConnectorDefinition): AccountGrant {
  const { id, grantedScopes } = account
  const needed = [...requiredScopes(connector), ...connector.tools.flatMap(({ scopes = [] }) => scopes)]
  return {
    account_id: id,
    granted_scopes: grantedScopes === null ? null : [...grantedScopes],
    missing: missingScopes(account, [...new Set(needed)]).map(scope => ({
      scope,
      tools: connector.tools.filter(tool => tool.scopes?.includes(scope)).map(({ title }) => title),
    })),
  }
}

export default defineRoutes<ConnectRoutesOptions>('dashboard/connect', {
  organization: addConnectRoutes,
  admin: addOauthAppRoutes,
})
