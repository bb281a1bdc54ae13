import { hash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { LRUCache } from 'lru-cache'
import { BudgetExceeded } from '../../../lib/compute-budget.ts'
import { atMost } from '../../../lib/lru.ts'
import { createRestoreBudget, restoreNames } from '../../../lib/portable-schema/names.ts'
import type { PortableSchema } from '../../../lib/portable-schema/portable-schema.ts'
import { createYield } from '../../../lib/process/event-loop.ts'
import type { Vault } from '../../../lib/vault/vault.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { Account } from '../../accounts/account.ts'
import type { AnyTool } from '../../definitions/define-tool.ts'
import { type Caller, noActiveOrg } from '../../identity/caller.ts'
import { agentOf, type Identity } from '../../identity/identity.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { UpstreamTools } from '../../tool-calls/organization-tools.ts'
import type { RegisteredTool } from '../../tool-calls/registry.ts'
import { effectOfRemote, listingKey, type ServedTool, servedTools } from '../overrides.ts'
import { isAsMember, isPerMember } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import type { StoredSnapshot } from '../snapshot.ts'
import { type PinnedValidators, TOO_MUCH } from '../snapshots/pinned-validators.ts'
import { SURFACE_BOUND } from '../surface-bound.ts'
import { listedTool, remoteToolName } from '../to-tool-entry.ts'
import { isListed } from '../unavailable-reason.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { type CallRemoteTool, createCallRemoteTool } from './call-remote-tool.ts'
import { explainRemoteTool } from './explain-remote-tool.ts'
import { createRequestStates } from './input-required.ts'

interface RemoteToolsOptions extends Pick<Infrastructure, 'clock' | 'commands'> {
  remotes: Pick<RemoteConnectors, 'list'>
  remoteCaller: Pick<RemoteCaller, 'callTool'>
  validators: PinnedValidators
  vault: Pick<Vault, 'seal' | 'open'>
  log: Pick<Logger, 'warn'>
}

/** A pinned tool with its entry in `tools/list`, as an object and as JSON. */
interface PinnedEntry {
  readonly tool: ServedTool
  readonly entry: Tool
  readonly originals: PortableSchema['originals']
  readonly json: string
}

/** The maximum size of the cached entries, in characters of JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** How many organizations with a full list are remembered, so that the log names each of them once. */
const MAX_FULL = 10_000

export function createRemoteTools(options: RemoteToolsOptions): UpstreamTools {
  const { remotes, remoteCaller, validators, vault, clock, commands, log } = options
  const requestStates = createRequestStates({ vault, clock })
  const call = createCallRemoteTool({ remoteCaller, requestStates, validators, commands, log })
  const full = new LRUCache<string, true>(atMost(MAX_FULL))
  const written = new LRUCache<string, readonly PinnedEntry[]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (entries, key) => entries.reduce((sum, { json }) => sum + json.length, key.length),
  })

  /** The entries of the listed tools. */
  async function entriesOf(
    { registration, leftOut }: RemoteConnector,
    { id, tools }: StoredSnapshot,
  ): Promise<readonly PinnedEntry[]> {
    const { orgId, id: remoteId, slug } = registration
    const served = servedTools(registration, tools)
    const listed = leftOut === 0 ? served : served.slice(0, -leftOut)
    const key = JSON.stringify([orgId, remoteId, id, slug, listingKey(registration), listed.length])
    const known = written.get(key)
    if (known !== undefined) return known
    const entries: PinnedEntry[] = []
    const yieldIfDue = createYield()
    for (const tool of listed) {
      const { entry, originals } = listedTool(registration, tool)
      entries.push({ tool, entry, originals, json: JSON.stringify(entry) })
      await yieldIfDue()
    }
    written.set(key, entries)
    return entries
  }

  async function toolsOf(remote: RemoteConnector): Promise<RegisteredTool[]> {
    const { registration, account, snapshot } = remote
    if (snapshot === undefined || !isListed(remote)) return []
    // The digest covers everything that a call depends on, including the organization, because callers share tools of
    // the same digest.
    const revision = hash('sha256', JSON.stringify([registration, account, snapshot.id]), 'base64url')
    const entries = await entriesOf(remote, snapshot)
    return entries.map(({ tool, entry, originals, json }) => ({
      tool: remoteTool(remote, tool, { entry, originals, validators, call }),
      json: () => json,
      digest: `${revision} ${entry.name}`,
      size: json.length,
    }))
  }

  /** Logs a full list once per organization, until it has room again. */
  function warnIfFull(orgId: string, all: readonly RemoteConnector[]): void {
    const leftOut = all.reduce((sum, remote) => sum + remote.leftOut, 0)
    if (leftOut === 0) full.delete(orgId)
    else if (!full.has(orgId)) {
      full.set(orgId, true)
      log.warn({ org: orgId, leftOut }, `the tool list of an organization is full: ${SURFACE_BOUND}`)
    }
  }

  return {
    async of(orgId) {
      const all = await remotes.list(orgId)
      warnIfFull(orgId, all)
      const tools: RegisteredTool[] = []
      for (const remote of all) tools.push(...(await toolsOf(remote)))
      return tools
    },

    async names(orgId) {
      const all = await remotes.list(orgId)
      return new Map(
        all.map(({ registration, snapshot }) => [
          remoteCapability(registration.slug),
          (snapshot?.tools ?? []).map(tool => remoteToolName(registration, tool)),
        ]),
      )
    },

    async explain({ orgId, userId }, name) {
      return explainRemoteTool(await remotes.list(orgId, userId), name, commands)
    },
  }
}

