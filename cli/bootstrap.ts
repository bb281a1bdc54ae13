import type { Settings } from '../services/settings/settings.ts'
import type { OperatorServices } from './commands/operator-services.ts'

/** What the bootstrap created. */
export interface Bootstrapped {
  orgId: string
  userId: string
  key: string
  /** Signs the owner in to the dashboard, once; undefined if this process does not serve it. */
  link: string | undefined
}

/** Creates an organization, its owner, an API key and a sign-in link. Returns undefined if an organization exists. */
export async function bootstrap(
  { organizations, keys, signInLinks }: Pick<OperatorServices, 'organizations' | 'keys' | 'signInLinks'>,
  { dashboard }: Pick<Settings, 'dashboard'>,
): Promise<Bootstrapped | undefined> {
  if (await organizations.any()) return undefined
  const by = 'operator'
  const org = await organizations.create({ name: 'Development', by })
  const owner = await organizations.createUser({ orgId: org.id, email: 'owner@localhost', role: 'owner', by })
  const { key } = await keys.create({ orgId: org.id, userId: owner.id, name: 'First key', by })
  const link = dashboard === undefined ? undefined : (await signInLinks.create(owner.id)).link
  return { orgId: org.id, userId: owner.id, key, link }
}
