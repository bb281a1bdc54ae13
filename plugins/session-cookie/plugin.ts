import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'

interface SessionCookieOptions {
  dashboardSessions: Pick<DashboardSessions, 'verify'>
}

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
    const cookie = readCookie(request, nameOf(request.origin))
    const token = tokenOf(request)
    const session = cookie && token ? await dashboardSessions.verify({ cookie, token }) : undefined
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

function tokenOf({ headers }: FastifyRequest): string | undefined {
  const token = headers['x-dashboard-token']
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

/** The secret of a sign-in at the issuer that this browser began; undefined for another browser. */
export function readSignInCookie(request: FastifyRequest, id: string): string | undefined {
  return readCookie(request, signInName(request.origin, id))
}

function signInName(origin: string, id: string): string {
  return `${nameOf(origin)}-signin-${id.slice(0, 16)}`
}

/** Sets the session's cookie (RFC 6265bis): for this host only, invisible to scripts, never sent from another site. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.header('set-cookie', cookieOf(reply.request.origin, secret))
}

/** Removes the session's cookie. */
export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${cookieOf(reply.request.origin, '')}; Max-Age=0`)
}

function cookieOf(origin: string, value: string, name = nameOf(origin)): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

/** The value of a cookie; undefined if there is none, or more than one: another host could have planted one. */
function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${name}=`))
    .map(part => part.slice(name.length + 1))
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

// The name that the routes of the gateway depend on: they see the same identity here.
export default fp(sessionCookie, { name: 'identity', fastify: '5.x', dependencies: ['error-envelope', 'origin'] })
