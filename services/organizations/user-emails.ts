import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/ids.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { organizationsOf, unknownUser } from './sign-ins.ts'
import { parseEmail, requireUniqueEmail } from './unique-email.ts'
import { signInsOf } from './users.ts'

interface EmailChange {
  userId: string
  email: string
  /** Whether another member may have the email. */
  force?: boolean
  by: 'operator'
}

/** The emails of users, by which admins recognize them. */
export interface UserEmails {
  /**
   * Changes the email of a user; false if the user has it already. It is audited in each organization of the user. Throws
   * invalid_request for an unknown user, for text that is not an email, and without `force` if another member of one of
   * the organizations has the email.
   */
  set(change: EmailChange): Promise<boolean>
}

interface UserEmailsOptions {
  db: Kysely<Database>
  audit: Audit
  commands: Pick<OperatorCommands, 'linkSignIn' | 'listMembers'>
}

export function createUserEmails({ db, audit, commands }: UserEmailsOptions): UserEmails {
  return {
    async set({ userId, email: text, force = false, by }) {
      const email = parseEmail(text)
      return db.transaction().execute(async trx => {
        if (!isId('usr', userId)) throw unknownUser(userId, commands)
        const orgIds = await organizationsOf(trx, userId)
        // Before the user, and in the order of changeIn: a member is added under the lock of the organization.
        if (orgIds.length > 0)
          await trx
            .selectFrom('organizations')
            .where('id', 'in', orgIds)
            .orderBy('id')
            .select('id')
            .forNoKeyUpdate()
            .execute()
        const found = trx.selectFrom('users').where('id', '=', userId).select('email as before').forUpdate()
        const user = await found.executeTakeFirst()
        if (user === undefined) throw unknownUser(userId, commands)
        const { before } = user
        if (before === email) return false
        if ((await organizationsOf(trx, userId)).some(orgId => !orgIds.includes(orgId)))
          throw new GatewayError(
            'invalid_request',
            `${userId} was just added to another organization. Repeat the command.`,
          )
        const [signIn] = await signInsOf(trx, [userId])
        for (const orgId of orgIds) {
          const org = forOrg(trx, orgId)
          if (!force)
            await requireUniqueEmail(org, { id: userId, email }, { signIn, move: signIn !== undefined, commands })
          await audit.record(org, { by, action: 'user.email', target: userId, detail: { email, before } })
        }
        await trx.updateTable('users').where('id', '=', userId).set({ email }).execute()
        return true
      })
    },
  }
}
