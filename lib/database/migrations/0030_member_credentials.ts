import { type Kysely, sql } from 'kysely'

/**
 * Registrations whose members each have a credential of their own, in a private account per member. Also fixed headers
 * beside a credential, and the modes whose requests no account authenticates or whose tokens need no person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table remote_connectors
    add column credential_per text not null default 'organization' check (credential_per in ('organization', 'member')),
    add column header_names jsonb,
    add column sealed text,
    add column key_id text,
    drop constraint remote_connectors_auth_mode_check,
    drop constraint remote_connectors_check1`,
  `alter table remote_connectors
    add constraint remote_connectors_auth_mode_check check
      (auth_mode in ('none', 'bearer', 'header', 'oauth', 'client_credentials', 'assertion')),
    add constraint remote_connectors_oauth_check check
      ((auth_mode in ('oauth', 'client_credentials')) = (oauth is not null)),
    add constraint remote_connectors_per_check check
      (credential_per = 'organization' or auth_mode in ('bearer', 'header', 'oauth')),
    add constraint remote_connectors_headers_check check
      ((header_names is null) = (sealed is null) and (sealed is null) = (key_id is null))`,
  'drop index accounts_of_remote',
  `create unique index accounts_of_remote on accounts (org_id, remote_id)
    where remote_id is not null and scope = 'shared'`,
  `create unique index accounts_of_remote_member on accounts (org_id, remote_id, user_id)
    where remote_id is not null and scope = 'private'`,
]
