import type { Kysely } from 'kysely'
import type { Database } from '../plugins/database/tables.ts'
import type { ActiveOrganizations } from '../plugins/org-resolution/active-organization.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Clock } from '../schemas/time.ts'
import type { AnyTool } from './define-tool.ts'
import { switchOrg } from './manage/switch-org.ts'
import { whoami } from './manage/whoami.ts'
import { memoryTools } from './memory/memory-tools.ts'

export interface CatalogOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  activeOrganizations: ActiveOrganizations
}

/** Every built-in tool. */
export function catalog({ db, clock, ids, activeOrganizations }: CatalogOptions): AnyTool[] {
  return [...memoryTools({ db, clock, ids }), whoami(activeOrganizations), switchOrg(activeOrganizations)]
}
