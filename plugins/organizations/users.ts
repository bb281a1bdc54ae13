import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Database } from '../database/tables.ts'
import { retryRead, withDeadline } from '../database/unavailable.ts'
import type { TokenSubject } from '../identity/jwt.ts'

/** How long a caller waits for the database to say who he is. */
const DEADLINE_MS = 1_500

export interface UsersOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** The issuers at which one subject is one user; of any other, each has users of its own. */
  sharedIssuers: readonly string[]
}

/** Users, as the issuers of tokens know them. */
export interface Users {
  /**
   * The id of the user whom a verified token names; made when its first token comes (decisions.md, a user).
   * Throws the database's own error when only it could tell and it cannot be reached.
   */
  of(subject: TokenSubject): Promise<string>
}

export function createUsers({ db, clock, ids, sharedIssuers }: UsersOptions): Users {
  // Whom a pair points at never changes, so it is kept without end.
  const known = new LRUCache<string, string>({ max: 50_000 })

  async function find({ issuer, subject }: TokenSubject): Promise<string | undefined> {
    const found = await db
      .selectFrom('user_subjects')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .select('user_id')
      .executeTakeFirst()
    return found?.user_id
  }

  /** Makes the pair, and the user where no issuer that shares its subjects knows him. */
  async function make({ issuer, subject, email }: TokenSubject): Promise<string> {
    return db.transaction().execute(async trx => {
      // Two first tokens of one subject, of one issuer or of two that share, must not make two users of him.
      await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(trx)
      const issuers = sharedIssuers.includes(issuer) ? sharedIssuers : [issuer]
      const pairs = await trx
        .selectFrom('user_subjects')
        .where('issuer', 'in', issuers)
        .where('subject', '=', subject)
        .select(['issuer', 'user_id'])
        .execute()
      const own = pairs.find(pair => pair.issuer === issuer) ?? pairs[0]
      const userId = own?.user_id ?? ids('usr')
      const created_at = new Date(clock.now())
      if (own === undefined)
        await trx
          .insertInto('users')
          .values({ id: userId, email: email ?? null, created_at })
          .execute()
      await trx
        .insertInto('user_subjects')
        .values({ issuer, subject, user_id: userId, created_at })
        .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
        .execute()
      return userId
    })
  }

  return {
    async of(subject) {
      const key = `${subject.issuer} ${subject.subject}`
      const cached = known.get(key)
      if (cached !== undefined) return cached
      const work = retryRead(() => find(subject)).then(found => found ?? make(subject))
      const userId = await withDeadline(work, DEADLINE_MS)
      known.set(key, userId)
      return userId
    },
  }
}
