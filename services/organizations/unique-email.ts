import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { isEmail } from '../../schemas/email.ts'
import type { SignIn } from '../identity/identity.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'

/**
 * Throws invalid_request if another member of the organization has this email: they are probably one person with two
 * sign-ins. The advice is to link `signIn` to that member; `move` if it belongs to this user now. The caller holds the
 * lock of the organization (changeIn), so that two concurrent additions cannot both pass.
 */
export async function requireUniqueEmail(
  org: OrgDatabase,
  { id, email }: { id: string; email: string | null },
  {
    signIn = { issuer: 'ISSUER', subject: 'SUBJECT' },
    move,
    commands,
  }: { signIn: SignIn | undefined; move: boolean; commands: Pick<OperatorCommands, 'linkSignIn'> },
): Promise<void> {
  if (email === null) return
  // Compared here, because lower() of PostgreSQL depends on the locale of the database.
  const members = await org
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.revoked_at', 'is', null)
    .where('users.email', 'is not', null)
    .orderBy('memberships.created_at')
    .select(['users.id', 'users.email'])
    .execute()
  const same = members.find(member => member.id !== id && emailKey(member.email ?? '') === emailKey(email))
  if (same === undefined) return
  throw new GatewayError(
    'invalid_request',
    `${same.id} (${same.email}) is already a member of ${org.orgId} with this email. For a second user with this email, ` +
      'repeat the command with --force. Only if you know that both are one person (an issuer may not verify emails), let ' +
      'the existing user sign in this way too: ' +
      commands.linkSignIn({ userId: same.id, ...signIn }, { move }),
  )
}

/** Trims an email. Throws invalid_request for text that is not in the form of one. */
export function parseEmail(text: string): string {
  const email = text.trim()
  if (isEmail(email) && !hasHidden(email)) return email
  throw new GatewayError('invalid_request', 'The email must have the form name@example.com.')
}

/** The form in which emails are compared. */
function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}
