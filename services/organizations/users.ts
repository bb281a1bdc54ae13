import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LOOKUP_DEADLINE_MS, retryRead, withDeadline } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { atMost } from '../../lib/lru.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { TokenSubject } from '../identity/jwt.ts'

interface UsersOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** The issuers that share their subjects: one subject is one user at all of them. Other issuers have users of their own. */
  sharedIssuers: readonly string[]
}

/** A user to create, unless one with this subject exists. */
interface NewUser {
  email: string | undefined
  /** The user's identity at a token issuer, if known. */
  subject: { issuer: string; subject: string } | undefined
}

/** Users and their subjects at the token issuers. */
export interface Users {
  /**
   * The id of the user that a verified token names. Creates the user when their first verified token arrives. Throws the
   * error of the database if it is unreachable and the user is not cached.
   */
  idOf(subject: TokenSubject): Promise<string>
  /** Creates a user, or finds the one with this subject. The handle must be in a transaction. */
  make(trx: Kysely<Database>, user: NewUser): Promise<{ id: string; made: boolean }>
}

export function createUsers({ db, clock, ids, sharedIssuers }: UsersOptions): Users {
  // The user of a subject never changes, so cached entries do not expire.
  const known = new LRUCache<string, string>(atMost(50_000))

  async function find({ issuer, subject }: TokenSubject): Promise<string | undefined> {
    const found = await db
      .selectFrom('user_subjects')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .select('user_id')
      .executeTakeFirst()
    return found?.user_id
  }

  /** The user of this subject, here or at an issuer that shares its subjects with this one. */
  async function ownerOf(trx: Kysely<Database>, { issuer, subject }: { issuer: string; subject: string }) {
    // Two concurrent first tokens of a subject, or a token and the operator, must not create two users.
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(trx)
    const issuers = sharedIssuers.includes(issuer) ? sharedIssuers : [issuer]
    const pairs = await trx
      .selectFrom('user_subjects')
      .where('issuer', 'in', issuers)
      .where('subject', '=', subject)
      .select(['issuer', 'user_id'])
      .execute()
    return pairs.find(pair => pair.issuer === issuer) ?? pairs[0]
  }

  async function make(trx: Kysely<Database>, { email, subject }: NewUser): Promise<{ id: string; made: boolean }> {
    const created_at = new Date(clock.now())
    const owner = subject && (await ownerOf(trx, subject))
    const id = owner?.user_id ?? ids('usr')
    if (owner === undefined)
      await trx
        .insertInto('users')
        .values({ id, email: email ?? null, created_at })
        .execute()
    if (subject !== undefined && owner?.issuer !== subject.issuer)
      await trx
        .insertInto('user_subjects')
        .values({ ...subject, user_id: id, created_at })
        .execute()
    return { id, made: owner === undefined }
  }

  async function makeOf({ issuer, subject, email }: TokenSubject): Promise<string> {
    const { id } = await db.transaction().execute(trx => make(trx, { email, subject: { issuer, subject } }))
    return id
  }

  return {
    async idOf(subject) {
      const key = `${subject.issuer} ${subject.subject}`
      const cached = known.get(key)
      if (cached !== undefined) return cached
      const lookUp = retryRead(() => find(subject), LOOKUP_DEADLINE_MS)
      const id = await withDeadline(
        lookUp.then(found => found ?? makeOf(subject)),
        LOOKUP_DEADLINE_MS,
      )
      known.set(key, id)
      return id
    },
    make,
  }
}
