import { hash } from 'node:crypto'
import type { Policy, PolicyLayer, PolicyRule } from '../../schemas/organizations/policy.ts'
import type { ToolClass } from '../../schemas/remotes/overrides.ts'
import { type Conditions, compileConditions, conditionsSentence } from './conditions.ts'

/** What policies see of a tool. */
export interface PolicySubject {
  readonly name: string
  /** The family, the connector or `org__<slug>`. */
  readonly capability: string
  /** What a call does. Of a registered server's tool nobody knows it before an admin has set or confirmed it. */
  readonly effect: ToolClass | 'unconfirmed'
}

/** A tool as policies see it. */
export function subjectOf(tool: Omit<PolicySubject, 'name'> & { entry: { name: string } }): PolicySubject {
  return { name: tool.entry.name, capability: tool.capability, effect: tool.effect }
}

/** A policy as it is stored: with the tools that its rules matched when it was set. */
export interface StoredPolicy extends Policy {
  /**
   * The tools of each `<prefix>__*` that mode `listed` allows, by its `match`. A tool that gets such a name later is not allowed
   * before the policy is set again.
   */
  readonly pinned?: Readonly<Record<string, readonly string[]>>
}

/** A policy as it was set. */
export function policyOf({ pinned: _, ...policy }: StoredPolicy): Policy {
  return policy
}

/** One policy that applies to a caller. */
export interface Layer {
  readonly layer: PolicyLayer
  /** Identifies the content of the policy. */
  readonly hash: string
  readonly mode: Policy['mode']
  readonly rules: readonly CompiledRule[]
  /** The accounts that calls may use; all if undefined. */
  readonly accounts: ReadonlySet<string> | undefined
}

interface CompiledRule extends PolicyRule {
  matches(tool: PolicySubject): boolean
  /** Whether the rule applies to a call with these arguments; undefined if it applies to all. */
  readonly holds: Conditions | undefined
  /** The tools that the rule is limited to; undefined if it is not. */
  readonly pinned: ReadonlySet<string> | undefined
}

/** Why a tool cannot be called: the policy that decided and, if one of its rules did, its index. */
export interface Denial {
  readonly layer: PolicyLayer
  readonly mode: Policy['mode']
  readonly rule?: { readonly index: number; readonly match: string }
  /** The conditions of the rule, in words: those that hold, or, if `allow` did not apply, those that do not. */
  readonly conditions?: string
  /** Whether the rule allows the tool, but only with other arguments. */
  readonly allows?: true
}

/** Prepares a policy for many decisions. */
export function toLayer(layer: PolicyLayer, policy: StoredPolicy): Layer {
  const { mode, rules = [], accounts, pinned = {} } = policy
  return {
    layer,
    hash: hash('sha256', JSON.stringify([layer, policy]), 'base64url'),
    mode,
    rules: rules.map(rule => {
      const isPinned = mode === 'listed' && rule.do === 'allow' && rule.match.endsWith(ANY)
      const tools = isPinned ? (pinned[rule.match] ?? []) : undefined
      const holds = rule.when && compileConditions(rule.when, rule.do)
      return { ...rule, matches: matcher(rule.match, rule.do), pinned: tools && new Set(tools), holds }
    }),
    accounts: accounts && new Set(accounts),
  }
}

/** The beginning of a `match` for all tools of a class. */
export const CLASS = 'class:'
/** The end of a `match` for all tools whose names begin alike. */
export const ANY = '__*'

/**
 * The function that says whether a `match` means a tool. A tool whose effect is not confirmed has every class for a rule that denies,
 * and none for one that allows.
 */
export function matcher(match: string, action: PolicyRule['do'] = 'deny'): (tool: PolicySubject) => boolean {
  if (match.startsWith(CLASS)) {
    const wanted = match.slice(CLASS.length)
    return ({ effect }) => effect === wanted || (effect === 'unconfirmed' && action === 'deny')
  }
  if (match.endsWith(ANY)) {
    const prefix = match.slice(0, -1)
    return ({ name }) => name.startsWith(prefix)
  }
  return ({ name, capability }) => name === match || capability === match
}

/** The arguments of a call; undefined for a list, in which a tool is if any arguments are allowed. */
type CallArguments = { readonly args: unknown } | undefined

