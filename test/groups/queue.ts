/** What a run of the tests gives to its groups. */
export interface Queue {
  /** The longest first. */
  readonly files: readonly QueuedFile[]
  /** How long a file may take to close what it opened. Only a file that leaves something behind takes all of it. */
  readonly patienceMs: number
}

interface QueuedFile {
  /** Relative to the project. */
  readonly path: string
  /** Why the file needs a process of its own; null if it does not. */
  readonly ownProcess: string | null
}

export const QUEUE_FILE = 'queue.json'
export const TIMES_FILE = 'times.json'
