import { ACCOUNT_COMMANDS } from './commands/accounts.ts'
import { AGENT_COMMANDS } from './commands/agents.ts'
import { BILLING_COMMANDS } from './commands/billing.ts'
import { CAPABILITY_COMMANDS } from './commands/capabilities.ts'
import { type Command, command } from './commands/command.ts'
import { CONNECTOR_COMMANDS } from './commands/connectors.ts'
import { KEY_COMMANDS } from './commands/keys.ts'
import { MEMBER_COMMANDS } from './commands/members.ts'
import { OAUTH_CLIENT_COMMANDS } from './commands/oauth-clients.ts'
import type { OperatorServices } from './commands/operator-services.ts'
import { ORGANIZATION_COMMANDS } from './commands/organizations.ts'
import { REMOTE_CONNECT_COMMANDS } from './commands/remote-connect.ts'
import { REMOTE_COMMANDS } from './commands/remotes.ts'
import { USAGE_COMMANDS } from './commands/usage.ts'
import { VAULT_COMMANDS } from './commands/vault.ts'
import { WALLET_COMMANDS } from './commands/wallets.ts'

/** Every command of the operator, on the same services as the routes. */
export const COMMANDS: readonly Command<OperatorServices>[] = [
  command('migrate', {
    about: 'bring the database to this version',
    options: {},
    async run({ database }: OperatorServices) {
      await database.migrate()
      return { migrated: true }
    },
  }),
  ...ORGANIZATION_COMMANDS,
  ...MEMBER_COMMANDS,
  ...KEY_COMMANDS,
  ...AGENT_COMMANDS,
  ...CAPABILITY_COMMANDS,
  ...CONNECTOR_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...OAUTH_CLIENT_COMMANDS,
  ...REMOTE_COMMANDS,
  ...REMOTE_CONNECT_COMMANDS,
  ...USAGE_COMMANDS,
  ...VAULT_COMMANDS,
  ...WALLET_COMMANDS,
  ...BILLING_COMMANDS,
]