/**
 * Decides whether a caller may use a tool: undefined if all policies allow it, else the first one that does not. The only place that
 * decides this, for lists, calls, resources, prompts and explanations.
 */
export function denialOf(layers: readonly Layer[], tool: PolicySubject, call?: CallArguments): Denial | undefined {
  for (const layer of layers) {
    const denial = denialIn(layer, tool, call)
    if (denial !== undefined) return denial
  }
  return undefined
}

function denialIn({ layer, mode, rules }: Layer, tool: PolicySubject, call: CallArguments): Denial | undefined {
  const applying = [...rules.entries()].filter(([, rule]) => rule.matches(tool))
  const denying = applying.find(
    ([, { do: action, holds }]) =>
      action === 'deny' && (holds === undefined || (call !== undefined && holds(call.args))),
  )
  if (denying !== undefined) return { layer, mode, ...reason(denying) }
  if (mode === 'read_only') return tool.effect === 'read' ? undefined : { layer, mode }
  if (mode === 'all') return undefined
  const allowing = applying.filter(
    ([, { do: action, pinned }]) => action === 'allow' && pinned?.has(tool.name) !== false,
  )
  const isAllowed = allowing.some(([, { holds }]) => holds === undefined || call === undefined || holds(call.args))
  return isAllowed
    ? undefined
    : { layer, mode, ...(allowing[0] !== undefined && { ...reason(allowing[0]), allows: true }) }
}

function reason([index, { match, when }]: readonly [number, CompiledRule]): Pick<Denial, 'rule' | 'conditions'> {
  return { rule: { index, match }, ...(when !== undefined && { conditions: conditionsSentence(when) }) }
}

/** Whether the arguments of a call of a tool can decide. */
export function dependsOnArguments(layers: readonly Layer[], tool: PolicySubject): boolean {
  return layers.some(({ rules }) => rules.some(({ holds, matches }) => holds !== undefined && matches(tool)))
}

/** The layers that decide about the arguments of calls. */
export function conditionalLayers(layers: readonly Layer[]): readonly Layer[] {
  return layers.filter(({ rules }) => rules.some(({ holds }) => holds !== undefined))
}

/** Whether all policies allow calls with an account. */
export function allowsAccount(layers: readonly Layer[], accountId: string): boolean {
  return layers.every(({ accounts }) => accounts?.has(accountId) !== false)
}

/** Says that the policies exclude all of a caller's accounts of a connector, and who can change that. */
export function accountsSentence(layers: readonly Layer[], connector: string): string {
  const { layer = 'request' } = layers.find(({ accounts }) => accounts !== undefined) ?? {}
  return `${WHOSE[layer]} allows none of your accounts of ${connector}. ${WHO_CHANGES[layer]}`
}

/** Identifies what policies allow together; empty for none. */
export function keyOfLayers(layers: readonly Layer[]): string {
  return layers.map(({ hash }) => hash).join()
}

const WHOSE: Readonly<Record<PolicyLayer, string>> = {
  organization: 'The policy of the organization',
  role: 'The policy of the member’s role',
  agent: 'The policy of the agent',
  key: 'The policy of the API key',
  request: 'The request itself, by its headers or its query,',
}

/** Says why a tool cannot be called, and who can change that. */
export function denialSentence(denial: Denial): string {
  return `${WHOSE[denial.layer]} ${whatItSays(denial)}. ${WHO_CHANGES[denial.layer]}`
}

function whatItSays({ mode, rule, conditions, allows }: Denial): string {
  const where = rule === undefined ? '' : `rule ${rule.index + 1} (${rule.match})`
  if (allows === true) return `allows it only when ${conditions}: ${where}`
  if (rule !== undefined) return `denies it${conditions === undefined ? '' : ` when ${conditions}`}: ${where}`
  return mode === 'listed'
    ? 'allows only the tools that its rules list, and this is not one of them'
    : 'allows only tools that change nothing'
}

const WHO_CHANGES: Readonly<Record<PolicyLayer, string>> = {
  organization: 'An owner or an admin can change it with PUT /policy.',
  role: 'An owner or an admin can change it with PUT /policy/roles/:role.',
  agent: 'The owner of the agent or an admin can change it with PATCH /agents/:id.',
  key: 'The owner of the key or an admin can change it with PATCH /api-keys/:id.',
  request: 'Send the request without them.',
}
