import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead, withDeadline } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { SignIn } from '../identity/identity.ts'
import type { TokenSubject } from '../identity/jwt.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { lockUserSubject } from './lock-subject.ts'

interface UsersOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'events'> {
  /** The issuers that share their subjects: one subject is one user at all of them. Other issuers have users of their own. */
  sharedIssuers: readonly string[]
}

/** A user to create, unless one with this subject exists. */
interface NewUser {
  email: string | undefined
  /** The user's identity at a token issuer, if known. */
  subject: SignIn | undefined
}

/** Users and their subjects at the token issuers. */
export interface Users {
  /**
   * The id of the user that a verified token names. Creates the user when their first verified token arrives. While the
   * database is down, returns a value of the last 10 minutes, or else throws the error of the database.
   */
  idOf(subject: TokenSubject): Promise<string>
  /** Creates a user, or finds the one with this subject. The handle must be in a transaction. */
  make(trx: Kysely<Database>, user: NewUser): Promise<{ id: string; made: boolean }>
}

export function createUsers({ db, events, clock, ids, sharedIssuers }: UsersOptions): Users {
  const known = new ReadCache<string>({ clock, max: 50_000 })
  events.on('user', ({ id }) => known.drop(user => id === null || user === id))
  events.onReset(() => known.recheckAll())

  async function find({ issuer, subject }: TokenSubject): Promise<string | undefined> {
    const found = await db
      .selectFrom('user_subjects')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .select('user_id')
      .executeTakeFirst()
    return found?.user_id
  }

  async function make(trx: Kysely<Database>, { email, subject }: NewUser): Promise<{ id: string; made: boolean }> {
    const created_at = new Date(clock.now())
    const pairs = subject === undefined ? [] : await lockUserSubject(trx, subject, sharedIssuers)
    const owner = pairs.find(({ issuer }) => issuer === subject?.issuer) ?? pairs[0]
    const id = owner?.userId ?? ids('usr')
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
      const cached = known.fresh(key)
      if (cached !== undefined) return cached
      const id = await known.read(key, () => {
        const lookUp = retryRead(() => find(subject), LOOKUP_DEADLINE_MS)
        return withDeadline(
          lookUp.then(found => found ?? makeOf(subject)),
          LOOKUP_DEADLINE_MS,
        )
      })
      if (id === undefined) throw new Error('A subject has no user')
      return id
    },
    make,
  }
}

/** The maximum number of users per query, because the number of statement parameters is limited. */
const AT_ONCE = 10_000

/** The sign-ins of users, ordered by issuer and subject. */
export async function signInsOf(
  db: Kysely<Database>,
  userIds: readonly string[],
): Promise<(SignIn & { userId: string })[]> {
  const found: (SignIn & { userId: string })[] = []
  for (let from = 0; from < userIds.length; from += AT_ONCE)
    found.push(
      ...(await db
        .selectFrom('user_subjects')
        .where('user_id', 'in', userIds.slice(from, from + AT_ONCE))
        .orderBy('issuer')
        .orderBy('subject')
        .select(['user_id as userId', 'issuer', 'subject'])
        .execute()),
    )
  return found
}
