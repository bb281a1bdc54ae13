import { GatewayError } from '../../lib/errors/errors.ts'
import type { Policy, PolicyCondition } from '../../schemas/organizations/policy.ts'
import { checkPatterns, hasPointer } from './conditions.ts'
import { ANY, CLASS, matcher, type PolicySubject, type StoredPolicy } from './policy.ts'

/** A tool with the schema that says which arguments its calls can have. */
export interface KnownTool extends PolicySubject {
  readonly inputSchema: unknown
}

/** The names of an organization that a policy can mean. */
interface KnownNames {
  /** All tools of the organization, whether anybody sees them or not. */
  readonly tools: readonly KnownTool[]
  /** Whether a family, connector, registration or tool has a name. */
  isCapability(name: string): boolean | Promise<boolean>
}

const CLASSES = new Set(['read', 'write', 'destructive'].map(name => CLASS + name))

/**
 * Returns a policy as it is stored, with the tools that its patterns match now. Throws invalid_request for a rule that matches
 * nothing in the organization: it would protect nothing, and nobody would notice.
 */
export async function checkPolicy(policy: Policy, { tools, isCapability }: KnownNames): Promise<StoredPolicy> {
  const { mode, rules = [] } = policy
  for (const [index, { match }] of rules.entries())
    if (!(match.startsWith(CLASS) ? CLASSES.has(match) : tools.some(matcher(match)) || (await isCapability(match))))
      throw new GatewayError(
        'invalid_request',
        `\`rules[${index}].match\` ${JSON.stringify(match)} matches no tool of your organization. Use the name of a tool, a family, ` +
          'a connector or org__<slug>, or <prefix>__*, class:read, class:write or class:destructive.',
      )
  for (const [index, { match, when }] of rules.entries())
    if (when !== undefined) checkConditions(when, `rules[${index}].when`, tools.filter(matcher(match)))
  const patterns = rules.filter(rule => rule.do === 'allow' && rule.match.endsWith(ANY)).map(({ match }) => match)
  if (mode !== 'listed' || patterns.length === 0) return policy
  const namesOf = (match: string) => tools.filter(matcher(match)).map(({ name }) => name)
  return { ...policy, pinned: Object.fromEntries(patterns.map(match => [match, namesOf(match)])) }
}

/** Throws invalid_request for a pointer that one of the tools does not have, and for a pattern that is no regular expression. */
function checkConditions(when: readonly PolicyCondition[], place: string, tools: readonly KnownTool[]): void {
  checkPatterns(when, place)
  for (const [index, { pointer }] of when.entries()) {
    const other = tools.find(({ inputSchema }) => !hasPointer(inputSchema, pointer))
    if (other !== undefined)
      throw new GatewayError(
        'invalid_request',
        `\`${place}[${index}].pointer\` ${JSON.stringify(pointer)} is no argument of ${other.name}. Use the arguments of its input schema, and one rule for each tool.`,
      )
  }
}

/** Checks a policy before it is set. Throws invalid_request for a rule that matches nothing in the organization. */
export type CheckPolicy = (orgId: string, policy: Policy) => Promise<StoredPolicy>

/** The change of a policy in a body: nothing if it is absent, null to remove it. */
export async function checkedPolicy(
  check: CheckPolicy,
  orgId: string,
  policy: Policy | null | undefined,
): Promise<{ policy?: StoredPolicy | null }> {
  if (policy === undefined) return {}
  return { policy: policy && (await check(orgId, policy)) }
}
