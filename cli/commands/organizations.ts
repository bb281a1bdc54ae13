import { GatewayError } from '../../lib/errors/errors.ts'
import { Role } from '../../schemas/organizations/member.ts'
import { type Command, command, flag, optional, person, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const ORGANIZATION_COMMANDS: readonly Command<OperatorServices>[] = [
  command('org create', {
    about: 'create an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create({ name, by: 'operator' }),
  }),
  command('org list', {
    about: 'list all organizations with their standing',
    options: {},
    async run({ organizations }: OperatorServices) {
      const list = await organizations.list()
      return { organizations: list.map(serializeRow) }
    },
  }),
  command('org rename', {
    about: 'rename an organization',
    positional: 'ID',
    options: { name: required('N') },
    async run({ organizations }: OperatorServices, { positional, name }) {
      const renamed = await organizations.rename(positional, { name, by: 'operator' })
      return { id: positional, name, ...(!renamed && { already_named: true }) }
    },
  }),
  command('org suspend', {
    about: 'suspend an organization: paid tools stop, whatever the balance; free tools keep working',
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

const ROLES = 'owner|admin|member'

function role(text: string): Role {
  const found = Role.enum.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--role must be one of ${Role.enum.join(', ')}.`)
  return found
}

/** A command that gives a user a role in an organization. */
function roleCommand(
  verb: string,
  { about, change, options = {} }: { about: string; change: 'add' | 'setRole'; options?: Partial<typeof FORCE> },
) {
  return command(`member ${verb}`, {
    about,
    options: { org: required('ORG'), user: person({ required: true }), role: required(ROLES), ...options },
    async run({ members }: OperatorServices, { org, user, role: name, ...given }) {
      await members[change]({ orgId: org, userId: user, role: role(name), by: 'operator', ...force(given) })
      return { id: user }
    },
  })
}

/** The option that adds a second user with the same email. */
const FORCE = { force: flag() }

function force(given: object): { force?: true } {
  return 'force' in given && given.force === true ? { force: true } : {}
}

/** The options that name a sign-in of a user. */
const SIGN_IN = { user: person({ required: true }), issuer: required('I'), subject: required('S') }

export const MEMBER_COMMANDS: readonly Command<OperatorServices>[] = [
  command('user create', {
    about: 'create a user and their membership',
    options: {
      org: required('ORG'),
      email: required('E'),
      role: required(ROLES),
      issuer: optional('I'),
      subject: optional('S'),
      ...FORCE,
    },
    async run({ organizations, signIns }: OperatorServices, { org, email, role: name, issuer, subject, ...given }) {
      if ((issuer === undefined) !== (subject === undefined))
        throw new GatewayError('invalid_request', 'Use --issuer and --subject together.')
      const { id } = await organizations.createUser({
        orgId: org,
        email,
        role: role(name),
        by: 'operator',
        ...force(given),
        ...(issuer !== undefined && subject !== undefined && { subject: { issuer, subject } }),
      })
      return { id, ...(issuer !== undefined && warningOf(signIns, issuer)) }
    },
  }),
  command('user email', {
    about: 'change the email of a user; it does not change how they sign in',
    options: { user: person({ required: true }), email: required('E'), ...FORCE },
    async run({ userEmails }: OperatorServices, { user, email, force }) {
      const changed = await userEmails.set({ userId: user, email, force, by: 'operator' })
      return { id: user, email: email.trim(), ...(!changed && { already_set: true }) }
    },
  }),
  command('user sign-in-link', {
    about: 'make a link that signs a user in to the dashboard once, within 10 minutes; anyone who has it can sign in',
    options: { user: person({ required: true }) },
    async run({ signInLinks }, { user }) {
      const { link, expiresAt } = await signInLinks.create(user)
      return { link, expires_at: expiresAt.toISOString() }
    },
  }),
  command('user link', {
    about:
      'let an existing user sign in as this subject of an issuer; with --move, take it from a user without organizations',
    options: { ...SIGN_IN, move: flag() },
    async run({ signIns }: OperatorServices, { user, issuer, subject, move }) {
      const { linked, movedFrom } = await signIns.link({ userId: user, issuer, subject, move, by: 'operator' })
      const moved = movedFrom.length > 0 && { moved_from: movedFrom.join(', ') }
      return {
        id: user,
        issuer,
        subject,
        ...(!linked && { already_linked: true }),
        ...moved,
        ...warningOf(signIns, issuer),
      }
    },
  }),
  command('user unlink', {
    about: 'remove a sign-in from a user; its next token creates another user without an organization',
    options: SIGN_IN,
    async run({ signIns }: OperatorServices, { user, issuer, subject }) {
      return { id: user, unlinked: await signIns.unlink({ userId: user, issuer, subject, by: 'operator' }) }
    },
  }),
  roleCommand('add', {
    about: 'add a user to another organization, or back to one that they were removed from',
    change: 'add',
    options: FORCE,
  }),
  roleCommand('role', { about: 'change the role of a member', change: 'setRole' }),
  command('member remove', {
    about: 'remove a member: revokes their keys; suspends their agents until they return or the agents get a new owner',
    options: { org: required('ORG'), user: person({ required: true }) },
    async run({ members }, { org, user }) {
      await members.remove({ orgId: org, userId: user, by: 'operator' })
      return { id: user }
    },
  }),
  command('member list', {
    about: 'list the members of an organization and how they sign in; with --all, also the removed ones',
    options: { org: required('ORG'), all: flag() },
    async run({ members }, { org, all }) {
      const list = await members.list(org, { removed: all })
      return { members: list.map(({ userId, ...member }) => serializeRow({ id: userId, ...member })) }
    },
  }),
]

export const CAPABILITY_COMMANDS: readonly Command<OperatorServices>[] = [
  ...(['enable', 'disable'] as const).map(verb =>
    command(`capability ${verb}`, {
      about: `${verb} a family, a connector or one tool for an organization, or for one member`,
      positional: 'NAME',
      options: { org: required('ORG'), user: person({ required: false }) },
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

/** Warns of an issuer whose tokens are not accepted, as far as this process knows. */
export function warningOf(signIns: OperatorServices['signIns'], issuer: string): { warning?: string } {
  if (signIns.accepts(issuer)) return {}
  return {
    warning:
      'This issuer is neither SESSION_ISSUER nor MCP_ISSUER here, so the gateway rejects its tokens. Correct one of them.',
  }
}
