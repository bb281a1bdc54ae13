import type { OperatorServices } from './commands/operator-services.ts'

/** What the bootstrap created. */
export interface Bootstrapped {
  orgId: string
  userId: string
  key: string
}

/** Creates an organization, its owner and an API key. Returns undefined if an organization exists. */
export async function bootstrap({ organizations, keys }: OperatorServices): Promise<Bootstrapped | undefined> {
  if (await organizations.any()) return undefined
  const by = 'operator'
  const org = await organizations.create({ name: 'Development', by })
  const owner = await organizations.createUser({ orgId: org.id, email: 'owner@localhost', role: 'owner', by })
  const { key } = await keys.create({ orgId: org.id, userId: owner.id, name: 'First key', by })
  return { orgId: org.id, userId: owner.id, key }
}
