import { GatewayError, UsageError } from '../../lib/errors/errors.ts'
import { Role } from '../../schemas/organizations/member.ts'
import { Policy } from '../../schemas/organizations/policy.ts'
import { argumentCheck } from '../../services/definitions/define-tool.ts'
import type { CheckPolicy } from '../../services/policies/check-policy.ts'
import type { PolicyTarget } from '../../services/policies/policies.ts'
import { policyOf, type StoredPolicy } from '../../services/policies/policy.ts'
import { type Command, command, flag, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

const TARGET = { org: required('ORG'), role: optional('ROLE'), agent: optional('AGT'), key: optional('KEY') }
const faultOf = argumentCheck(Policy)

export const POLICY_COMMANDS: readonly Command<OperatorServices>[] = [
  command('policy get', {
    about: 'show the policy of an organization, a role, an agent or a key',
    options: TARGET,
    run: async (services: OperatorServices, { org, ...named }) => ({
      policy: await read(services, org, targetOf(named)),
    }),
  }),
  command('policy set', {
    about:
      'set what an organization, the members of a role, an agent or a key may call; with --none, remove the policy',
    options: { ...TARGET, policy: optional('JSON'), none: flag() },
    async run(services: OperatorServices, { org, policy: json, none, ...named }) {
      if ((json === undefined) !== none) throw new UsageError('Give either --policy JSON or --none.')
      const target = targetOf(named)
      await set(services, org, target, json === undefined ? null : await checked(services.checkPolicy, org, json))
      return { policy: await read(services, org, target) }
    },
  }),
]

interface Named {
  role: string | undefined
  agent: string | undefined
  key: string | undefined
}

/** What the options name; the organization without any. */
function targetOf({ role, agent, key }: Named): PolicyTarget {
  const named: PolicyTarget[] = []
  if (role !== undefined) named.push({ layer: 'role', subject: roleOf(role) })
  if (agent !== undefined) named.push({ layer: 'agent', subject: agent })
  if (key !== undefined) named.push({ layer: 'key', subject: key })
  if (named.length > 1) throw new UsageError('Give only one of --role, --agent and --key.')
  return named[0] ?? { layer: 'organization' }
}

function roleOf(text: string): Role {
  const role = Role.enum.find(name => name === text)
  if (role === undefined) throw new UsageError(`--role must be ${Role.enum.join(', ')}; got ${JSON.stringify(text)}.`)
  return role
}

async function read({ keys, agents, sharedPolicies }: OperatorServices, org: string, target: PolicyTarget) {
  if (target.layer === 'organization' || target.layer === 'role') return sharedPolicies.read(org, target)
  const { layer, subject } = target
  const found = await (layer === 'key' ? keys : agents).find(org, subject)
  if (found === undefined) throw new GatewayError('not_found', `There is no ${layer} ${subject} in ${org}.`)
  return found.policy && policyOf(found.policy)
}

async function set(
  services: OperatorServices,
  orgId: string,
  target: PolicyTarget,
  policy: StoredPolicy | null,
): Promise<void> {
  const { keys, agents, sharedPolicies } = services
  const by = 'operator'
  if (target.layer === 'organization' || target.layer === 'role') {
    await sharedPolicies.set({ orgId, by }, target, policy)
    return
  }
  // The rules are checked in one organization, so the key or the agent must be in the same.
  await read(services, orgId, target)
  const { layer, subject } = target
  await (layer === 'key' ? keys.update(subject, { policy }, { by }) : agents.update(subject, { policy }, { by }))
}

/** Reads a policy. Throws invalid_request for what is no policy, and for a rule that matches nothing in the organization. */
async function checked(check: CheckPolicy, org: string, json: string): Promise<StoredPolicy> {
  const policy = parse(json)
  const fault = faultOf(policy)
  if (fault !== undefined) throw new GatewayError('invalid_request', `--policy is no policy: ${fault}`)
  return check(org, policy as Policy)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new GatewayError(
      'invalid_request',
      '--policy is not JSON. Quote it for your shell: \'{"mode":"read_only"}\'.',
    )
  }
}
