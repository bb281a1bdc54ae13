import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LOOKUP_DEADLINE_MS, retryRead, withDeadline } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { atMost } from '../../lib/lru.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { TokenSubject } from '../identity/jwt.ts'

export interface UsersOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** The issuers at which one subject is one user; of any other, each has users of its own. */
  sharedIssuers: readonly string[]
}

/** A user to be made, unless the pair points at one already. */
export interface NewUser {
  email: string | undefined
  /** Who he is to an issuer of tokens; nobody when undefined. */
  subject: { issuer: string; subject: string } | undefined
}

/** Users, as the issuers of tokens know them. */
export interface Users {
  /**
   * The id of the user whom a verified token names; made when its first token comes (decisions.md, a user).
   * Throws the database's own error when only it could tell and it cannot be reached.
   */
  idOf(subject: TokenSubject): Promise<string>
  /** Makes a user, or answers the one whom the pair points at already; on a handle that stands in a transaction. */
  make(trx: Kysely<Database>, user: NewUser): Promise<{ id: string; made: boolean }>
}

export function createUsers({ db, clock, ids, sharedIssuers }: UsersOptions): Users {
  // Whom a pair points at never changes, so it is kept without end.
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

  /** Whom the pair points at, or the same subject at an issuer that shares its subjects with this one. */
  async function ownerOf(trx: Kysely<Database>, { issuer, subject }: { issuer: string; subject: string }) {
    // Two first tokens of one subject, or a token and the operator, must not make two users of him.
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
