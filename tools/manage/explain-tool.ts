import { type Static, Type } from '@sinclair/typebox'
import { AccountStatus } from '../../schemas/organizations/account.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { ToolClass } from '../../schemas/remotes/overrides.ts'
import { type Account, missingScopes } from '../../services/accounts/account.ts'
import { findByLabel, labelAccounts } from '../../services/accounts/aliases.ts'
import { billableRefusal, type PayerStanding, standingRefusal } from '../../services/billing/standings.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import {
  type AnyTool,
  defineTool,
  type NotConfigured,
  structured,
  type ToolContext,
} from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { type Identity, keyIdOf } from '../../services/identity/identity.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import {
  accountsSentence,
  allowsAccount,
  denialOf,
  denialSentence,
  type Layer,
  subjectOf,
} from '../../services/policies/policy.ts'
import type { SwitchedOff } from '../../services/tool-calls/capabilities.ts'
import { gateRefusal, offBy } from '../../services/tool-calls/refusals.ts'
import type { ExplainedTool, NamedTool } from '../../services/tool-calls/registry.ts'
import type { VisibleAccounts } from './accounts.ts'

/** Why a tool cannot be called. */
const Reason = StringEnum([
  'unknown_tool',
  'not_configured',
  'disabled',
  'denied_by_policy',
  'jwt_session_required',
  'admin_required',
  'org_suspended',
  'payment_required',
  'key_spend_limit_exceeded',
  'no_account',
  'account_not_found',
  'needs_reauth',
  'scope_missing',
  'hidden',
  'authorization_pending',
  'no_snapshot',
  'surface_full',
  'set_aside',
])
type Reason = Static<typeof Reason>

/** Whether a tool can be called with one account. */
const AccountExplanation = Type.Object({
  id: Type.String(),
  account: Type.String(),
  identity: Type.String(),
  status: AccountStatus,
  callable: Type.Boolean(),
  missing_scopes: Type.Optional(Type.Array(Type.String())),
})
type AccountExplanation = Static<typeof AccountExplanation>

/** Why the caller can or cannot call a tool. */
const Explanation = Type.Object({
  name: Type.String(),
  callable: Type.Boolean(),
  reason: Type.Optional(Reason),
  explanation: Type.String(),
  class: Type.Optional(ToolClass),
  accounts: Type.Optional(Type.Array(AccountExplanation)),
})
type Explanation = Static<typeof Explanation>

/** `manage__explain_tool`: why the caller can or cannot call a tool. */
export function explainTool(lookups: ToolLookups): AnyTool {
  return defineTool({
    name: 'manage__explain_tool',
    title: 'Explain a tool',
    description:
      'Explain whether you can call a tool, and if not, why: it is switched off or denied by a policy, has no connected account, needs ' +
      'reauthorization or a scope, exceeds the available funds, or requires another credential or role. Also says ' +
      'which of your accounts work with it, and whether a tool of a registered MCP server (org__<slug>__<tool>) is ' +
      'hidden, not authorized yet, or rejected. Use this when a tool is missing from the list or fails with ' +
      'needs_reauth or scope_missing.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 128, description: 'The tool’s name, <capability>__<operation>.' }),
        account: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 80,
            description: 'The alias of an account, to check only this account.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Explanation,

    async run(question, context) {
      const explanation = { name: question.name, ...(await explain(lookups, question, context)) }
      return structured(explanation, explanation.explanation)
    },
  })
}

/** The lookups of an explanation. They return only what the caller may know. */
interface ToolLookups extends VisibleAccounts {
  /**
   * The tool of a name, even if the caller cannot see it, or why it is unavailable. Finds remote tools only of the caller's
   * organization.
   */
  toolNamed(name: string, caller: Caller): NamedTool | Promise<NamedTool>
  /** The capabilities and tools that are switched off for a member or for their organization. */
  switchedOff(orgId: string, userId: string): Promise<readonly SwitchedOff[]>
  /** The policies that apply to a caller. */
  layersOf(caller: Caller, identity: Identity): Promise<readonly Layer[]>
  /** The billing standing of an organization and a key. `keyId` is null for a signed-in user. */
  standingOf(payer: { orgId: string; keyId: string | null }): Promise<PayerStanding>
  /** Whether MCP clients can sign in with the browser. */
  browserSignIn: boolean
  /** What an operator could configure. */
  notConfigured: readonly NotConfigured[]
  /** The connector of a capability. */
  connectorOf(capability: string): ExplainedConnector | undefined
  commands: OperatorCommands
}

interface ExplainedConnector extends Pick<ConnectorDefinition, 'id' | 'name' | 'auth' | 'settings'> {
  readonly tools: readonly { readonly operation: string; readonly scopes?: readonly string[] }[]
}

/** A tool name, and the label of an account to ask only about that account. */
interface Question {
  name: string
  account?: string
}

/** Why a call would fail, or the accounts with which it works. */
type Finding = Omit<Explanation, 'name'>

/**
 * Explains why the caller can or cannot call a tool, by the rules of a call. It reads no credential, so a request that acts as
 * the authorizing user (Slack) may still fail because that user's token is missing.
 */
