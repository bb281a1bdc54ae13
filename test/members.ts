import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { createAudit } from '../plugins/audit/audit.ts'
import type { Database, Role } from '../plugins/database/tables.ts'
import type { ApiKeyIdentity } from '../plugins/identity/identity.ts'
import { type Caller, callerOfKey } from '../plugins/org-resolution/caller.ts'
import { createOrganizations } from '../plugins/org-resolution/organizations.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Clock } from '../schemas/time.ts'
import { keyHolder } from './stage.ts'

export interface TestMember {
  caller: Caller
  identity: ApiKeyIdentity
}

/** Ids as the service makes them, by the given clock. */
export function testIds(clock: Clock): IdSource {
  return prefix => `${prefix}_${uuid({ msecs: clock.now() }).replaceAll('-', '')}`
}

/** Makes organizations and their members through the real service, for tests of what stands below the app. */
export function members(db: Kysely<Database>, clock: Clock) {
  const ids = testIds(clock)
  const organizations = createOrganizations({ db, clock, ids, audit: createAudit({ clock, ids }) })

  return async function organization<R extends Role[]>(...roles: R): Promise<{ [K in keyof R]: TestMember }> {
    const { id: orgId } = await organizations.create('Analytical Engines')
    const made: TestMember[] = []
    for (const role of roles) {
      const { id: userId } = await organizations.createUser({ orgId, email: `${ids('usr')}@example.test`, role })
      const keyId = ids('key')
      const identity = keyHolder({ orgId, userId, role, keyId, meterKey: keyId })
      made.push({ identity, caller: callerOfKey(identity) })
    }
    return made as { [K in keyof R]: TestMember }
  }
}
