import { GatewayError, UsageError } from '../../lib/errors/errors.ts'
import { dollars } from '../../schemas/billing/money.ts'
import {
  type Command,
  command,
  dollarsOption,
  flag,
  optional,
  person,
  required,
  secondsOption,
  secret,
} from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { warningOf } from './organizations.ts'
import { serializeRow } from './serialize.ts'

const SIGN_IN = { issuer: required('I'), subject: required('S') }

export const AGENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('agent create', {
    about: 'create an agent that a member owns',
    options: { org: required('ORG'), owner: person({ required: true }), name: required('N') },
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
    options: { owner: person({ required: true }) },
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
    about: 'remove a sign-in from an agent; its next token creates a user without an organization',
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

function time(text: string): Date {
  const date = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(date.getTime()))
    throw new GatewayError('invalid_request', '--expires must be an RFC 3339 time, such as 2027-01-31T00:00:00Z.')
  return date
}

export const KEY_COMMANDS: readonly Command<OperatorServices>[] = [
  command('key create', {
    about: 'create an API key; it is shown only once',
    options: {
      org: required('ORG'),
      user: person({ required: true }),
      agent: optional('AGT'),
      name: optional('N'),
      expires: optional('RFC3339'),
      'monthly-cap-usd': optional('N'),
    },
    run: ({ keys }, { org, user, agent, name, expires, 'monthly-cap-usd': cap }) =>
      keys.create({
        orgId: org,
        userId: user,
        by: 'operator',
        ...(agent !== undefined && { agentId: agent }),
        ...(name !== undefined && { name }),
        ...(expires !== undefined && { expiresAt: time(expires) }),
        ...(cap !== undefined && { monthlyCapMicros: dollarsOption('monthly-cap-usd', cap, { from: 0 }) }),
      }),
  }),
  command('key revoke', {
    about: 'revoke an API key permanently',
    positional: 'ID',
    options: {},
    async run({ keys }, { positional }) {
      const revoked = await keys.revoke(positional, { by: 'operator' })
      return revoked ? { id: positional, revoked: true } : { id: positional, already_revoked: true }
    },
  }),
  command('key cap', {
    about: 'set the monthly spending cap of a key (UTC), or remove it',
    positional: 'ID',
    options: { usd: optional('N'), none: flag() },
    async run({ keys }: OperatorServices, { positional, usd, none }) {
      if ((usd === undefined) !== none) throw new UsageError('Give either --usd N or --none.')
      const cap = usd === undefined ? null : dollarsOption('usd', usd, { from: 0 })
      await keys.update(positional, { monthlyCapMicros: cap }, { by: 'operator' })
      return { id: positional, monthly_cap_micros: cap, monthly_cap: cap === null ? 'none' : dollars(cap) }
    },
  }),
  command('key rotate', {
    about: 'replace the secret of a key, which is shown only once; the old one stays valid for the overlap',
    positional: 'ID',
    options: { overlap: optional('DURATION') },
    async run({ keys }: OperatorServices, { positional, overlap }) {
      const overlapSeconds = overlap === undefined ? 0 : secondsOption('overlap', overlap)
      const { id, key, previousExpiresAt } = await keys.rotate(positional, { overlapSeconds, by: 'operator' })
      return { id, key, ...(previousExpiresAt !== null && { previous_expires_at: previousExpiresAt.toISOString() }) }
    },
  }),
  command('key claim', {
    about: 'create the key that a member asked a tool for; it is shown only once',
    options: { token: { ...secret('TOKEN'), required: true } as const },
    async run({ keyClaims }: OperatorServices, { token }) {
      const { orgId: org, userId: user, id, key } = await keyClaims.redeem(token, 'operator')
      return { id, key, org, user }
    },
  }),
  command('key list', {
    about: 'list the keys of an organization and their spending this month; the secrets are not stored',
    options: { org: required('ORG') },
    async run({ keys }, { org }) {
      const list = await keys.list(org)
      return { keys: list.map(serializeRow) }
    },
  }),
  command('key peppers', {
    about: 'count the active keys per pepper; remove a pepper without keys from API_KEY_PEPPERS',
    options: {},
    async run({ keys }: OperatorServices) {
      return { peppers: await keys.pepperUse() }
    },
  }),
]
