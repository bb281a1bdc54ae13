import { type Command, command } from './command.ts'
import { AGENT_COMMANDS } from './commands/agents.ts'
import { CAPABILITY_COMMANDS } from './commands/capabilities.ts'
import { KEY_COMMANDS } from './commands/keys.ts'
import { MEMBER_COMMANDS } from './commands/members.ts'
import { ORGANIZATION_COMMANDS } from './commands/organizations.ts'
import type { OperatorServices } from './operator-services.ts'

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
]
