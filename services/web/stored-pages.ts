import { sql } from 'kysely'
import { forOrg } from '../../lib/database/tenant.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Conversion, View } from './conversion/tasks.ts'

/** A page as it was read once. */
export interface StoredPage extends Omit<Conversion, 'needsJavascript'> {
  id: string
  /** As it was asked for. */
  url: string
  finalUrl: string
  status: number
  fetchedAt: Date
}

/** The pages that an organization has read in the last minutes. */
export interface StoredPages {
  /** Stores a page. The oldest ones of an organization leave when there are too many. */
  store(orgId: string, page: Omit<StoredPage, 'id'>, view: View): Promise<StoredPage>
  /** Undefined if the organization has no such page, or no longer. */
  find(orgId: string, id: string): Promise<StoredPage | undefined>
  /** The latest page of a URL that is at most this old, in milliseconds. */
  latest(orgId: string, query: { url: string; view: View; maxAgeMs: number }): Promise<StoredPage | undefined>
}

/** How long a page is kept, and so for how long a cursor works. */
export const PAGE_KEPT_MS = 15 * 60_000

const FORMAT = 1

interface StoredPagesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids'> {
  /** The maximum size of an organization's pages, in bytes; 32 MiB if absent. */
  maxOrgBytes?: number
}

export function createStoredPages({ db, ids, clock, maxOrgBytes = 32 * 1024 ** 2 }: StoredPagesOptions): StoredPages {
  const read = (orgId: string) =>
    forOrg(db, orgId).selectFrom('web_pages').select(['id', 'page']).where('expires_at', '>', new Date(clock.now()))

  return {
    async store(orgId, page, view) {
      const stored = { ...page, id: ids('pag') }
      const text = JSON.stringify({ v: FORMAT, page: stored })
      await forOrg(db, orgId)
        .insertInto('web_pages', {
          id: stored.id,
          url: page.url,
          view,
          page: text,
          bytes: Buffer.byteLength(text),
          fetched_at: page.fetchedAt,
          expires_at: new Date(page.fetchedAt.getTime() + PAGE_KEPT_MS),
        })
        .execute()
      await sql`
        delete from web_pages using (
          select id, sum(bytes) over (order by fetched_at desc, id desc) as total from web_pages where org_id = ${orgId}
        ) as sizes
        where web_pages.org_id = ${orgId} and web_pages.id = sizes.id and total > ${maxOrgBytes}
      `.execute(db)
      return stored
    },

    async find(orgId, id) {
      const row = await read(orgId).where('id', '=', id).executeTakeFirst()
      return row && pageOf(row.page)
    },

    async latest(orgId, { url, view, maxAgeMs }) {
      const row = await read(orgId)
        .where('url', '=', url)
        .where('view', '=', view)
        .where('fetched_at', '>=', new Date(clock.now() - maxAgeMs))
        .orderBy('fetched_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && pageOf(row.page)
    },
  }
}

function pageOf(text: string): StoredPage | undefined {
  const { v, page } = JSON.parse(text) as { v: number; page: StoredPage }
  return v === FORMAT ? { ...page, fetchedAt: new Date(page.fetchedAt) } : undefined
}
