import type { Kysely } from 'kysely'
import { sharedIssuersOf } from '../../lib/configuration/issuers.ts'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import type { Database } from '../../lib/database/tables.ts'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { createActiveOrganizations } from './active-organization.ts'
import { createAgentTokens } from './agent-tokens.ts'
import { createApiKeys } from './api-keys.ts'
import { createJwts, type Jwts, type JwtsOptions } from './jwt.ts'
import { createLogoutTokens } from './logout-tokens.ts'
import { createTokenPolicies } from './token-policies.ts'

interface IdentityServicesOptions {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  log: Logger
  settings: Pick<Settings, 'publicOrigins' | 'environment' | 'peppers' | 'tokens' | 'dashboardClient'>
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
