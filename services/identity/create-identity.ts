import type { Kysely } from 'kysely'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import type { Database } from '../../lib/database/tables.ts'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { createActiveOrganizations } from './active-organization.ts'
import { createApiKeys } from './api-keys.ts'
import { createJwts, type Jwts, type JwtsOptions } from './jwt.ts'
import { createTokenPolicies } from './token-policies.ts'

interface IdentityServicesOptions {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  log: Logger
  settings: Pick<Settings, 'publicOrigins' | 'environment' | 'peppers' | 'tokens'>
  userOf: JwtsOptions['userOf']
  /** Replaces the verifier of the configured issuers. */
  jwts?: Jwts | undefined
}

/** Creates the verifiers of credentials, the lookup of a user's active organization, and the hosts that tokens can name. */
export function createIdentityServices({ db, events, clock, log, settings, userOf, jwts }: IdentityServicesOptions) {
  const { environment, peppers, tokens } = settings
  const hosts = new PublicHosts(settings.publicOrigins)
  const policies = () => createTokenPolicies(tokens, { clock, log, mcpResources: () => hosts.mcpResources })
  return {
    hosts,
    activeOrganizations: createActiveOrganizations({ db, events, clock }),
    identity: {
      apiKeys: createApiKeys({ db, events, clock, environment, peppers }),
      jwts: jwts ?? createJwts({ policies: policies(), userOf, clock, events }),
    },
  }
}
