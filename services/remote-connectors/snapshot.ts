import { UI_EXTENSION } from '../mcp/protocol.ts'

/** A tool in a snapshot. Its wire name is `org__<slug>__` and `name`. */
export interface PinnedTool {
  /** Safe and unique in the snapshot. At most 64 characters long together with its prefix. */
  readonly name: string
  /** The upstream's exact name of the tool, which calls use. */
  readonly originalName: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: PinnedSchema
  readonly outputSchema?: PinnedSchema
  /** The upstream's own claims, which are never trusted. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Not part of the hash. */
  readonly meta?: PinnedMeta
  /** What is published in another form than the upstream sent it, as sentences. */
  readonly corrections?: readonly string[]
  /** The hash of what the upstream sent, before sanitizing: 64 lowercase hexadecimal digits. */
  readonly hash: string
}

/** A JSON Schema within the limits of a snapshot. */
export type PinnedSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>

/** A tool that is not published, with its sanitized name and the reason. */
export interface RejectedTool {
  readonly originalName: string
  readonly reason: string
}

/** The tools of an upstream that are not published. */
export interface RejectedTools {
  /** The first hundred, by name. */
  readonly tools: readonly RejectedTool[]
  /** The number of all rejected tools. */
  readonly count: number
}

/** The tools that an upstream offered at one time. */
export interface Snapshot {
  readonly v: 1
  /** The published tools, sorted by name. */
  readonly tools: readonly PinnedTool[]
  readonly rejected: RejectedTools
  /** The hash of the published tools, sorted by original name: 64 lowercase hexadecimal digits. */
  readonly hash: string
}

/** A snapshot in the database. */
export interface StoredSnapshot extends Snapshot {
  readonly id: string
  readonly fetchedAt: Date
  /** What the upstream offered besides tools. */
  readonly offers: Offers
}

/** What this gateway declares to every upstream for every caller. It passes interfaces on to clients that show them. */
export const DECLARED_CAPABILITIES = {
  extensions: { [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } },
} as const

/** What it does not declare when it lists: some servers list tools only for clients that declare these. */
export const UNDECLARED_CAPABILITIES = ['elicitation', 'roots', 'sampling'] as const

/** The `_meta` of a listed item, bounded and sanitized. */
export type PinnedMeta = Readonly<Record<string, unknown>>

/** The upstream's own claims for clients: who a resource is for, how important it is, when it changed. */
type ResourceAnnotations = Readonly<Record<string, unknown>>

interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly meta?: PinnedMeta
  /** The hash of what the upstream sent, before sanitizing: 64 lowercase hexadecimal digits. */
  readonly hash: string
}

interface ResourceFields extends Described {
  readonly mimeType?: string
  readonly annotations?: ResourceAnnotations
}

/** A resource in a snapshot. Its URI at the gateway is `toGatewayUri` of its own. */
export interface PinnedResource extends ResourceFields {
  /** The upstream's exact URI. */
  readonly uri: string
  /** In bytes. */
  readonly size?: number
}

/** A resource template in a snapshot. */
export interface PinnedTemplate extends ResourceFields {
  /** The upstream's exact template (RFC 6570). */
  readonly uriTemplate: string
}

/** A prompt in a snapshot. Its wire name is `org__<slug>__` and `name`. */
export interface PinnedPrompt extends Described {
  /** The upstream's exact name. */
  readonly originalName: string
  readonly arguments: readonly PromptArgument[]
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A resource, template, prompt or list that is not published, with its sanitized name and the reason. */
export interface RejectedOffer {
  readonly originalName: string
  readonly reason: string
}

/** What an upstream offered besides tools when its snapshot was taken. */
export interface Offers {
  readonly v: 1
  /** The capabilities that the gateway declared: a server may list other tools to other clients. */
  readonly declared: Readonly<Record<string, unknown>>
  /** Whether the server announced resources and prompts; the lists may be empty. */
  readonly announced: { readonly resources: boolean; readonly prompts: boolean }
  /** The server's own instructions, sanitized. Never given to models. */
  readonly instructions?: string
  /** Sorted by URI. */
  readonly resources: readonly PinnedResource[]
  /** Sorted by template. */
  readonly templates: readonly PinnedTemplate[]
  /** Sorted by wire name. */
  readonly prompts: readonly PinnedPrompt[]
  /** The first hundred. */
  readonly rejected: readonly RejectedOffer[]
  /** The hash of the published resources, templates and prompts. */
  readonly hash: string
}

/**
 * The claims of an offer that its hash does not cover; undefined if it has none. Without the time of its last change, which
 * changes with every edit of a resource and which no one approves.
 */
export function claimsOf({ meta, annotations }: { meta?: PinnedMeta; annotations?: ResourceAnnotations }) {
  const { lastModified: _, ...claims } = annotations ?? {}
  if (meta === undefined && Object.keys(claims).length === 0) return undefined
  return { ...(Object.keys(claims).length > 0 && { annotations: claims }), ...(meta !== undefined && { meta }) }
}

/** The offers of a snapshot from before offers were pinned. */
export const NO_OFFERS: Offers = {
  v: 1,
  declared: {},
  announced: { resources: false, prompts: false },
  resources: [],
  templates: [],
  prompts: [],
  rejected: [],
  hash: '',
}
