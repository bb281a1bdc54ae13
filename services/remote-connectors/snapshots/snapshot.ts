/** A tool as a snapshot pins it; the wire name stands without its `org__<slug>__`. */
export interface PinnedTool {
  /** Safe and unique in the snapshot; with the capability before it at most 64 characters. */
  readonly name: string
  /** What the upstream calls it, to the letter: what calls are sent under. */
  readonly originalName: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: PinnedSchema
  readonly outputSchema?: PinnedSchema
  /** As the upstream says; never trusted. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Of what the upstream sent, before anything was cleaned: 64 lower-case hexadecimal digits. */
  readonly hash: string
}

/** A JSON Schema within the limits of a pinned one. */
export type PinnedSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>

/** A tool that is not published, by the name it came under, cleaned; and why. */
export interface RejectedTool {
  readonly originalName: string
  readonly reason: string
}

/** What of an upstream's tools is not published. */
export interface RejectedTools {
  /** The first hundred, by name. */
  readonly tools: readonly RejectedTool[]
  /** All of them. */
  readonly count: number
}

/** What an upstream offered at a time, and what of it is published. */
export interface Snapshot {
  readonly v: 1
  /** Sorted by name. */
  readonly tools: readonly PinnedTool[]
  readonly rejected: RejectedTools
  /** Of the published tools, sorted by original name: 64 lower-case hexadecimal digits. */
  readonly hash: string
}

/** A snapshot as it is stored. */
export interface StoredSnapshot extends Snapshot {
  readonly id: string
  readonly fetchedAt: Date
}
