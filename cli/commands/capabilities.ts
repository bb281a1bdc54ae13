import { type Command, command, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const CAPABILITY_COMMANDS: readonly Command<OperatorServices>[] = [
  ...(['enable', 'disable'] as const).map(verb =>
    command(`capability ${verb}`, {
      about: `${verb} a family, a connector or one tool for an organization, or for one member`,
      positional: 'NAME',
      options: { org: required('ORG'), user: optional('USER') },
      async run({ capabilities }: OperatorServices, { positional, org, user }) {
        await capabilities.set({
          orgId: org,
          userId: user ?? null,
          capability: positional,
          enabled: verb === 'enable',
        })
        return { capability: positional, enabled: verb === 'enable' }
      },
    }),
  ),
  command('capability list', {
    about: 'list what is disabled in an organization, for all or for one member',
    options: { org: required('ORG') },
    async run({ capabilities }: OperatorServices, { org }) {
      const list = await capabilities.listOff(org)
      return { switched_off: list.map(serializeRow) }
    },
  }),
]
