import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { SignIn } from './users.ts'

/** The maximum number of users per query, because the number of statement parameters is limited. */
const AT_ONCE = 10_000

/** The sign-ins of users, by issuer and subject. */
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

/**
 * Throws invalid_request if another member of the organization has this email: they are likely one person with two
 * sign-ins. `signIn` is the one to link instead; `move` if it is stored as the other user's. The caller holds the lock of the organization (changeIn), so that two additions do not pass at once.
 */
export async function requireNewPerson(
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
      'repeat the command with --force. To let the existing user sign in another way, run: ' +
      commands.linkSignIn({ userId: same.id, ...signIn }, { move }),
  )
}

/** What emails are compared by. */
function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}
