import { type Kysely, sql } from 'kysely'

/**
 * What an account's alias is compared by: aliases that differ only in case or in the width of their characters are the
 * same. Null in rows that an older version writes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column alias_key text`.execute(db)
  const { rows } = await sql<Row>`
    select id, alias, concat_ws(' ', org_id, connector, scope, case when scope = 'private' then user_id end) as owner
    from accounts order by created_at, id`.execute(db)
  const keys = JSON.stringify(keysOf(rows))
  await sql`
    update accounts set alias_key = k.key
    from jsonb_to_recordset(${keys}::jsonb) as k (id text, key text) where accounts.id = k.id`.execute(db)
  for (const statement of indexes) await sql.raw(statement).execute(db)
}

interface Row {
  id: string
  alias: string
  /** Whose aliases it must differ from. */
  owner: string
}

/** Of accounts whose aliases are the same by now, the oldest gets the plain key. `#` cannot occur in an alias. */
function keysOf(rows: readonly Row[]): { id: string; key: string }[] {
  const taken = new Set<string>()
  return rows.map(({ id, alias, owner }) => {
    const key = fold(alias)
    const isTaken = taken.has(`${owner} ${key}`)
    taken.add(`${owner} ${key}`)
    return { id, key: isTaken ? `${key}#${id}` : key }
  })
}

function fold(alias: string): string {
  return alias.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

const indexes = [
  `create unique index accounts_private_alias_key on accounts (org_id, connector, user_id, alias_key) where scope = 'private'`,
  `create unique index accounts_shared_alias_key on accounts (org_id, connector, alias_key) where scope = 'shared'`,
]
