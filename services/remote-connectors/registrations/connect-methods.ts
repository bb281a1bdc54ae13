import { GatewayError } from '../../../lib/errors/errors.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import { remoteConnectCommand } from '../../credentials/operator-advice.ts'
import type { RemoteAuthorizations } from '../oauth/remote-authorizations.ts'
import type { Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin } from '../require-admin.ts'
import { requireRemote } from '../require-remote.ts'
import type { Gone, SnapshotService } from '../snapshots/snapshot-service.ts'
import type { ChangeRemotes } from './change-remotes.ts'
import { checkProvidedCredential } from './provided-credential.ts'
import type { ReadRemotes } from './read-remotes.ts'
import { lockRegistration, unknownRegistration } from './registration-rows.ts'
import { issuedApiKey, type ProvidedBy, type StoreCredential } from './store-credential.ts'
import type { TryCredential } from './try-credential.ts'

/** What gives a registered upstream its credential: an authorization, or another token. */
export type RemoteConnectMethods = Pick<RemoteConnectors, 'beginAuthorization' | 'finishAuthorization' | 'setToken'>

export interface RemoteConnectMethodsOptions {
  authorizations: RemoteAuthorizations
  storeCredential: StoreCredential
  tryCredential: TryCredential
  remotes: ReadRemotes
  snapshotService: Pick<SnapshotService, 'first'>
  change: ChangeRemotes
}

export function createRemoteConnectMethods(options: RemoteConnectMethodsOptions): RemoteConnectMethods {
  const { authorizations, storeCredential, tryCredential, remotes, snapshotService, change } = options

  /** Stores a credential of a registration that is still there, and takes a snapshot where there is none. */
  async function store(
    { id, orgId, slug }: Registration,
    issued: IssuedCredential,
    { by, userId, gone }: ProvidedBy & { gone: Gone },
  ): Promise<RemoteConnector> {
    await change(orgId, by, async org => {
      const held = await lockRegistration(org, { id })
      if (held === undefined) throw await gone(org)
      await storeCredential(org, held, issued, { by, userId })
    })
    return snapshotService.first(orgId, slug, by, gone)
  }

  return {
    async beginAuthorization({ caller, slug, redirectUri }) {
      requireAdmin(caller)
      const { registration } = await requireRemote(remotes, caller.orgId, slug)
      return authorizations.begin({ registration, member: caller, redirectUri })
    },

    async finishAuthorization({ caller, by = caller, callback }) {
      requireAdmin(caller)
      const { orgId, userId } = caller
      const { registration, issued } = await authorizations.finish({
        member: caller,
        callback,
        registrationOf: async slug => (await remotes.find(orgId, slug))?.registration,
      })
      return store(registration, issued, { by, userId, gone: removedMeanwhile })
    },

    async setToken(orgId, slug, value, by) {
      const { registration } = await requireRemote(remotes, orgId, slug)
      const { auth, createdBy } = registration
      if (auth.mode !== 'bearer' && auth.mode !== 'header') throw takesNoToken(registration)
      const issued = issuedApiKey(checkProvidedCredential(auth.mode, value))
      // What is there and accepted is not given up for what is not.
      const unchecked = await tryCredential(registration, auth, issued.credential)
      const remote = await store(registration, issued, {
        by,
        userId: typeof by === 'string' ? createdBy : by.userId,
        gone: org => unknownRegistration(org, slug),
      })
      return { ...remote, ...(unchecked !== undefined && { unchecked }) }
    },
  }
}

function takesNoToken(registration: Registration): GatewayError {
  const { slug, auth } = registration
  const advice =
    auth.mode === 'oauth'
      ? `Sign in: ${remoteConnectCommand(registration)}`
      : 'Where the server wants one, remove it and register it with bearer, header or oauth.'
  return new GatewayError(
    'invalid_request',
    `${slug} was registered with mode ${auth.mode}, which takes no token. ${advice}`,
  )
}

function removedMeanwhile(): GatewayError {
  return new GatewayError(
    'connect_failed',
    'The remote connector was removed while it was authorized. Register it again.',
  )
}
