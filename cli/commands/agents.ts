import { type Command, command, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const AGENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('agent create', {
    about: 'make an agent of a member',
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
    about: 'end an agent for good; its keys are revoked within a minute',
    positional: 'ID',
    options: {},
    async run({ agents }, { positional }) {
      await agents.retire(positional, { by: 'operator' })
      return { id: positional }
    },
  }),
  command('agent assign', {
    about: 'give an agent to another member; its keys act as him from then on: revoke those that others hold',
    positional: 'ID',
    options: { owner: required('USER') },
    async run({ agents }, { positional, owner }) {
      await agents.assign(positional, owner, { by: 'operator' })
      return { id: positional }
    },
  }),
  command('agent list', {
    about: 'the agents of an organization; an orphaned one waits for a new owner, or for its own to be a member again',
    options: { org: required('ORG') },
    async run({ agents }, { org }) {
      const list = await agents.list(org)
      return { agents: list.map(serializeRow) }
    },
  }),
]
