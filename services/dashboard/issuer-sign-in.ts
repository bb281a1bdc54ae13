import { decodeJwt } from 'jose'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isSameDigest, pkceChallenge, randomSecret, secretDigest } from '../../lib/random-secret.ts'
import type { Place, Vault } from '../../lib/vault/vault.ts'
import type { DashboardSessions, SessionSecrets } from '../identity/dashboard-sessions.ts'
import type { TokenIdentity } from '../identity/token-cache.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { IssuerClient } from './issuer-client.ts'

/** How long a person has to sign in at the issuer. */
const PENDING_MS = 10 * 60_000

/**
 * A sign-in that has begun. The browser keeps `secret` in a cookie of this `id`, so that only it can finish. A page on
 * another port of the host can plant a cookie, so the page also names its `browser` by a random text that only it can read.
 */
interface BegunSignIn {
  location: string
  id: string
  secret: string
}

/** Signs users in at the issuer: the authorization code flow with PKCE, `state` and `nonce` (OpenID Connect Core, section 3.1). */
export interface IssuerSignIn {
  begin(request: { browser: string; returnPath: string | undefined }): Promise<BegunSignIn>
  /** The ID of the sign-in that a callback belongs to: the name of its cookie. */
  idOf(callback: URLSearchParams): string
  /**
   * Verifies the answer of the issuer and begins a session. A sign-in is used up by the first answer. Throws
   * invalid_request, and what verifying the ID token throws.
   */
  finish(answer: {
    callback: URLSearchParams
    /** The browser’s cookies of this sign-in: one of them must be its secret. */
    secrets: readonly string[]
    browser: string
    userAgent: string
  }): Promise<SessionSecrets & { returnPath: string }>
  /** Where the browser ends its session at the issuer; null if it has no such page. */
  logoutUrl(): Promise<string | null>
}

interface IssuerSignInOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  vault: Pick<Vault, 'seal' | 'open'>
  client: IssuerClient
  clientId: string
  /** Verifies an ID token, and creates its user on their first sign-in. */
  verify(idToken: string): Promise<TokenIdentity>
  sessions: Pick<DashboardSessions, 'create'>
  dashboardUrl: string
}

interface Pending {
  verifier: string
  nonce: string
  returnPath: string
}

export function createIssuerSignIn(options: IssuerSignInOptions): IssuerSignIn {
  const { db, clock, vault, client, clientId, verify, sessions, dashboardUrl } = options
  const redirectUri = `${dashboardUrl}/auth/callback`

  async function take(id: string, browserHashes: readonly string[]): Promise<Pending> {
    const mine = db.deleteFrom('pending_sign_ins').where('id', '=', id).where('browser_hash', 'in', browserHashes)
    const row =
      browserHashes.length === 0 ? undefined : await mine.returning(['sealed', 'expires_at']).executeTakeFirst()
    if (row === undefined || row.expires_at.getTime() <= clock.now())
      throw new GatewayError(
        'invalid_request',
        'This sign-in is not pending: it was finished, took longer than ten minutes, or was begun in another browser. Sign in again.',
      )
    return parse(vault.open(placeOf(id), row.sealed))
  }

  return {
    async begin({ browser, returnPath }) {
      const [state, nonce, verifier, secret] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()]
      const id = secretDigest(state)
      const challenge = pkceChallenge(verifier)
      const location = await client.authorizationUrl({ redirectUri, state, nonce, challenge })
      const pending: Pending = { verifier, nonce, returnPath: safeReturnPath(returnPath, dashboardUrl) }
      const { sealed, keyId } = vault.seal(placeOf(id), JSON.stringify(pending))
      const expires_at = new Date(clock.now() + PENDING_MS)
      await db
        .insertInto('pending_sign_ins')
        .values({ id, browser_hash: browserHashOf(secret, browser), sealed, key_id: keyId, expires_at })
        .execute()
      return { location, id, secret }
    },

    idOf: callback => secretDigest(callback.get('state') ?? ''),

    async finish({ callback, secrets, browser, userAgent }) {
      const state = callback.get('state') ?? ''
      const browserHashes = secrets.map(secret => browserHashOf(secret, browser))
      const { verifier, nonce, returnPath } = await take(secretDigest(state), browserHashes)
      const idToken = await client.exchange({ callback, state, redirectUri, verifier })
      requireBelonging(idToken, { nonce, clientId })
      const identity = await verify(idToken)
      if (identity.via !== 'session')
        throw new GatewayError('invalid_request', 'This sign-in belongs to an agent. Sign in as a person.')
      const { sub: subject = '', iss: issuer = '', sid } = decodeJwt(idToken)
      const session = typeof sid === 'string' ? sid : null
      const at = { issuer, subject, session, verifiedEmail: identity.verifiedEmail ?? null }
      return { ...(await sessions.create({ userId: identity.userId, userAgent, at })), returnPath }
    },

    logoutUrl: async () => (await client.logoutUrl(`${dashboardUrl}/sign-in`)) ?? null,
  }
}

/**
 * Requires the nonce of this sign-in, and that the token was issued to this client if it has several audiences (OpenID Connect
 * Core, section 3.1.3.7). The rest, also the signature, is verified afterwards.
 */
function requireBelonging(idToken: string, { nonce, clientId }: { nonce: string; clientId: string }): void {
  let claims: ReturnType<typeof decodeJwt>
  try {
    claims = decodeJwt(idToken)
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The issuer sent no valid ID token. Sign in again.', { cause })
  }
  const { azp, aud, nonce: sent } = claims
  const isOurs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
  const isAnswer = typeof sent === 'string' && isSameDigest(secretDigest(sent), secretDigest(nonce))
  if (!isOurs || !isAnswer)
    throw new GatewayError('invalid_request', 'The issuer’s token does not belong to this sign-in. Sign in again.')
}

function browserHashOf(secret: string, browser: string): string {
  return secretDigest(JSON.stringify([secret, browser]))
}

function placeOf(id: string): Place {
  return { table: 'pending_sign_ins', column: 'sealed', orgId: '', id }
}

/** The page that a sign-in leads to, on the dashboard's own origin; `/` for anything else. */
function safeReturnPath(path: string | undefined, origin: string): string {
  // Browsers drop tabs and line breaks and take `\` for `/`, so that other texts could name another host.
  if (path === undefined || path.length > 2_000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/'
  const url = URL.parse(path, origin)
  // `/.//evil` is a path of this origin that becomes `//evil`, which is one of another.
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}`
}
