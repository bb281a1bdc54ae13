import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import { issuersOf, sharedIssuersOf, type TokenSettings } from '../identity/issuer-settings.ts'
import type { TokenSubject } from '../identity/jwt.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Policies } from '../policies/policies.ts'
import { createAcceptInvitation } from './accept-invitation.ts'
import { createAgentSignIns } from './agent-sign-ins.ts'
import { createAgents } from './agents.ts'
import { createInvitations } from './invitations.ts'
import { createKeyClaims } from './key-claims.ts'
import { createKeyStore } from './key-store.ts'
import { createMemberAgents } from './member-agents.ts'
import { createMemberKeys } from './member-keys.ts'
import { createMembers, type MembersOptions } from './members.ts'
import type { MembershipRule } from './membership-rule-settings.ts'
import { createMembershipRules } from './membership-rules.ts'
import { createOrganizations, type OrganizationsOptions } from './organizations.ts'
import { createSignIns } from './sign-ins.ts'
import { createUserEmails, createUserLookup } from './user-emails.ts'
import { createUsers } from './users.ts'

interface OrganizationServicesOptions
  extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'audit' | 'jobs' | 'commands' | 'events'>,
    Pick<OrganizationsOptions, 'wallets' | 'standings'> {
  settings: {
    readonly tokens: TokenSettings
    readonly environment: GatewayEnvironment
    readonly peppers: KeyRing
    readonly dashboardUrl: string | undefined
    readonly membershipRules: readonly MembershipRule[]
  }
  policies: Pick<Policies, 'set'>
  /** Removes the private accounts of a member that leaves. */
  removeAccounts: MembersOptions['removeAccounts']
}

/** Creates the services for organizations and for what belongs to them: users, members, agents and API keys. */
export function createOrganizationServices(options: OrganizationServicesOptions) {
  const { settings, removeAccounts, ...shared } = options
  const sharedIssuers = sharedIssuersOf(settings.tokens)
  const users = createUsers({ ...shared, sharedIssuers })
  const agents = createAgents(shared)
  const keys = createKeyStore({ ...shared, environment: settings.environment, peppers: settings.peppers })
  const memberKeys = createMemberKeys({ ...shared, keys })
  const membershipRules = createMembershipRules({ ...shared, rules: settings.membershipRules })
  const agentSignIns = createAgentSignIns({ ...shared, sharedIssuers })
  return {
    users,
    membershipRules,
    /** The user of a verified token, who becomes a member where the rules say so. */
    async userOf(subject: TokenSubject, claims: Readonly<Record<string, unknown>>): Promise<string> {
      const userId = await users.idOf(subject)
      await membershipRules.apply(userId, { issuer: subject.issuer, claims })
      return userId
    },
    signIns: createSignIns({ ...shared, sharedIssuers, issuers: issuersOf(settings.tokens) }),
    userEmails: createUserEmails(shared),
    userLookup: createUserLookup(shared),
    organizations: createOrganizations({ ...shared, users }),
    invitations: createInvitations(shared),
    acceptInvitation: createAcceptInvitation(shared),
    members: createMembers({ ...shared, removeAccounts }),
    agents,
    agentSignIns,
    memberAgents: createMemberAgents(agents, agentSignIns),
    keys,
    memberKeys,
    keyClaims: createKeyClaims({ ...shared, memberKeys, dashboardUrl: settings.dashboardUrl }),
  }
}
