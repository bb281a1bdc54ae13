import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Clock } from '../../schemas/time.ts'

/** What a file counts as at least: an empty one takes up a row and a name on the disk all the same. */
const MIN_COUNTED_BYTES = 64 * 1024

/** Room for one file while it is taken in. */
export interface Reservation {
  /** Counts bytes that came; throws quota_exceeded once there is no room for them. */
  add(bytes: number): void
  /** Judges by what is stored now, when all of the file is there; throws quota_exceeded. */
  confirm(): Promise<void>
  /** The file is stored, or not: it is under way no more. To be called once. */
  end(): void
}

/** How much an organization may have stored at a time. */
export interface Quota {
  /** Makes room for one more file; throws quota_exceeded if there is no room. */
  reserve(orgId: string): Promise<Reservation>
}

export function createQuota({ db, clock, maxBytes }: { db: Kysely<Database>; clock: Clock; maxBytes: number }): Quota {
  /** Bytes that this process takes in now, by organization. */
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
    async reserve(orgId) {
      const before = await stored(orgId)
      const requireRoom = (used: number) => {
        if (used + (inFlightBytes.get(orgId) ?? 0) > maxBytes) throw full(maxBytes)
      }
      let came = 0
      let counted = 0
      // What is refused is never counted: a file that goes must not take the room of one that stays.
      const take = (more: number) => {
        requireRoom(before + more)
        counted += more
        count(orgId, more)
      }
      take(MIN_COUNTED_BYTES)
      return {
        add(bytes) {
          came += bytes
          take(Math.max(came - counted, 0))
        },
        // What others have stored meanwhile is not under way any more.
        confirm: async () => requireRoom(await stored(orgId)),
        end: () => count(orgId, -counted),
      }
    },
  }
}

function full(maxBytes: number): GatewayError {
  const size = maxBytes >= 1024 ** 3 ? `${Math.floor(maxBytes / 1024 ** 3)} GiB` : `${maxBytes} bytes`
  return new GatewayError(
    'quota_exceeded',
    `The files of your organization have reached their limit of ${size}. Files are removed when they expire: ask again later, or for a smaller file.`,
  )
}
