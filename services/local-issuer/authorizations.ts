import type { Interaction, Provider } from 'oidc-provider'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isSameDigest, secretDigest } from '../../lib/random-secret.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { ActiveOrganizations } from '../identity/active-organization.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { SignIns } from '../organizations/sign-ins.ts'
import { SCOPE } from './provider.ts'

/** The client that asks for access. It chose its name itself. */
interface AskingClient {
  name: string
  /** The host that answers for the name: that of its metadata document (CIMD); null for a registered client. */
  host: string | null
  /** Where the browser goes afterwards: `loopback`, the host of a web page, or the scheme of an app. */
  returnsTo: { kind: 'loopback' | 'web' | 'app'; name: string }
}

/** Names one authorization, and proves by one of its cookies that this browser began it. */
interface Asked {
  uid: string
  cookies: readonly string[]
}

/** The authorizations that wait for a decision of the signed-in user. Both throw not_found for those of other browsers. */
export interface Authorizations {
  read(asked: Asked): Promise<AskingClient>
  /** Allows or denies. Returns where the browser continues, which leads it back to the client. */
  decide(asked: Asked & { caller: Caller; allow: boolean }): Promise<string>
}

interface AuthorizationsOptions extends Pick<Infrastructure, 'audit'> {
  issuer: string
  provider(): Promise<Provider>
  signIns: Pick<SignIns, 'link'>
  activeOrganizations: Pick<ActiveOrganizations, 'choose'>
  orgDatabase(orgId: string): OrgDatabase
}

const MAX_NAME = 80

export function createAuthorizations(options: AuthorizationsOptions): Authorizations {
  const { issuer, provider, signIns, activeOrganizations, audit, orgDatabase } = options

  async function find({ uid, cookies }: Asked): Promise<Interaction> {
    const interaction = await (await provider()).Interaction.find(uid)
    const began = (cookie: string) => isSameDigest(secretDigest(cookie), secretDigest(interaction?.cid ?? ''))
    if (interaction !== undefined && interaction.result === undefined && cookies.some(began)) return interaction
    throw new GatewayError(
      'not_found',
      'This sign-in of a client is not pending: it was answered, took longer than ten minutes, or was begun in another browser. Begin again in the client.',
    )
  }

  async function clientOf({ params }: Interaction): Promise<AskingClient & { id: string }> {
    const id = String(params.client_id)
    const client = await (await provider()).Client.find(id)
    const host = URL.parse(id)?.host ?? null
    const name = sanitizeLine(client?.clientName ?? '', MAX_NAME)
    return { id, name: name || (host ?? 'An MCP client'), host, returnsTo: destinationOf(String(params.redirect_uri)) }
  }

  /** Creates the grant of this user: tokens for the requested resources, which act in the caller's organization. */
  async function allow({ params }: Interaction, { userId, orgId }: Caller): Promise<Record<string, unknown>> {
    const { Grant } = await provider()
    const clientId = String(params.client_id)
    await signIns.link({ userId, issuer, subject: userId, move: false, by: { userId, orgId } })
    await activeOrganizations.choose({ userId, clientId }, orgId)
    const grant = new Grant({ accountId: userId, clientId })
    for (const resource of [params.resource].flat()) grant.addResourceScope(String(resource), SCOPE)
    return { login: { accountId: userId }, consent: { grantId: await grant.save() } }
  }

  return {
    async read(asked) {
      const { name, host, returnsTo } = await clientOf(await find(asked))
      return { name, host, returnsTo }
    },

    async decide({ caller, allow: isAllowed, ...asked }) {
      const interaction = await find(asked)
      interaction.result = isAllowed
        ? await allow(interaction, caller)
        : { error: 'access_denied', error_description: 'The user denied the request.' }
      await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)))
      const { id, name } = await clientOf(interaction)
      const action = isAllowed ? 'mcp_client.allow' : 'mcp_client.deny'
      await audit.record(orgDatabase(caller.orgId), { by: caller, action, target: id, detail: { name } })
      return interaction.returnTo
    },
  }
}

function destinationOf(redirectUri: string): AskingClient['returnsTo'] {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (protocol === 'http:') return { kind: 'loopback', name: hostname }
  return protocol === 'https:' ? { kind: 'web', name: host } : { kind: 'app', name: protocol.slice(0, -1) }
}
