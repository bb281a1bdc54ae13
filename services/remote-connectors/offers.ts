import type { PinnedMeta } from './snapshot.ts'

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
