import { type Kysely, sql } from 'kysely'
import type { Adapter } from 'oidc-provider'
import type { Database } from '../../lib/database/tables.ts'
import { secretDigest } from '../../lib/random-secret.ts'
import type { Clock } from '../../schemas/time.ts'

/** How long the registration of a client lasts without a grant. With a grant, it lasts as long as the grant. */
const UNUSED_CLIENT_S = 86_400

/** The payload of oidc-provider, without its ID, which may be a secret token. */
type Payload = Record<string, unknown>

export interface RecordsOptions {
  db: Kysely<Database>
  clock: Clock
  /** The error of oidc-provider that a client sees as invalid_grant. */
  invalidGrant: (reason: string) => Error
}

/**
 * The storage of oidc-provider, per kind of record. The ID of a code or a refresh token is the token itself, so rows have
 * its digest. It keeps no sessions: each authorization asks the signed-in user of the dashboard.
 */
export function createRecords({ db, clock, invalidGrant }: RecordsOptions): (kind: string) => Adapter {
  const at = (seconds: number) => new Date(clock.now() + seconds * 1000)

  /** Keeps the registration of a client at least as long as what the user allowed it. */
  async function keepClient(clientId: string, until: Date): Promise<void> {
    await db
      .updateTable('issuer_records')
      .where('kind', '=', 'Client')
      .where('id_hash', '=', secretDigest(clientId))
      .where('expires_at', '<', until)
      .set({ expires_at: until })
      .execute()
  }

  return kind => {
    const row = (id: string) => ({ kind, id_hash: secretDigest(id) })
    const none = async () => undefined
    return {
      async upsert(id, payload, expiresIn = UNUSED_CLIENT_S) {
        if (kind === 'Session') return
        const { jti: _, ...stored } = payload
        const { grantId, clientId } = payload as { grantId?: string; clientId?: string }
        const values = {
          payload: JSON.stringify(stored),
          grant_id: grantId ?? null,
          expires_at: at(expiresIn),
        }
        await db
          .insertInto('issuer_records')
          .values({ ...row(id), ...values })
          .onConflict(conflict => conflict.columns(['kind', 'id_hash']).doUpdateSet(values))
          .execute()
        if (kind === 'Grant' && clientId !== undefined) await keepClient(clientId, values.expires_at)
      },
      async find(id) {
        const { kind, id_hash } = row(id)
        const query = db.selectFrom('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash)
        const found = await query.where('expires_at', '>', at(0)).select('payload').executeTakeFirst()
        if (found === undefined) return undefined
        return kind === 'Client' ? (found.payload as Payload) : { ...(found.payload as Payload), jti: id }
      },
      findByUid: none,
      findByUserCode: none,
      async consume(id) {
        const { kind, id_hash } = row(id)
        const consumed = JSON.stringify({ consumed: Math.floor(clock.now() / 1000) })
        const query = db.updateTable('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash)
        // The provider checked before that it is unused. Of two requests at the same time, one must fail.
        const { numUpdatedRows } = await query
          .where(sql<boolean>`not jsonb_exists(payload, 'consumed')`)
          .set({ payload: sql`payload || ${consumed}::jsonb` })
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) throw invalidGrant('the code or token was used by another request')
      },
      async destroy(id) {
        const { kind, id_hash } = row(id)
        await db.deleteFrom('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash).execute()
      },
      async revokeByGrantId(grantId) {
        await db.deleteFrom('issuer_records').where('kind', '=', kind).where('grant_id', '=', grantId).execute()
      },
    }
  }
}
