import type { Role } from '../plugins/database/tables.ts'
import type { Services } from '../services.ts'

/** Test data, made through the services that the operator's commands use. */
export interface Directory {
  org(name?: string): Promise<TestOrg>
}

export interface TestOrg {
  id: string
  member(role?: Role): Promise<TestMember>
}

export interface TestMember {
  userId: string
  orgId: string
  /** An API key of the member; of his agent where one is named. */
  key(options?: { agentId?: string; expiresAt?: Date }): Promise<{ id: string; key: string }>
  agent(name?: string): Promise<{ id: string }>
}

let people = 0

export function directory({ organizations, keys, agents }: Services): Directory {
  return {
    async org(name = 'Analytical Engines') {
      const { id: orgId } = await organizations.create(name)
      return {
        id: orgId,
        async member(role = 'member') {
          const { id: userId } = await organizations.createUser({
            orgId,
            email: `person-${++people}@example.test`,
            role,
          })
          return {
            userId,
            orgId,
            key: (options = {}) => keys.create({ orgId, userId, ...options }),
            agent: (name = 'Helper') => agents.create({ orgId, ownerId: userId, name }),
          }
        },
      }
    },
  }
}
