/** A call in the log of the gateway. */
export interface Call {
  id: string
  at: string
  user_id: string
  api_key_id: string | null
  agent_id: string | null
  /** What the client calls itself, or its OAuth client ID; null for calls of this page. */
  client: string | null
  tool: string
  account_id: string | null
  outcome: string
  duration_ms: number
  cost_micros: number
  /** What a failed call said; null if the user may not read it. */
  message: string | null
}

/** The URL of the log of calls. */
export const CALLS_URL = '/api/usage'
