import { type Command, command, flag, required } from './command.ts'
import { warningOf } from './issuer-warning.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

const SIGN_IN = { issuer: required('I'), subject: required('S') }

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
  command('agent link', {
    about: 'let an agent sign in as this subject of an issuer; with --move, take it from a user without organizations',
    positional: 'ID',
    options: { ...SIGN_IN, move: flag() },
    async run({ agentSignIns, signIns }, { positional, issuer, subject, move }) {
      const { linked } = await agentSignIns.link(positional, { issuer, subject, move }, { by: 'operator' })
      return {
        id: positional,
        issuer,
        subject,
        ...(!linked && { already_linked: true }),
        ...warningOf(signIns, issuer),
      }
    },
  }),
  command('agent unlink', {
    about: 'take a sign-in from an agent; its next token creates a user, without an organization',
    positional: 'ID',
    options: SIGN_IN,
    async run({ agentSignIns }, { positional, issuer, subject }) {
      return { id: positional, ...(await agentSignIns.unlink(positional, { issuer, subject }, { by: 'operator' })) }
    },
  }),
  command('agent list', {
    about: 'list the agents of an organization; an orphaned agent needs a new owner, or its owner as a member again',
    options: { org: required('ORG') },
    async run({ agents }, { org }) {
      const list = await agents.list(org)
      return {
        agents: list.map(({ signIns, ...agent }) => ({
          ...serializeRow(agent),
          sign_ins: signIns.map(({ issuer, subject }) => ({ issuer, subject })),
        })),
      }
    },
  }),
]
