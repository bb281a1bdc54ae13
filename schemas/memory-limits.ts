/** A number of memories and of the bytes that they take up. */
export interface MemoryAmount {
  readonly memories: number
  /** As stored: texts and search words after compression. */
  readonly bytes: number
}

/** The most that may be remembered. */
export interface MemoryLimits {
  readonly organization: MemoryAmount
  readonly member: MemoryAmount
}
