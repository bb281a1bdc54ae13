import { GatewayError } from '../../lib/errors/errors.ts'
import { type Caller, isAdmin } from '../../services/identity/caller.ts'
import { type OperatorCommands, toOperator } from '../../services/operator/operator-commands.ts'
import { hasCredential, isPerMember } from '../../services/remote-connectors/registration.ts'
import type { RemoteConnector } from '../../services/remote-connectors/remote-connectors.ts'
import { requireRemote } from '../../services/remote-connectors/require-remote.ts'
import { remoteStatus } from '../../services/remote-connectors/to-remote-entry.ts'
import { nextStep, unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'
import { type Command, command, optional, required, secret } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

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
            next_step: next === undefined ? null : toOperator(next),
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
    options: { ...ORG, user: optional('USER'), token: { ...secret('T'), required: true } },
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
    options: { ...ORG, user: optional('USER') },
    async run(services: OperatorServices, { positional: slug, org, user }) {
      const { userId } = await authorizer(services, { org, slug, user })
      return { user: userId }
    },
  }),
  command('remote connect-begin', {
    about: 'begin the authorization of an MCP server',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: required('USER'), 'redirect-uri': required('URL') },
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
    options: { ...ORG, user: required('USER'), callback: required('URL') },
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
    ...(unavailable !== undefined && { note: toOperator(unavailable.explanation) }),
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
