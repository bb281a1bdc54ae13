import { type Kysely, sql } from 'kysely'

/**
 * The words of a memory, each with a prefix of its organization: what the index `memories_search_by_org` holds. A job
 * builds that index after the start. The prefix is short, because the index stores it with every word; two organizations
 * with the same prefix would only read each other's entries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(orgSearch).execute(db)
}

// Not parallel safe, which is the default: a search must not start workers, which would take longer than it does. The
// cost is what it takes in units of cpu_operator_cost, so that the planner does not compute what the index knows.
const orgSearch = `create function gateway_org_search(org_id text, search tsvector) returns tsvector
  language plpgsql immutable strict cost 1000 as $$
declare
  prefix text := left(encode(sha256(convert_to(org_id, 'UTF8')), 'base64'), 6);
  separator text := E'\\x01';
begin
  return array_to_tsvector(string_to_array(
    prefix || array_to_string(tsvector_to_array(search), separator || prefix), separator
  ));
end $$`
