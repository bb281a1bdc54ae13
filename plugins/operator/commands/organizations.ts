import { type Command, command, required } from '../command.ts'
import type { OperatorServices } from '../operator-services.ts'

export const ORGANIZATION_COMMANDS: readonly Command<OperatorServices>[] = [
  command('org create', {
    about: 'make an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create(name),
  }),
  command('org list', {
    about: 'every organization',
    options: {},
    async run({ organizations }: OperatorServices) {
      const list = await organizations.list()
      return {
        organizations: list.map(({ id, name, members, createdAt }) => ({
          id,
          name,
          members,
          created_at: createdAt.toISOString(),
        })),
      }
    },
  }),
]
