import type { Agents } from '../organizations/agents.ts'
import type { KeyStore } from '../organizations/key-store.ts'
import type { Members } from '../organizations/members.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { Capabilities } from '../tool-registry/capabilities.ts'

/** The services that the operator's commands stand on. */
export interface OperatorServices {
  database: { migrate(): Promise<void> }
  organizations: Organizations
  members: Members
  keys: KeyStore
  agents: Agents
  capabilities: Capabilities
}
