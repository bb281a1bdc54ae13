import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import {
  ABSOLUTE_MS,
  type DashboardSessions,
  type PossibleSecrets,
} from '../../services/identity/dashboard-sessions.ts'
import { AUTHORIZATION_COOKIE } from '../../services/local-issuer/provider.ts'

interface SessionCookieOptions {
  dashboardSessions: Pick<DashboardSessions, 'verify'>
}

/** The header of a session's token: in requests, and in an answer that replaces it. */
export const TOKEN_HEADER = 'x-dashboard-token'

/** The most cookies of one name that a request is checked for. */
const MAX_VALUES = 4

declare module 'fastify' {
  interface FastifyRequest {
    /** The ID of the dashboard's session; empty outside the dashboard. */
    sessionId: string
    /** Whether the session began at the issuer, which has a session of its own. */
    signedInAtIssuer: boolean
  }
}

/**
 * Identifies the signed-in user of the dashboard, in the place of the plugin `identity`. A request needs both secrets of a
 * session: the cookie, which pages on other ports of the host also send, and the token, which only the dashboard's pages
 * can read.
 */
async function sessionCookie(app: FastifyInstance, { dashboardSessions }: SessionCookieOptions) {
  app.decorateRequest('identity', null)
  app.decorateRequest('sessionId', '')
  app.decorateRequest('signedInAtIssuer', false)
  app.addHook('onRequest', async function identifySession(request, reply) {
    reply.header('cache-control', 'no-store')
    const session = await dashboardSessions.verify(secretsOf(request))
    if (session === undefined)
      throw new GatewayError(
        'missing_authorization',
        'You are not signed in, or your session has ended. Sign in again.',
      )
    request.identity = session.identity
    request.sessionId = session.id
    request.signedInAtIssuer = session.atIssuer
  })
}

/** What the browser sends as the secrets of its session. */
export function secretsOf(request: FastifyRequest): PossibleSecrets {
  return { cookies: readCookies(request, nameOf(request.origin)), token: tokenOf(request) ?? '' }
}

/** The token that a page sends beside the cookie. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
  const token = headers[TOKEN_HEADER]
  return typeof token === 'string' ? token : undefined
}

/**
 * The name of the session's cookie. `__Host-` binds it to the exact host and to https; on loopback http, browsers would
 * drop it.
 */
function nameOf(origin: string): string {
  return origin.startsWith('https:') ? '__Host-gw' : 'gw'
}

/** Binds a sign-in at the issuer to this browser, for its ten minutes. Each sign-in has a cookie of its own. */
export function setSignInCookie(reply: FastifyReply, { id, secret }: { id: string; secret: string }): void {
  const { origin } = reply.request
  reply.header('set-cookie', `${cookieOf(origin, secret, signInName(origin, id))}; Max-Age=600`)
}

/** The possible secrets of a sign-in at the issuer that this browser began; none in another browser. */
export function readSignInCookies(request: FastifyRequest, id: string): string[] {
  return readCookies(request, signInName(request.origin, id))
}

/** Removes the cookie of a sign-in at the issuer, which works once. */
export function clearSignInCookie(reply: FastifyReply, id: string): void {
  const { origin } = reply.request
  reply.header('set-cookie', `${cookieOf(origin, '', signInName(origin, id))}; Max-Age=0`)
}

/** The possible secrets of a client's authorization that this browser began; none in another browser. */
export function readAuthorizationCookies(request: FastifyRequest): string[] {
  return readCookies(request, AUTHORIZATION_COOKIE)
}

function signInName(origin: string, id: string): string {
  return `${nameOf(origin)}-signin-${id.slice(0, 16)}`
}

/**
 * Sets the session's cookie (RFC 6265bis): for this host only, invisible to scripts, never sent from another site. It survives
 * a restart of the browser, for as long as a session can last.
 */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.header('set-cookie', `${cookieOf(reply.request.origin, secret)}; Max-Age=${ABSOLUTE_MS / 1_000}`)
}

/** Removes the session's cookie. */
export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${cookieOf(reply.request.origin, '')}; Max-Age=0`)
}

function cookieOf(origin: string, value: string, name = nameOf(origin)): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

/**
 * The values of a cookie. A page on another port of the host can plant cookies of the same name for a longer path, which
 * browsers send first (RFC 6265, section 5.4): the last values are read, and the caller finds the one that is valid.
 */
function readCookies({ headers }: FastifyRequest, name: string): string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${name}=`))
    .map(part => part.slice(name.length + 1))
    .filter(value => value !== '')
    .slice(-MAX_VALUES)
}

// The name that the routes of the gateway depend on: they see the same identity here.
export default fp(sessionCookie, { name: 'identity', fastify: '5.x', dependencies: ['error-envelope', 'origin'] })
