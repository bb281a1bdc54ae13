import { GatewayError } from '../../lib/errors/errors.ts'
import { remoteConnectCommand } from '../../services/credentials/operator-advice.ts'
import { type Caller, isAdmin } from '../../services/identity/caller.ts'
import type { RemoteConnector } from '../../services/remote-connectors/remote-connectors.ts'
import { requireRemote } from '../../services/remote-connectors/require-remote.ts'
import { remoteStatus } from '../../services/remote-connectors/to-remote-entry.ts'
import { unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'
import { type Command, command, optional, required, secret } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

const ORG = { org: required('ORG') }

/** What `remote connect` is made of: it goes back and forth with whoever sits at the terminal. */
export const REMOTE_CONNECT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('remote connect-token', {
    about: 'give an upstream another token',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, token: { ...secret('T'), required: true } },
    async run({ remotes }: OperatorServices, { positional: slug, org, token }) {
      const { unchecked, ...remote } = await remotes.setToken(org, slug, token, 'operator')
      return {
        ...answerOf(remote),
        ...(unchecked !== undefined && { warning: `What was handed in is stored, and was not checked: ${unchecked}` }),
      }
    },
  }),
  command('remote connect-as', {
    about: 'say on whose behalf an upstream is authorized',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: optional('USER') },
    async run(services: OperatorServices, { positional: slug, org, user }) {
      const { userId } = await administrator(services, { org, slug, user })
      return { user: userId }
    },
  }),
  command('remote connect-begin', {
    about: 'begin the authorization of an upstream',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: required('USER'), 'redirect-uri': required('URL') },
    async run(services: OperatorServices, { positional: slug, org, user, 'redirect-uri': redirectUri }) {
      const { remotes } = services
      const caller = await administrator(services, { org, slug, user })
      const { authorizationUrl, state } = await remotes.beginAuthorization({ caller, slug, redirectUri })
      return { authorization_url: authorizationUrl, state }
    },
  }),
  command('remote connect-finish', {
    about: 'end the authorization of an upstream',
    internal: true,
    positional: 'SLUG',
    options: { ...ORG, user: required('USER'), callback: required('URL') },
    async run(services: OperatorServices, { positional: slug, org, user, callback }) {
      const caller = await administrator(services, { org, slug, user })
      return answerOf(await services.remotes.finishAuthorization({ caller, by: 'operator', callback }))
    },
  }),
]
function answerOf(remote: RemoteConnector): object {
  const { registration, snapshot } = remote
  const unavailable = unavailableReason(remote)
  return {
    id: registration.slug,
    status: remoteStatus(remote),
    tools: snapshot?.tools.length ?? null,
    ...(unavailable !== undefined && { note: unavailable.explanation }),
  }
}

/** Who authorizes an upstream: an admin who is named, else the one who registered it. Throws invalid_request. */
async function administrator(
  { remotes, members }: OperatorServices,
  { org, slug, user }: { org: string; slug: string; user: string | undefined },
): Promise<Caller> {
  const there = await members.list(org)
  const found = await requireRemote(remotes, org, slug)
  const { registration } = found
  if (registration.auth.mode !== 'oauth') throw needsNoSignIn(found)
  const userId = user ?? registration.createdBy
  const member = there.find(each => each.userId === userId)
  const caller = member && { orgId: org, userId, role: member.role }
  if (caller !== undefined && isAdmin(caller)) return caller
  const who = user === undefined ? `${userId}, who registered ${slug},` : userId
  throw new GatewayError(
    'invalid_request',
    `${who} is no owner or admin of ${org}. Name one who is, with --user: member list --org ${org} has them.`,
  )
}

function needsNoSignIn({ registration }: RemoteConnector): GatewayError {
  const { slug, auth } = registration
  const how =
    auth.mode === 'none'
      ? 'is called without a credential: there is nothing to connect.'
      : `takes a token, and nobody signs in: ${remoteConnectCommand(registration)}`
  return new GatewayError('invalid_request', `${slug} ${how}`)
}
