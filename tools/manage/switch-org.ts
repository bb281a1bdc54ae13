import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Id } from '../../schemas/ids.ts'
import { defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { UserIdentity } from '../../services/identity/identity.ts'

/** Where the tool keeps a user's choice. */
export interface OrganizationChoice {
  choose(user: Pick<UserIdentity, 'userId' | 'clientId'>, orgId: string): Promise<boolean>
}

export function switchOrg({ choose }: OrganizationChoice) {
  return defineTool({
    name: 'manage__switch_org',
    title: 'Switch organization',
    description:
      'Makes another of your organizations the one this client works in, from the next call on. manage__whoami lists them. Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    organization: 'optional',
    input: Type.Object(
      { organization_id: { ...Id('org'), description: 'The id of the organization, org_ and 32 hexadecimal digits.' } },
      { additionalProperties: false },
    ),
    output: Type.Object({ active_organization_id: Type.String() }),

    async run({ organization_id }, { identity }) {
      const clientId = identity.via === 'api-key' ? '' : identity.clientId
      if (!(await choose({ userId: identity.userId, clientId }, organization_id)))
        throw new GatewayError('not_found', `You are a member of no organization ${organization_id}.`)
      return structured({ active_organization_id: organization_id })
    },
  })
}
