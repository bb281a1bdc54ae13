import { type Account, missingScopes } from '../../services/accounts/account.ts'
import { findByLabel, labelAccounts } from '../../services/accounts/aliases.ts'
import { billableRefusal, type PayerStanding, standingRefusal } from '../../services/billing/standings.ts'
import { connectCommand, enableCommand, reauthorizeCommand } from '../../services/credentials/operator-advice.ts'
import type { ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import type { ToolContext } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import type { SwitchedOff } from '../../services/tool-calls/capabilities.ts'
import { gateRefusal, offBy } from '../../services/tool-calls/refusals.ts'
import type { ExplainedTool, NamedTool } from '../../services/tool-calls/registry.ts'
import type { VisibleAccounts } from './accounts.ts'
import type { AccountExplanation, Explanation, Reason } from './explanation.ts'

/** What an explanation needs of the registry, the settings and the accounts; all of it about the caller alone. */
export interface ToolLookups extends VisibleAccounts {
  /**
   * A tool that is served here, whether the caller sees it or not, or why there is none of a name that is known all the
   * same; of remote ones only his organization's.
   */
  toolNamed(name: string, caller: Caller): NamedTool | Promise<NamedTool>
  /** What is switched off for a member: capabilities and tools, for him alone or for his organization. */
  switchedOff(orgId: string, userId: string): Promise<readonly SwitchedOff[]>
  /** Where an organization and a calling key stand; `keyId` is null for a signed-in user. */
  standingOf(payer: { orgId: string; keyId: string | null }): Promise<PayerStanding>
  /** The connector that a capability names. */
  connectorOf(capability: string): ExplainedConnector | undefined
}

interface ExplainedConnector extends Pick<ConnectorDefinition, 'id' | 'name' | 'auth' | 'settings'> {
  readonly tools: readonly { readonly operation: string; readonly scopes?: readonly string[] }[]
}

/** A tool, and an account by its label where only that one is asked about. */
interface Question {
  name: string
  account?: string
}

/** Why a call would be refused, or by which accounts it can be made. */
type Finding = Omit<Explanation, 'name'>

/**
 * Why a tool can or cannot be called by who asks, by the rules that a call is classified by. It sees no credential: a request
 * that acts as the authorizing user (Slack) may still be refused for want of that user's token.
 */
export async function explain(
  lookups: ToolLookups,
  { name, account: label }: Question,
  { caller, identity }: Pick<ToolContext, 'caller' | 'identity'>,
): Promise<Finding> {
  const tool = await lookups.toolNamed(name, caller)
  if (tool === undefined)
    return refused('unknown_tool', `No tool is named ${name}. tools/list has the names of those you can call.`)
  if ('reason' in tool) return refused(tool.reason, tool.explanation)

  const switches = await lookups.switchedOff(caller.orgId, caller.userId)
  if (offBy(tool, new Set(switches.map(({ capability }) => capability))) !== undefined)
    return refused('disabled', switchedOffSentence(tool, switches, caller.orgId))
  const closed = gateRefusal(tool, { identity, caller })
  if (closed !== undefined) return refused(closed.code, closed.message)
  const unpaid = tool.price === undefined ? undefined : await moneyRefusal(lookups, { caller, identity })
  if (unpaid !== undefined) return unpaid
  if (tool.unavailable !== undefined) return refused(tool.unavailable.reason, tool.unavailable.explanation)
  if (!tool.needsAccount)
    return { callable: true, explanation: `You can call ${name}; ${tool.actsAs ?? 'it needs no account'}.` }
  return byAccounts(lookups, { name, capability: tool.capability, label, caller })
}

/** What stands against a call that costs money, whatever it costs; undefined when nothing does. */
async function moneyRefusal(
  { standingOf }: ToolLookups,
  { caller, identity }: Pick<ToolContext, 'caller' | 'identity'>,
): Promise<Finding | undefined> {
  const keyId = identity.via === 'api-key' ? identity.keyId : null
  const code = standingRefusal(await standingOf({ orgId: caller.orgId, keyId }))
  return code && refused(code, billableRefusal(code).message)
}

/** All that stands in a tool's way is said at once: its own name and its capability's, for the member and for all. */
function switchedOffSentence(tool: ExplainedTool, switches: readonly SwitchedOff[], orgId: string): string {
  const names = [tool.entry.name, tool.capability]
  const off = switches.filter(({ capability }) => names.includes(capability))
  const statements = off.map(
    ({ capability, userId }) => `${capability} is switched off for ${userId === null ? 'your organization' : 'you'}`,
  )
  const commands = off.map(({ capability, userId }) => enableCommand(capability, { orgId, userId }))
  return `${statements.join(', and ')}. The operator switches it on: ${commands.join('; ')}`
}

async function byAccounts(
  lookups: ToolLookups,
  { name, capability, label, caller }: { name: string; capability: string; label: string | undefined; caller: Caller },
): Promise<Finding> {
  const connector = lookups.connectorOf(capability)
  const visible = (await lookups.visibleTo(caller)).filter(account => account.connector === capability)
  const brand = connector?.name ?? capability
  if (visible.length === 0) {
    const how = connector === undefined ? '' : ` The operator connects one: ${connectCommand({ caller }, connector)}`
    return refused('no_account', `No account of ${brand} is connected for you.${how}`)
  }
  const named = labelAccounts(visible)
  const meant = label === undefined ? undefined : findByLabel(named, label)
  if (label !== undefined && meant === undefined)
    return refused(
      'account_not_found',
      `You have no account of ${brand} named ${label}. There are: ${[...named.keys()].join(', ')}.`,
    )

  const asked = [...named].filter(([, account]) => meant === undefined || account === meant)
  const needed = connector?.tools.find(({ operation }) => name === `${capability}__${operation}`)?.scopes
  const classified = asked.map(([alias, account]) => classify(alias, account, needed))
  const accounts = classified.map(({ entry }) => entry)
  const able = accounts.filter(({ callable }) => callable).map(({ account }) => account)
  if (able.length === 0) {
    const why = classified.flatMap(({ problem }) => problem ?? [])
    const reason = why.every(problem => problem.reason === 'scope_missing') ? 'scope_missing' : 'needs_reauth'
    return { ...refused(reason, why.map(({ text }) => text).join('; ')), accounts }
  }
  const choice = label === undefined && named.size > 1 ? ` Say which one, as the argument "account".` : ''
  return { callable: true, explanation: `You can call ${name} with ${able.join(', ')}.${choice}`, accounts }
}

function classify(alias: string, account: Account, needed: readonly string[] | undefined) {
  const { id, identity, status } = account
  const missing = missingScopes(account, needed)
  const again = reauthorizeCommand(account)
  const problem =
    status === 'needs_reauth'
      ? { reason: 'needs_reauth' as const, text: `${alias} must be reauthorized; the operator does it: ${again}` }
      : missing.length > 0
        ? {
            reason: 'scope_missing' as const,
            text: `${alias} was not granted ${missing.join(', ')}. Reauthorize it with that scope: ${again}`,
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
