import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Clock } from '../../schemas/time.ts'

/** The minimum size that a file counts as: even an empty one takes a row and a file name. */
const MIN_COUNTED_BYTES = 64 * 1024

/** The reserved space of one file while it is stored. */
export interface Reservation {
  /** Counts received bytes. Throws quota_exceeded if they exceed the quota. */
  add(bytes: number): void
  /** Checks the complete file against what is stored now. Throws quota_exceeded. */
  confirm(): Promise<void>
  /** Ends the reservation after the file is stored or rejected. Call it once. */
  end(): void
}

/** The limit on an organization's stored files. */
interface Quota {
  /**
   * Reserves space for one more file. Throws quota_exceeded if less than `wanted` bytes are left. A file that is `paid` for
   * counts like any other, and is never rejected.
   */
  reserve(orgId: string, options?: { wanted?: number; paid?: boolean }): Promise<Reservation>
}

export function createQuota({ db, clock, maxBytes }: { db: Kysely<Database>; clock: Clock; maxBytes: number }): Quota {
  /** The bytes that this process is storing now, by organization. */
  const inFlightBytes = new Map<string, number>()

  function count(orgId: string, bytes: number): void {
    const left = (inFlightBytes.get(orgId) ?? 0) + bytes
    if (left === 0) inFlightBytes.delete(orgId)
    else inFlightBytes.set(orgId, left)
  }

  async function stored(orgId: string): Promise<number> {
    const { bytes } = await forOrg(db, orgId)
      .selectFrom('artifacts')
      .where('expires_at', '>', new Date(clock.now()))
      .select(sql<string | null>`sum(greatest(bytes, ${MIN_COUNTED_BYTES}::bigint))`.as('bytes'))
      .executeTakeFirstOrThrow()
    return Number(bytes)
  }

  return {
    async reserve(orgId, { wanted = MIN_COUNTED_BYTES, paid = false } = {}) {
      const before = await stored(orgId)
      const requireSpace = (used: number) => {
        if (!paid && used + (inFlightBytes.get(orgId) ?? 0) > maxBytes) throw full(maxBytes)
      }
      let came = 0
      let counted = 0
      // Rejected bytes are never counted: a rejected file must not take space from others.
      const take = (more: number) => {
        requireSpace(before + more)
        counted += more
        count(orgId, more)
      }
      requireSpace(before + wanted)
      take(MIN_COUNTED_BYTES)
      return {
        add(bytes) {
          came += bytes
          take(Math.max(came - counted, 0))
        },
        // Files that were stored meanwhile are no longer in flight.
        confirm: async () => requireSpace(await stored(orgId)),
        end: () => count(orgId, -counted),
      }
    },
  }
}

function full(maxBytes: number): GatewayError {
  const size = maxBytes >= 1024 ** 3 ? `${Math.floor(maxBytes / 1024 ** 3)} GiB` : `${maxBytes} bytes`
  return new GatewayError(
    'quota_exceeded',
    `The files of your organization have reached their limit of ${size}. Files are removed when they expire: retry later, or request a smaller file.`,
  )
}
