import { type Command, command, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const AGENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('agent create', {
    about: 'create an agent that a member owns',
    options: { org: required('ORG'), owner: required('USER'), name: required('N') },
    run: ({ agents }, { org, owner, name }) => agents.create({ orgId: org, ownerId: owner, name, by: 'operator' }),
  }),
  ...(['suspend', 'resume'] as const).map(verb =>
    command(`agent ${verb}`, {
      about: `${verb} an agent`,
      positional: 'ID',
      options: {},
      async run({ agents }: OperatorServices, { positional }) {
        await agents.setStatus(positional, verb === 'suspend' ? 'suspended' : 'active', { by: 'operator' })
        return { id: positional }
      },
    }),
  ),
  command('agent retire', {
    about: 'retire an agent permanently; its keys are revoked within a minute',
    positional: 'ID',
    options: {},
    async run({ agents }, { positional }) {
      await agents.retire(positional, { by: 'operator' })
      return { id: positional }
    },
  }),
  command('agent assign', {
    about: 'change the owner of an agent; its keys then act as the new owner, so revoke keys that others hold',
    positional: 'ID',
    options: { owner: required('USER') },
    async run({ agents }, { positional, owner }) {
      await agents.assign(positional, owner, { by: 'operator' })
      return { id: positional }
    },
  }),
  command('agent list', {
    about: 'list the agents of an organization; an orphaned agent needs a new owner, or its owner as a member again',
    options: { org: required('ORG') },
    async run({ agents }, { org }) {
      const list = await agents.list(org)
      return { agents: list.map(serializeRow) }
    },
  }),
]
