import { isSameDigest, randomSecret, secretDigest } from '../../lib/random-secret.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type UserIdentity, verifiedIdentity } from './identity.ts'

const HOUR_MS = 3_600_000
/** How long a session lasts without a request. */
const IDLE_MS = 12 * HOUR_MS
/** How long a session lasts at most. */
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS
/** How exact `used_at` is: not every request writes. */
const TOUCHED_MS = 60_000
const MAX_USER_AGENT = 200
/** The most sessions of a user; the one that was not used for the longest time ends for a new one. */
const MAX_SESSIONS = 50

/** How a user has proved who they are. */
interface SignedIn {
  userId: string
  /** What the browser calls itself. */
  userAgent: string
  /** The sign-in at the issuer; absent for a one-time link. */
  at?: { issuer: string; subject: string; session: string | null; verifiedEmail: string | null }
}

/** The secrets of a new session: shown once, stored as digests. */
export interface SessionSecrets {
  id: string
  /** Goes into the HttpOnly cookie. */
  cookie: string
  /**
   * Is sent as a header with every request. Pages on other ports of this host receive the cookie, but cannot read this
   * token.
   */
  token: string
}

/** What a browser sends as the secrets of its session. One of the cookies belongs to the token; others may be planted. */
export interface PossibleSecrets {
  cookies: readonly string[]
  /** Empty if the browser sent none. */
  token: string
}

/** A session as its user sees it. */
interface DashboardSession {
  id: string
  userAgent: string
  createdAt: Date
  usedAt: Date
}

/** The browsers that are signed in to the dashboard. A session ends after 12 hours without a request, and after 7 days. */
export interface DashboardSessions {
  create(signedIn: SignedIn): Promise<SessionSecrets>
  /**
   * The user of a session, its ID, and whether it began at the issuer; undefined if it has ended, or if none of the cookies
   * belongs to the token.
   */
  verify(secrets: PossibleSecrets): Promise<{ identity: UserIdentity; id: string; atIssuer: boolean } | undefined>
  /**
   * Replaces both secrets of a session, whose ID and end stay. Undefined if the token is not its token any more: another
   * request has replaced it.
   */
  renew(session: { id: string; token: string }): Promise<Pick<SessionSecrets, 'cookie' | 'token'> | undefined>
  /** The sessions of a user, the last used first. */
  list(userId: string): Promise<DashboardSession[]>
  /** Ends a session. False if the user has no such session. */
  end(userId: string, id: string): Promise<boolean>
  endAll(userId: string): Promise<void>
  /** Ends the session of these secrets, if they are those of a session. */
  endOf(secrets: PossibleSecrets): Promise<void>
  /** Ends the sessions that began in a session of the issuer, or in any session of a subject there. Returns how many. */
  endAtIssuer(ended: { issuer: string; session: string | undefined; subject: string | undefined }): Promise<number>
}

export function createDashboardSessions({
  db,
  clock,
  ids,
}: Pick<Infrastructure, 'db' | 'clock' | 'ids'>): DashboardSessions {
  const active = () =>
    db
      .selectFrom('dashboard_sessions')
      .where('expires_at', '>', new Date(clock.now()))
      .where('used_at', '>', new Date(clock.now() - IDLE_MS))

  return {
    async create({ userId, userAgent, at }) {
      const now = new Date(clock.now())
      const secrets = { id: ids('ses'), cookie: randomSecret(), token: randomSecret() }
      await db.transaction().execute(async trx => {
        await trx
          .insertInto('dashboard_sessions')
          .values({
            id: secrets.id,
            user_id: userId,
            cookie_hash: secretDigest(secrets.cookie),
            token_hash: secretDigest(secrets.token),
            user_agent: sanitizeLine(userAgent, MAX_USER_AGENT),
            issuer: at?.issuer ?? null,
            subject: at?.subject ?? null,
            issuer_session: at?.session ?? null,
            verified_email: at?.verifiedEmail ?? null,
            created_at: now,
            used_at: now,
            expires_at: new Date(now.getTime() + ABSOLUTE_MS),
          })
          .execute()
        const kept = trx
          .selectFrom('dashboard_sessions')
          .where('user_id', '=', userId)
          .orderBy('used_at', 'desc')
          .orderBy('id', 'desc')
          .limit(MAX_SESSIONS)
          .select('id')
        await trx.deleteFrom('dashboard_sessions').where('user_id', '=', userId).where('id', 'not in', kept).execute()
      })
      return secrets
    },

    async verify({ cookies, token }) {
      if (cookies.length === 0 || token === '') return undefined
      const tokenHash = secretDigest(token)
      const rows = await active()
        .where('cookie_hash', 'in', cookies.map(secretDigest))
        .select(['id', 'user_id', 'token_hash', 'used_at', 'issuer', 'verified_email'])
        .execute()
      const row = rows.find(({ token_hash }) => isSameDigest(token_hash, tokenHash))
      if (row === undefined) return undefined
      const now = clock.now()
      if (now - row.used_at.getTime() > TOUCHED_MS) {
        const touched = db.updateTable('dashboard_sessions').where('id', '=', row.id)
        await touched.set({ used_at: new Date(now) }).execute()
      }
      const identity = verifiedIdentity<UserIdentity>({
        via: 'session',
        userId: row.user_id,
        meterKey: row.user_id,
        clientId: '',
        ...(row.verified_email !== null && { verifiedEmail: row.verified_email }),
      })
      return { identity, id: row.id, atIssuer: row.issuer !== null }
    },

    async renew({ id, token }) {
      const secrets = { cookie: randomSecret(), token: randomSecret() }
      const mine = db.updateTable('dashboard_sessions').where('id', '=', id)
      const { numUpdatedRows } = await mine
        .where('token_hash', '=', secretDigest(token))
        .set({ cookie_hash: secretDigest(secrets.cookie), token_hash: secretDigest(secrets.token) })
        .executeTakeFirst()
      return numUpdatedRows > 0n ? secrets : undefined
    },

    async list(userId) {
      const rows = await active()
        .where('user_id', '=', userId)
        .orderBy('used_at', 'desc')
        .orderBy('id', 'desc')
        .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'used_at as usedAt'])
        .execute()
      return rows
    },

    async end(userId, id) {
      const ended = db.deleteFrom('dashboard_sessions').where('user_id', '=', userId).where('id', '=', id)
      return (await ended.executeTakeFirst()).numDeletedRows > 0n
    },

    async endAll(userId) {
      await db.deleteFrom('dashboard_sessions').where('user_id', '=', userId).execute()
    },

    async endOf({ cookies, token }) {
      if (cookies.length === 0 || token === '') return
      const mine = db.deleteFrom('dashboard_sessions').where('cookie_hash', 'in', cookies.map(secretDigest))
      await mine.where('token_hash', '=', secretDigest(token)).execute()
    },

    async endAtIssuer({ issuer, session, subject }) {
      const { numDeletedRows } = await db
        .deleteFrom('dashboard_sessions')
        .where('issuer', '=', issuer)
        .$if(session !== undefined, rows => rows.where('issuer_session', '=', session ?? ''))
        .$if(subject !== undefined, rows => rows.where('subject', '=', subject ?? ''))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