/** Official clients time out after 60 s. */
const DEADLINE_MS = 50_000

/** A pinned tool as a tool of this gateway. The upstream's annotations affect no check. */
function remoteTool(
  remote: RemoteConnector,
  tool: ServedTool,
  {
    entry,
    originals,
    validators,
    call,
  }: Pick<PinnedEntry, 'entry' | 'originals'> & { validators: PinnedValidators; call: CallRemoteTool },
): AnyTool {
  const { registration } = remote
  const original = (args: unknown, budget = createRestoreBudget()) =>
    restoreNames(tool.pinned.inputSchema, args, originals, budget)

  return {
    entry,
    capability: remoteCapability(registration.slug),
    readOnly: false,
    effect: effectOfRemote(registration, remote.snapshot, tool.pinned),
    deadlineMs: DEADLINE_MS,
    ...(isPerMember(registration) ? { needsAccount: true, onlyAccount: true } : { needsAccount: false }),
    gate: undefined,
    organization: 'required',
    refuse(sent) {
      return withinBudget(TOO_MUCH, () => {
        const args = original(sent)
        return fixedFault(tool, args) ?? validators.refuse(tool.pinned, withFixed(tool, args))
      })
    },
    mend(sent) {
      return withinBudget(undefined, () => {
        // Mending restores names several times.
        const budget = createRestoreBudget()
        const restored = (args: unknown) => original(args, budget)
        const args = restored(sent)
        return fixedFault(tool, args) === undefined
          ? validators.mend(tool.pinned, withFixed(tool, args), restored)
          : undefined
      })
    },
    async run(args, { caller, client, identity, signal, account }) {
      if (caller === null) throw noActiveOrg()
      // A surface that was shared across organizations by mistake would use another organization's credential.
      if (caller.orgId !== registration.orgId)
        throw new TypeError(`${entry.name} of ${registration.orgId} was called from ${caller.orgId}`)
      return call({
        remote: asMember(remote, { caller, identity, account }, entry.name),
        tool: tool.pinned,
        args: withFixed(tool, original(args)) as Readonly<Record<string, unknown>>,
        context: { caller, client, signal },
      })
    },
  }
}

/** The result of a check, or `otherwise` if it would block other calls. */
function withinBudget<T>(otherwise: T, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof BudgetExceeded) return otherwise
    throw error
  }
}

/** The registration as a call of a member uses it: with their own account, or with an assertion that names them. */
export function asMember(
  remote: RemoteConnector,
  { caller, identity, account }: { caller: Caller; identity: Identity; account: Account | undefined },
  name: string,
): RemoteConnector {
  const { registration } = remote
  if (!isAsMember(registration)) return remote
  const agentId = agentOf(identity)?.id
  return {
    ...remote,
    userId: caller.userId,
    ...(agentId !== undefined && { agentId }),
    ...(isPerMember(registration) && { account: ownAccount(account, caller, name) }),
  }
}

/** The account of a call that acts as its member. A mistake elsewhere must not make it act as another one. */
function ownAccount(account: Account | undefined, { userId }: Caller, tool: string): Account {
  if (account === undefined || account.scope !== 'private' || account.userId !== userId)
    throw new TypeError(`${tool} was called without ${userId}'s own account`)
  return account
}

/** The arguments of a call with the fixed ones. Other values than objects are left to the check. */
function withFixed({ fixed }: ServedTool, args: unknown): unknown {
  if (fixed === undefined || args === null || (args !== undefined && typeof args !== 'object') || Array.isArray(args))
    return args
  return { ...args, ...fixed }
}

function fixedFault({ fixed }: ServedTool, args: unknown): string | undefined {
  if (fixed === undefined || typeof args !== 'object' || args === null) return undefined
  const sent = Object.keys(fixed).find(name => Object.hasOwn(args, name))
  return sent && `\`${sent}\` is set by an admin of your organization and cannot be sent. Omit it.`
}