async function explain(
  lookups: ToolLookups,
  { name, account: label }: Question,
  { caller, identity }: Pick<ToolContext, 'caller' | 'identity'>,
): Promise<Finding> {
  const tool = await lookups.toolNamed(name, caller)
  if (tool === undefined) {
    const missing = lookups.notConfigured.find(({ tools }) => tools.includes(name))
    return missing === undefined
      ? refused('unknown_tool', `There is no tool ${name}. Use a name from tools/list.`)
      : refused('not_configured', notConfiguredSentence(name, missing))
  }
  if ('reason' in tool) return refused(tool.reason, tool.explanation)

  const switches = await lookups.switchedOff(caller.orgId, caller.userId)
  if (offBy(tool, new Set(switches.map(({ capability }) => capability))) !== undefined)
    return refused('disabled', switchedOffSentence(lookups, tool, switches, caller.orgId))
  const layers = await lookups.layersOf(caller, identity)
  const denial = denialOf(layers, subjectOf(tool))
  if (denial !== undefined) return refused('denied_by_policy', denialSentence(denial))
  const closed = gateRefusal(tool, { identity, caller }, lookups.browserSignIn)
  if (closed !== undefined) return refused(closed.code, closed.message)
  const unpaid = tool.price === undefined ? undefined : await moneyRefusal(lookups, { caller, identity })
  if (unpaid !== undefined && tool.price?.freeCalls !== true) return unpaid
  if (tool.unavailable !== undefined) return refused(tool.unavailable.reason, tool.unavailable.explanation)
  if (!tool.needsAccount) {
    const only = unpaid === undefined ? '' : ` Only its free calls run now: ${unpaid.explanation}`
    const kind = tool.class === undefined ? '' : ` An admin of your organization classified it as ${tool.class}.`
    return {
      callable: true,
      explanation: `You can call ${name}; ${tool.actsAs ?? 'it needs no account'}.${only}${kind}`,
      ...(tool.class !== undefined && { class: tool.class }),
    }
  }
  return byAccounts(lookups, { name, capability: tool.capability, label, caller, layers })
}

function notConfiguredSentence(name: string, { what, variables }: NotConfigured): string {
  return `${name} is not listed, because no provider is configured: ${what}. Ask the operator to set ${variables}.`
}

/** Why a call with any price would fail; undefined if it would not. */
async function moneyRefusal(
  { standingOf, commands }: ToolLookups,
  { caller, identity }: Pick<ToolContext, 'caller' | 'identity'>,
): Promise<Finding | undefined> {
  const payer = { orgId: caller.orgId, keyId: keyIdOf(identity) }
  const code = standingRefusal(await standingOf(payer))
  return code && refused(code, billableRefusal(code, { payer, commands }).message)
}

/** Names everything that is switched off: the tool or its capability, for the member or the organization. */
function switchedOffSentence(
  { commands }: Pick<ToolLookups, 'commands'>,
  tool: ExplainedTool,
  switches: readonly SwitchedOff[],
  orgId: string,
): string {
  const names = [tool.entry.name, tool.capability]
  const off = switches.filter(({ capability }) => names.includes(capability))
  const statements = off.map(
    ({ capability, userId }) => `${capability} is switched off for ${userId === null ? 'your organization' : 'you'}`,
  )
  return `${statements.join(', and ')}. ${commands.advise.enable(off, orgId)}`
}

/** A question about the accounts of a tool. */
interface AccountQuestion {
  name: string
  capability: string
  label: string | undefined
  caller: Caller
  layers: readonly Layer[]
}

async function byAccounts(
  lookups: ToolLookups,
  { name, capability, label, caller, layers }: AccountQuestion,
): Promise<Finding> {
  const connector = lookups.connectorOf(capability)
  const visible = (await lookups.visibleTo(caller)).filter(account => account.connector === capability)
  const brand = connector?.name ?? capability
  if (visible.length === 0) {
    const how = connector === undefined ? '' : ` ${lookups.commands.advise.connect({ caller }, connector)}`
    return refused('no_account', `You have no connected account of ${brand}.${how}`)
  }
  // Under the labels that they have anyway.
  const named = new Map([...labelAccounts(visible)].filter(([, { id }]) => allowsAccount(layers, id)))
  if (named.size === 0) return refused('denied_by_policy', accountsSentence(layers, brand))
  const meant = label === undefined ? undefined : findByLabel(named, label)
  if (label !== undefined && meant === undefined)
    return refused(
      'account_not_found',
      `You have no account of ${brand} named ${label}. Your accounts: ${[...named.keys()].join(', ')}.`,
    )

  const asked = [...named].filter(([, account]) => meant === undefined || account === meant)
  const needed = connector?.tools.find(({ operation }) => name === `${capability}__${operation}`)?.scopes
  const classified = asked.map(([alias, account]) => classify(lookups.commands, alias, account, needed))
  const accounts = classified.map(({ entry }) => entry)
  const able = accounts.filter(({ callable }) => callable).map(({ account }) => account)
  if (able.length === 0) {
    const why = classified.flatMap(({ problem }) => problem ?? [])
    const reason = why.every(problem => problem.reason === 'scope_missing') ? 'scope_missing' : 'needs_reauth'
    return { ...refused(reason, why.map(({ text }) => text).join('; ')), accounts }
  }
  const choice = label === undefined && named.size > 1 ? ` Choose one with the argument "account".` : ''
  return { callable: true, explanation: `You can call ${name} with ${able.join(', ')}.${choice}`, accounts }
}

function classify(commands: OperatorCommands, alias: string, account: Account, needed: readonly string[] | undefined) {
  const { id, identity, status } = account
  const missing = missingScopes(account, needed)
  const again = commands.advise.reauthorize(account)
  const problem =
    status === 'needs_reauth'
      ? { reason: 'needs_reauth' as const, text: `${alias} must be reauthorized. ${again}` }
      : missing.length > 0
        ? {
            reason: 'scope_missing' as const,
            text: `${alias} was not granted ${missing.join(', ')}. Reauthorize it with that scope. ${again}`,
          }
        : undefined
  const entry: AccountExplanation = {
    id,
    account: alias,
    identity,
    status,
    callable: problem === undefined,
    ...(missing.length > 0 && { missing_scopes: missing }),
  }
  return { entry, problem }
}

function refused(reason: Reason, explanation: string): Finding {
  return { callable: false, reason, explanation }
}
