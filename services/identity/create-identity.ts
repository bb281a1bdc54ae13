import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { createActiveOrganizations } from './active-organization.ts'
import { createAgentTokens } from './agent-tokens.ts'
import { createApiKeys } from './api-keys.ts'
import { sharedIssuersOf, type TokenSettings } from './issuer-settings.ts'
import { createJwts, type Jwts, type JwtsOptions } from './jwt.ts'
import { createLogoutTokens } from './logout-tokens.ts'
import { createTokenPolicies } from './token-policies.ts'

interface IdentityServicesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'events'> {
  settings: {
    publicOrigins(port: number): readonly string[]
    readonly environment: GatewayEnvironment
    readonly peppers: KeyRing
    readonly tokens: TokenSettings
    readonly dashboardClient: { readonly clientId: string } | undefined
  }
  userOf: JwtsOptions['userOf']
  /** Replaces the verifier of the configured issuers. */
  jwts?: Jwts | undefined
}

/** Creates the verifiers of credentials, the lookup of a user's active organization, and the hosts that tokens can name. */
export function createIdentityServices({ db, events, clock, log, settings, userOf, jwts }: IdentityServicesOptions) {
  const { environment, peppers, tokens, dashboardClient } = settings
  const hosts = new PublicHosts(settings.publicOrigins)
  const policies = createTokenPolicies(tokens, { clock, log, mcpResources: () => hosts.mcpResources })
  const agents = createAgentTokens({ db, events, clock, sharedIssuers: sharedIssuersOf(tokens) })
  const { subjectOf, ...verifier } = createJwts({ policies, userOf, agents, clock, events })
  const sessions = policies.filter(({ via }) => via === 'session')
  const ofDashboard = sessions.map(policy => ({ ...policy, audiences: () => [dashboardClient?.clientId ?? ''] }))
  const idTokens = createJwts({ policies: ofDashboard, userOf, agents, clock, events })
  return {
    hosts,
    activeOrganizations: createActiveOrganizations({ db, events, clock }),
    identity: {
      apiKeys: createApiKeys({ db, events, clock, environment, peppers }),
      jwts: jwts ?? verifier,
    },
    /** The issuer and subject of a valid token. */
    subjectOf,
    /** Verifies the logout tokens that the session issuer sends the dashboard; undefined without that issuer. */
    verifyLogoutToken: ofDashboard[0] && createLogoutTokens(ofDashboard[0], { clock }),
    /** Verifies the ID tokens that the session issuer gives the dashboard. */
    verifyIdToken: (token: string) => idTokens.verify(token, 'session'),
  }
}
