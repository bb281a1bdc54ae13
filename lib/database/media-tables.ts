import type { Generated } from 'kysely'
import type { OptionalTime } from './column-types.ts'

/** Generations of media. `request`, `operation` and `result` are JSON. */
export interface GenerationsTable {
  org_id: string
  /** `gen_…` */
  id: string
  user_id: string
  key_id: string | null
  agent_id: string | null
  /** Identifies the call and its repetitions; null without an idempotency key, and after a failure that may be repeated. */
  idempotency_digest: string | null
  /** The hold, which the job of the generation renews and settles. */
  hold_id: string
  model: string
  /** `created`: nothing was sent. `submitting`: the provider may have the request. `running`: the provider has it. */
  state: 'created' | 'submitting' | 'running' | 'done' | 'failed'
  /** What was asked for, with its price; null after the end. */
  request: string | null
  /** The provider's name of the running work. */
  operation: string | null
  /** The files, or the error. */
  result: string | null
  estimate_micros: number
  cost_micros: number | null
  /** Until when a process works on it. */
  lease_until: OptionalTime
  cancel_requested: Generated<boolean>
  created_at: Generated<Date>
  finished_at: OptionalTime
}
