import type { Billing } from '../billing/create-billing.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import { createIdempotency } from '../idempotency/idempotency.ts'
import type { ResultLimits } from '../idempotency/result-quota.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { createClientNames } from '../mcp/client-names.ts'
import { createListCache } from '../mcp/list-bytes.ts'
import { createToolList, type ServerInfo } from '../mcp/tool-list.ts'
import { type CheckPolicy, checkPolicy } from '../policies/check-policy.ts'
import { policyHolder } from '../policies/policies.ts'
import { type Denial, denialOf, type Layer, subjectOf } from '../policies/policy.ts'
import type { KnownNames } from '../policies/request-narrowing.ts'
import { type CallToolOptions, createCallTool } from './call.ts'
import { createOffers } from './caller-resources-and-prompts.ts'
import { type Capabilities, createCapabilities } from './capabilities.ts'
import { createOfferSurfaces, type RemoteOffers } from './organization-resources-and-prompts.ts'
import { createOrganizationTools, type UpstreamTools } from './organization-tools.ts'
import { createRegistry, type NamedTool } from './registry.ts'
import { createSurfaces, type SurfacesOptions } from './surfaces.ts'
import { type Quote, quote } from './tool-call.ts'

/** What a tool can look up about the tools of an organization, itself included. */
export interface ToolLookups {
  /** The tool of a name, whether the caller sees it or not, or why it cannot be called. */
  toolNamed(name: string, caller: Caller): NamedTool | Promise<NamedTool>
  switchedOff: Capabilities['switchedOff']
  /** The policies that apply to a caller. */
  layersOf(caller: Caller, identity: Identity): Promise<readonly Layer[]>
  standingOf: Billing['standings']['of']
  checkPolicy: CheckPolicy
  /** Whether MCP clients can sign in with the browser. */
  browserSignIn: boolean
}

interface ToolCallServicesOptions
  extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'audit'>,
    Pick<SurfacesOptions, 'versions' | 'policies' | 'accountsOf'> {
  resultLimits: ResultLimits
  serverInfo: ServerInfo
  browserSignIn: boolean
  /** Creates the tools of every organization. They can call the lookups from their first run on. */
  tools(lookups: ToolLookups): readonly AnyTool[]
  /** The tools of the upstreams that organizations registered. */
  remoteTools: UpstreamTools
  /** Their resources and prompts. */
  remoteOffers: RemoteOffers
  billing: Pick<Billing, 'metering' | 'standings'>
  /** Records how a call ended. */
  finished: CallToolOptions['finished']
}

/** Creates what lists the tools of a caller and calls them. */
export function createToolCallServices(options: ToolCallServicesOptions) {
  const {
    db,
    clock,
    log,
    audit,
    versions,
    policies,
    accountsOf,
    serverInfo,
    remoteTools,
    remoteOffers,
    billing,
    finished,
  } = options
  const { browserSignIn } = options
  const { metering, standings } = billing
  const layersOf = async (caller: Caller, identity: Identity) =>
    policies.layersOf(caller.orgId, await versions.current(caller.orgId), policyHolder(caller, identity))
  // Some tools look up tools, themselves included: the functions use what is created below.
  const lookups: ToolLookups = {
    toolNamed: (name, caller) => organizationTools.named(name, caller),
    switchedOff: (orgId, userId) => capabilities.switchedOff(orgId, userId),
    standingOf: standings.of,
    async checkPolicy(orgId, policy) {
      const tools = await toolsAt(orgId, await versions.current(orgId))
      return checkPolicy(policy, {
        tools: tools.map(({ tool }) => ({ ...subjectOf(tool), inputSchema: tool.entry.inputSchema })),
        isCapability: name => isCapability(name, orgId),
      })
    },
    browserSignIn,
    layersOf,
  }
  const registry = createRegistry(options.tools(lookups))
  const organizationTools = createOrganizationTools({ registry, remoteTools })
  const { at: toolsAt, isCapability, similarTo } = organizationTools
  const capabilities = createCapabilities({ db, clock, audit, isCapability, similarTo })
  const { disabledFor } = capabilities
  const lists = createListCache()
  const idempotency = createIdempotency({ db, clock, log, limits: options.resultLimits })

  return {
    capabilities,
    toolNamed: lookups.toolNamed,
    /** The names with which a request of a caller can exclude tools. */
    async namesFor(caller: Caller | null): Promise<KnownNames> {
      const all = caller === null ? registry.tools : await toolsAt(caller.orgId, await versions.current(caller.orgId))
      const [tools, toolsets] = [new Set<string>(), new Set<string>()]
      for (const { tool } of all) {
        tools.add(tool.entry.name)
        toolsets.add(tool.capability)
      }
      return { isTool: name => tools.has(name), isToolset: name => toolsets.has(name) }
    },
    /**
     * Why a program may not change something over HTTP: its policies deny the tool that does the same. Without such a tool, any
     * policy denies it.
     */
    async denialOfRoute(tool: string | undefined, caller: Caller, identity: Identity): Promise<Denial | undefined> {
      const layers = await layersOf(caller, identity)
      const [outermost] = layers
      if (outermost === undefined) return undefined
      const same = tool === undefined ? undefined : registry.find(tool)
      if (same === undefined) return { layer: outermost.layer, mode: outermost.mode }
      return denialOf(layers, subjectOf(same))
    },
    checkPolicy: lookups.checkPolicy,
    surfaces: createSurfaces({
      registry,
      versions,
      policies,
      toolsAt,
      disabledFor,
      accountsOf,
      createList: (entries, content) => createToolList(entries, { serverInfo, lists, content }),
    }),
    callTool: createCallTool({
      once: idempotency.once,
      metering,
      browserSignIn,
      isTool: (name, { orgId }) => organizationTools.isTool(name, orgId),
      finished,
      failed: (error, tool) => log.error({ err: error, tool }, 'a tool failed unexpectedly'),
    }),
    offers: createOffers({
      surfaces: createOfferSurfaces({ remoteOffers, versions, policies, disabledFor, accountsOf }),
      finished,
      failed: (error, name) => log.error({ err: error, tool: name }, 'a resource or prompt failed unexpectedly'),
    }),
    /** What a call of a tool will cost with these arguments. */
    quote: (name: string, args: unknown): Quote => quote(registry.find(name), args),
    clientNames: createClientNames(),
    /** Runs a call once per idempotency key. */
    once: idempotency.once,
    /** Waits for the results that are being stored. */
    close: idempotency.close,
  }
}
