import { type Kysely, sql } from 'kysely'

/**
 * Totals of what an organization stores, for its quotas: the memories of each member and of the organization (user_id
 * null), and the bytes of the stored results of each holder of idempotency keys. Triggers maintain them in the
 * transaction of each change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...memories, ...results, ...truncation]) await sql.raw(statement).execute(db)
}

/** What a memory takes up in the table, after compression. Only stored rows are measured: new rows are not compressed yet. */
const size = (row: string) => `pg_column_size(${row}.memory) + pg_column_size(${row}.search)`

const added = `select m.org_id, m.user_id, 1 as memories, ${size('m')} as bytes
  from added as a join memories as m on m.org_id = a.org_id and m.id = a.id`
const removed = `select r.org_id, r.user_id, -1 as memories, -(${size('r')}) as bytes from removed as r`

/** The order of the rows is the order of their locks: the organization first, then its members. */
const countMemories = (changes: string) => `
  insert into memory_totals as known (org_id, user_id, memories, bytes)
    select org_id, user_id, sum(memories), sum(bytes) from (${changes}) as changed
    group by grouping sets ((org_id), (org_id, user_id)) having sum(memories) <> 0 or sum(bytes) <> 0
    order by org_id, user_id nulls first
    on conflict (org_id, user_id) do update
    set memories = known.memories + excluded.memories, bytes = known.bytes + excluded.bytes`

function onMemories(event: string, tables: string, changes: string): string[] {
  return [
    `create function gateway_count_memories_on_${event}() returns trigger language plpgsql as $$
    begin
      ${countMemories(changes)};
      return null;
    end $$`,
    `create trigger memories_counted_on_${event} after ${event} on memories referencing ${tables}
      for each statement execute function gateway_count_memories_on_${event}()`,
  ]
}

const memories = [
  `create table memory_totals (
    org_id text not null references organizations (id),
    user_id text,
    memories bigint not null,
    bytes bigint not null,
    unique nulls not distinct (org_id, user_id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  ...onMemories('insert', 'new table as added', added),
  ...onMemories('update', 'old table as removed new table as added', `${added} union all ${removed}`),
  ...onMemories('delete', 'old table as removed', removed),
  // After the triggers, which lock out writers until the migration ends: none of their rows is missed.
  `insert into memory_totals (org_id, user_id, memories, bytes)
    select m.org_id, m.user_id, count(*), sum(${size('m')}) from memories as m
    group by grouping sets ((m.org_id), (m.org_id, m.user_id))`,
]

const results = [
  // The results of before count as nothing: they are gone within a day.
  'alter table idempotency add column result_bytes integer not null default 0 check (result_bytes >= 0)',
  // The oldest results of a holder are the first to be dropped.
  'create index idempotency_results on idempotency (org_id, holder, created_at) where result_bytes > 0',
  // Eight rows a holder, by the hash of the idempotency key: calls that end at the same time rarely wait for one another.
  `create table result_totals (
    org_id text not null references organizations (id),
    holder text not null,
    slot smallint not null,
    bytes bigint not null,
    primary key (org_id, holder, slot)
  )`,
  `create function gateway_count_result() returns trigger language plpgsql as $$
  declare
    v_slot smallint := hashtext(new.key) & 7;
  begin
    -- The upsert is for the first result of a slot: on a row that exists, an update costs half of it.
    update result_totals set bytes = bytes + new.result_bytes - old.result_bytes
      where org_id = new.org_id and holder = new.holder and slot = v_slot;
    if not found then
      insert into result_totals as known (org_id, holder, slot, bytes)
        values (new.org_id, new.holder, v_slot, new.result_bytes - old.result_bytes)
        on conflict (org_id, holder, slot) do update set bytes = known.bytes + excluded.bytes;
    end if;
    return null;
  end $$`,
  // For each row, because a statement's trigger would run for every claim of a call, too.
  `create trigger idempotency_counted after update on idempotency
    for each row when (old.result_bytes <> new.result_bytes) execute function gateway_count_result()`,
  `create function gateway_count_removed_results() returns trigger language plpgsql as $$
  begin
    insert into result_totals as known (org_id, holder, slot, bytes)
      select org_id, holder, hashtext(key) & 7 as slot, -sum(result_bytes) from removed where result_bytes > 0
      group by org_id, holder, slot order by org_id, holder, slot
      on conflict (org_id, holder, slot) do update set bytes = known.bytes + excluded.bytes;
    delete from result_totals
      where bytes = 0 and (org_id, holder, slot) in (
        select org_id, holder, hashtext(key) & 7 from removed where result_bytes > 0
      );
    return null;
  end $$`,
  `create trigger idempotency_counted_on_delete after delete on idempotency
    referencing old table as removed for each statement execute function gateway_count_removed_results()`,
]

const truncation = [
  ['memories', 'memory_totals'],
  ['idempotency', 'result_totals'],
].flatMap(([table, totals]) => [
  `create function gateway_forget_${totals}() returns trigger language plpgsql as $$
  begin
    delete from ${totals};
    return null;
  end $$`,
  `create trigger ${table}_truncated after truncate on ${table}
    for each statement execute function gateway_forget_${totals}()`,
])
