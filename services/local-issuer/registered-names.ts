import { sql } from 'kysely'
import { secretDigest } from '../../lib/random-secret.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { Infrastructure } from '../infrastructure.ts'

const MAX_NAME = 80

/** The names that clients registered at the local issuer, by client ID. Unknown and unnamed clients are absent. */
export type RegisteredNames = (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Creates the lookup of names. */
export function createRegisteredNames({ db }: Pick<Infrastructure, 'db'>): RegisteredNames {
  return async clientIds => {
    const byHash = new Map(clientIds.map(id => [secretDigest(id), id]))
    if (byHash.size === 0) return new Map()
    const rows = await db
      .selectFrom('issuer_records')
      .where('kind', '=', 'Client')
      .where('id_hash', 'in', [...byHash.keys()])
      .select(['id_hash', sql<string | null>`payload ->> 'client_name'`.as('name')])
      .execute()
    return new Map(
      rows.flatMap(({ id_hash, name }) => {
        const clean = sanitizeLine(name ?? '', MAX_NAME)
        return clean === '' ? [] : [[byHash.get(id_hash) ?? '', clean] as const]
      }),
    )
  }
}
