import { type Command, command, required } from '../command.ts'
import type { OperatorServices } from '../operator-services.ts'

export const AGENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('agent create', {
    about: 'make an agent of a member',
    options: { org: required('ORG'), owner: required('USER'), name: required('N') },
    run: ({ agents }, { org, owner, name }) => agents.create({ orgId: org, ownerId: owner, name }),
  }),
  ...(['suspend', 'resume'] as const).map(verb =>
    command(`agent ${verb}`, {
      about: `${verb} an agent`,
      positional: 'ID',
      options: {},
      async run({ agents }: OperatorServices, { positional }) {
        await agents.setStatus(positional, verb === 'suspend' ? 'suspended' : 'active')
        return { id: positional }
      },
    }),
  ),
  command('agent retire', {
    about: 'end an agent for good; its keys are revoked within a minute',
    positional: 'ID',
    options: {},
    async run({ agents }, { positional }) {
      await agents.retire(positional)
      return { id: positional }
    },
  }),
  command('agent assign', {
    about: 'give an agent and its keys to another member; one whose owner left works again',
    positional: 'ID',
    options: { owner: required('USER') },
    async run({ agents }, { positional, owner }) {
      await agents.assign(positional, owner)
      return { id: positional }
    },
  }),
  command('agent list', {
    about: 'the agents of an organization; an orphaned one waits for a new owner',
    options: { org: required('ORG') },
    async run({ agents }, { org }) {
      const list = await agents.list(org)
      return {
        agents: list.map(({ id, name, ownerId, status, orphaned, createdAt }) => ({
          id,
          name,
          owner_id: ownerId,
          status,
          orphaned,
          created_at: createdAt.toISOString(),
        })),
      }
    },
  }),
]
