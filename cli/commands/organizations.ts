import { type Command, command, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const ORGANIZATION_COMMANDS: readonly Command<OperatorServices>[] = [
  command('org create', {
    about: 'make an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create({ name, by: 'operator' }),
  }),
  command('org list', {
    about: 'every organization, and where it stands',
    options: {},
    async run({ organizations }: OperatorServices) {
      const list = await organizations.list()
      return { organizations: list.map(serializeRow) }
    },
  }),
  command('org suspend', {
    about: 'stop what costs money, whatever is paid in; tools without a price go on working',
    positional: 'ID',
    options: {},
    async run({ organizations, wallets }: OperatorServices, { positional }) {
      const suspended = await organizations.suspend(positional, { by: 'operator' })
      const { standing } = await wallets.balance(positional)
      return { id: positional, standing, ...(!suspended && { already_suspended: true }) }
    },
  }),
  command('org resume', {
    about: 'end the suspension of an organization',
    positional: 'ID',
    options: {},
    async run({ organizations, wallets }: OperatorServices, { positional }) {
      const resumed = await organizations.resume(positional, { by: 'operator' })
      const { standing } = await wallets.balance(positional)
      return { id: positional, standing, ...(!resumed && { not_suspended: true }) }
    },
  }),
]
