import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Role } from '../../schemas/organizations/member.ts'
import { Id } from '../../schemas/primitives/ids.ts'
import { orNull } from '../../schemas/primitives/or-null.ts'
import { defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Membership } from '../../services/identity/active-organization.ts'
import { isSignedIn, type UserIdentity } from '../../services/identity/identity.ts'

/** The organizations that a user belongs to. */
interface WhoamiDirectory {
  membershipsOf(userId: string): Promise<Membership[]>
}

export function whoami({ membershipsOf }: WhoamiDirectory) {
  return defineTool({
    name: 'manage__whoami',
    title: 'Who am I',
    description:
      'Show the signed-in user, the active organization of this session, and all organizations of the user. Requires a ' +
      'user sign-in; API keys are rejected.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    organization: 'optional',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({
      user_id: Type.String(),
      active_organization_id: orNull(Type.String()),
      role: orNull(Role),
      organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: Role })),
    }),

    async run(_args, { identity, caller }) {
      const memberships = await membershipsOf(identity.userId)
      return structured({
        user_id: identity.userId,
        active_organization_id: caller?.orgId ?? null,
        role: caller?.role ?? null,
        organizations: memberships.map(({ orgId, name, role }) => ({ id: orgId, name, role })),
      })
    },
  })
}

/** Stores the organization that a user chooses. */
interface OrganizationChoice {
  choose(user: Pick<UserIdentity, 'userId' | 'clientId'>, orgId: string): Promise<boolean>
}

export function switchOrg({ choose }: OrganizationChoice) {
  return defineTool({
    name: 'manage__switch_org',
    title: 'Switch organization',
    description:
      'Switch this client to another of your organizations, starting with the next call. manage__whoami lists them. ' +
      'Requires a user sign-in; API keys are rejected.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    organization: 'optional',
    input: Type.Object(
      { organization_id: { ...Id('org'), description: 'The ID of the organization: org_ and 32 hexadecimal digits.' } },
      { additionalProperties: false },
    ),
    output: Type.Object({ active_organization_id: Type.String() }),

    async run({ organization_id }, { identity }) {
      const clientId = isSignedIn(identity) ? identity.clientId : ''
      if (!(await choose({ userId: identity.userId, clientId }, organization_id)))
        throw new GatewayError(
          'not_found',
          `You are not a member of the organization ${organization_id}. Choose one from manage__whoami.`,
        )
      return structured({ active_organization_id: organization_id })
    },
  })
}
