import { Type } from '@sinclair/typebox'
import { Role } from '../../schemas/role.ts'
import { defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Membership } from '../../services/identity/active-organization.ts'

/** Where the tool learns which organizations a user belongs to. */
export interface WhoamiDirectory {
  membershipsOf(userId: string): Promise<Membership[]>
}

export function whoami({ membershipsOf }: WhoamiDirectory) {
  return defineTool({
    name: 'manage__whoami',
    title: 'Who am I',
    description:
      'Tells which user is signed in, the organization this session works in, and every organization the user belongs to. Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    organization: 'optional',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({
      user_id: Type.String(),
      active_organization_id: Type.Union([Type.String(), Type.Null()]),
      role: Type.Union([Role, Type.Null()]),
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
