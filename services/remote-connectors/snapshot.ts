import type { Offers } from './offers.ts'

/** The `_meta` of a listed item, bounded and sanitized. */
export type PinnedMeta = Readonly<Record<string, unknown>>

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
