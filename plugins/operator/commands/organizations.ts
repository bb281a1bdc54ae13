import { type Command, command, required } from '../command.ts'
import type { OperatorServices } from '../operator-services.ts'
import { toWire } from '../to-wire.ts'

export const ORGANIZATION_COMMANDS: readonly Command<OperatorServices>[] = [
  command('org create', {
    about: 'make an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create({ name, by: 'operator' }),
  }),
  command('org list', {
    about: 'every organization',
    options: {},
    async run({ organizations }: OperatorServices) {
      const list = await organizations.list()
      return { organizations: list.map(toWire) }
    },
  }),
]
