import { hash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { ToolClass } from '../../schemas/remotes/overrides.ts'
import type { AnyTool } from '../definitions/define-tool.ts'

/** A tool with the values that each build of a surface needs, computed once. */
export interface RegisteredTool {
  readonly tool: AnyTool
  /** The wire entry as JSON. For a connector's tool, with these accounts of the caller. */
  json(accounts: readonly string[]): string
  /**
   * Identifies equal tools, so that equal surfaces share one object: a digest of the wire entry without accounts, and of
   * everything else that a call depends on, apart from the caller.
   */
  readonly digest: string
  /** The size of the tool in a cache, in characters of JSON; nearly nothing for the tools of the registry. */
  readonly size: number
}

/** A tool with what is known about its availability. */
export interface ExplainedTool
  extends Pick<AnyTool, 'entry' | 'capability' | 'effect' | 'needsAccount' | 'gate' | 'price'> {
  /** Whose credential a call of a remote tool uses, as a clause. */
  readonly actsAs?: string
  /** What a call of a remote tool does, if an admin has set or confirmed it. */
  readonly class?: ToolClass
  /** Why its calls fail although it exists. */
  readonly unavailable?: UnavailableReason | undefined
}

/** Why a name has no callable tool, and who can do what about it. */
export interface UnavailableReason {
  readonly reason:
    | 'hidden'
    | 'authorization_pending'
    | 'no_snapshot'
    | 'surface_full'
    | 'set_aside'
    | 'unknown_tool'
    | 'needs_reauth'
  readonly explanation: string
}

/** What is known about a name; undefined if nothing is. */
export type NamedTool = ExplainedTool | UnavailableReason | undefined

/** The placeholder for a caller's accounts in the JSON of a connector's tool. */
const ACCOUNTS = '\u0001accounts'

/** The registry holds its tools anyway. A cache adds only a map entry and the JSON with a caller's accounts. */
const OWN_SIZE = 128

/** All built-in and connector tools, sorted by name, so that the prompt caches of clients stay valid. */
export interface Registry {
  readonly tools: readonly RegisteredTool[]
  /** The tool of this name, regardless of who sees it. */
  find(name: string): AnyTool | undefined
  /** Whether a family, connector or tool has this name. */
  isCapability(name: string): boolean
  /** Suggestions for an unknown name: the tools of its family, or else all families. */
  similarTo(name: string): readonly string[]
}

/** Creates the registry. Throws a TypeError if two tools have the same name. */
export function createRegistry(tools: readonly AnyTool[]): Registry {
  const sorted = tools.toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  for (const [i, tool] of sorted.entries())
    if (sorted[i + 1]?.entry.name === tool.entry.name) throw new TypeError(`Two tools are named ${tool.entry.name}`)
  const byName = new Map(sorted.map(tool => [tool.entry.name, tool]))
  const names = new Set(sorted.flatMap(tool => [tool.capability, tool.entry.name]))
  return {
    tools: sorted.map(tool => {
      const json = JSON.stringify(tool.needsAccount ? withAccounts(tool.entry) : tool.entry)
      const [head, tail] = json.split(JSON.stringify(ACCOUNTS), 2)
      return {
        tool,
        json: accounts =>
          tail === undefined ? json : head + accounts.map(alias => JSON.stringify(alias)).join() + tail,
        digest: hash('sha256', json, 'base64url'),
        size: OWN_SIZE,
      }
    }),
    find: name => byName.get(name),
    isCapability: name => names.has(name),
    similarTo(name) {
      const [family] = name.split('__', 1)
      const ofFamily = sorted.filter(tool => tool.capability === family).map(tool => tool.entry.name)
      return ofFamily.length > 0 ? ofFamily : [...new Set(sorted.map(tool => tool.capability))]
    },
  }
}

/** The entry with a placeholder for the caller's accounts. The surface checks them, so that no validator depends on the caller. */
function withAccounts(entry: Tool): Tool {
  const { properties = {} } = entry.inputSchema
  return {
    ...entry,
    inputSchema: {
      ...entry.inputSchema,
      properties: { ...properties, account: { ...properties.account, enum: [ACCOUNTS] } },
    },
  }
}
