import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import { issuersOf, sharedIssuersOf } from '../../lib/configuration/issuers.ts'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { createAgents } from './agents.ts'
import { createKeyStore } from './key-store.ts'
import { createMembers, type MembersOptions } from './members.ts'
import { createOrganizations, type OrganizationsOptions } from './organizations.ts'
import { createSignIns } from './sign-ins.ts'
import { createUserEmails } from './user-emails.ts'
import { createUsers } from './users.ts'

interface OrganizationServicesOptions extends Pick<OrganizationsOptions, 'wallets' | 'standings'> {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  ids: IdSource
  audit: Audit
  jobs: Jobs
  commands: OperatorCommands
  settings: Pick<Settings, 'tokens' | 'environment' | 'peppers'>
  /** Removes the private accounts of a member that leaves. */
  removeAccounts: MembersOptions['removeAccounts']
}

/** Creates the services for organizations and for what belongs to them: users, members, agents and API keys. */
export function createOrganizationServices(options: OrganizationServicesOptions) {
  const { settings, removeAccounts, ...shared } = options
  const sharedIssuers = sharedIssuersOf(settings.tokens)
  const users = createUsers({ ...shared, sharedIssuers })
  return {
    users,
    signIns: createSignIns({ ...shared, sharedIssuers, issuers: issuersOf(settings.tokens) }),
    userEmails: createUserEmails(shared),
    organizations: createOrganizations({ ...shared, users }),
    members: createMembers({ ...shared, removeAccounts }),
    agents: createAgents(shared),
    keys: createKeyStore({ ...shared, environment: settings.environment, peppers: settings.peppers }),
  }
}
