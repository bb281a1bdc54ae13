import { randomBytes } from 'node:crypto'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { secretDigest } from '../../lib/random-secret.ts'
import type { DashboardSessions, SessionSecrets } from '../identity/dashboard-sessions.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'

const LINK_MS = 10 * 60_000
/** Logs redact texts of this form. */
const PREFIX = 'cgw_signin_'

/**
 * One-time links that sign a user in: the only sign-in of a dashboard without an issuer, and the operator's emergency
 * sign-in of one with an issuer.
 */
export interface SignInLinks {
  /** Makes a link for 10 minutes. Throws invalid_request for an unknown user, and without a dashboard. */
  create(userId: string): Promise<{ link: string; expiresAt: Date }>
  /**
   * Uses up a link and begins a session. Throws not_found for an unknown token, and invalid_request for one that is used or
   * has expired.
   */
  redeem(token: string, userAgent: string): Promise<SessionSecrets>
}

interface SignInLinksOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  commands: Pick<OperatorCommands, 'signInLink' | 'listMembers'>
  dashboardUrl: string | undefined
  sessions: Pick<DashboardSessions, 'create'>
}

export function createSignInLinks(options: SignInLinksOptions): SignInLinks {
  const { db, clock, audit, commands, dashboardUrl, sessions } = options

  /** In the audit of each organization that the user is a member of. */
  async function record(userId: string, action: 'sign_in_link.create' | 'sign_in_link.use'): Promise<void> {
    const memberships = acrossOrgs(db).selectFrom('memberships').where('user_id', '=', userId)
    for (const { org_id: orgId } of await memberships.where('revoked_at', 'is', null).select('org_id').execute()) {
      const by = action === 'sign_in_link.create' ? 'operator' : { userId, orgId }
      await audit.record(forOrg(db, orgId), { by, action, target: userId, detail: {} })
    }
  }

  function spent(why: string, userId: string): GatewayError {
    return new GatewayError(
      'invalid_request',
      `This link ${why}. A link works once, for 10 minutes. For another, ask the operator to run: ${commands.signInLink(userId)}`,
    )
  }

  return {
    async create(userId) {
      if (dashboardUrl === undefined)
        throw new GatewayError('invalid_request', 'This gateway has no dashboard: DASHBOARD_URL is not set.')
      const user = await db.selectFrom('users').where('id', '=', userId).select('id').executeTakeFirst()
      if (user === undefined)
        throw new GatewayError(
          'invalid_request',
          `There is no user with this ID. List the members of an organization: ${commands.listMembers('ORG')}`,
        )
      const token = PREFIX + randomBytes(32).toString('hex')
      const expiresAt = new Date(clock.now() + LINK_MS)
      const row = { token_hash: secretDigest(token), user_id: userId, created_at: new Date(clock.now()) }
      await db
        .insertInto('sign_in_links')
        .values({ ...row, expires_at: expiresAt })
        .execute()
      await record(userId, 'sign_in_link.create')
      return { link: `${dashboardUrl}/sign-in#${token}`, expiresAt }
    },

    async redeem(token, userAgent) {
      const links = db.selectFrom('sign_in_links').where('token_hash', '=', secretDigest(token))
      const link = await links.selectAll().executeTakeFirst()
      if (link === undefined)
        throw new GatewayError(
          'not_found',
          `This link does not exist. Copy the link again, or ask the operator for another one: ${commands.signInLink('EMAIL')}`,
        )
      if (link.expires_at.getTime() <= clock.now()) throw spent('has expired', link.user_id)
      const used = db.updateTable('sign_in_links').where('token_hash', '=', link.token_hash)
      const { numUpdatedRows } = await used
        .where('used_at', 'is', null)
        .set({ used_at: new Date(clock.now()) })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw spent('was already used', link.user_id)
      await record(link.user_id, 'sign_in_link.use')
      return sessions.create({ userId: link.user_id, userAgent })
    },
  }
}
