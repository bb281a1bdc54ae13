import type { Kysely } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import type { PinnedTool } from '../services/remote-connectors/snapshot.ts'
import type { TestMember } from './directory.ts'
import { pinned } from './remote-tool-fixture.ts'

/** Words that compress like those of a real schema. */
const WORDS =
  'the sum of lines is rounded once for each order invoice total discount query limit filter by status'.split(' ')

/** A text of about this many characters, different for each seed. */
function wordy(characters: number, seed: number): string {
  let state = seed + 1
  const words: string[] = []
  for (let length = 0; length < characters; ) {
    state = (state * 48_271) % 2_147_483_647
    const word = state % 7 === 0 ? state.toString(36) : (WORDS[state % WORDS.length] ?? '')
    words.push(word)
    length += word.length + 1
  }
  return words.join(' ').slice(0, characters)
}

/** The size of an entry without its properties, and of a property without its description. */
const ENTRY = 165
const PROPERTY = 45
/** Longer descriptions are truncated in a snapshot. */
const LONGEST = 4_000

/** Pinned tools whose entries have about this many bytes each. */
export function largeTools(count: number, bytes: number): PinnedTool[] {
  const parts = Math.ceil((bytes - ENTRY) / (LONGEST + PROPERTY))
  const length = Math.floor((bytes - ENTRY) / parts) - PROPERTY
  return Array.from({ length: count }, (_, i) => {
    const properties = Object.fromEntries(
      Array.from({ length: parts }, (_, j) => [
        `text_${String(j).padStart(2, '0')}`,
        { type: 'string', description: wordy(length, i * parts + j) },
      ]),
    )
    return pinned(`tool_${String(i).padStart(4, '0')}`, { inputSchema: { type: 'object', properties } })
  })
}

/** Stores registrations with snapshots without any check, as an earlier version may have. The first is the oldest. */
export async function storeSnapshots(
  hand: Kysely<Database>,
  { orgId: org_id, userId: created_by }: Pick<TestMember, 'orgId' | 'userId'>,
  snapshots: Readonly<Record<string, readonly PinnedTool[]>>,
): Promise<void> {
  for (const [i, [slug, tools]] of Object.entries(snapshots).entries()) {
    const created_at = new Date(Date.UTC(2026, 0, 1) + i * 1_000)
    const ids = { remote: `rem_${created_by}_${slug}`, snapshot: `snp_${created_by}_${slug}` }
    await hand
      .insertInto('remote_connectors')
      .values({
        org_id,
        id: ids.remote,
        slug,
        name: slug.toUpperCase(),
        upstream_url: `https://${slug}.test/mcp`,
        auth_mode: 'none',
        header_name: null,
        created_by,
        created_at,
        snapshot_id: ids.snapshot,
      })
      .execute()
    const asText = (value: unknown) => JSON.stringify(JSON.stringify(value))
    await hand
      .insertInto('remote_snapshots')
      .values({
        org_id,
        id: ids.snapshot,
        remote_id: ids.remote,
        fetched_at: created_at,
        hash: 'a'.repeat(64),
        tools: asText({ v: 1, tools }),
        set_aside: asText({ v: 1, tools: [], count: 0 }),
      })
      .execute()
  }
}
