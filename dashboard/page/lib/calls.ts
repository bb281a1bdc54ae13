/** A call in the log of the gateway. */
export interface Call {
  id: string
  at: string
  user_id: string
  api_key_id: string | null
  agent_id: string | null
  tool: string
  account_id: string | null
  outcome: string
  duration_ms: number
  cost_micros: number
}

/** The URL of the log of calls. */
export const CALLS_URL = '/api/usage'
