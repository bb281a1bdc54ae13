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

/** What to do about a failed call: in words, and the page for it. */
interface Remedy {
  text: string
  href?: string
  label?: string
}

const BILLING = { href: '/billing', label: 'Top up' }
const KEYS = { href: '/keys', label: 'Raise the cap' }

const REMEDIES: Readonly<Record<string, Remedy>> = {
  needs_reauth: { text: 'The account no longer works.' },
  scope_missing: { text: 'The account lacks a permission.' },
  account_required: { text: 'Several accounts fit. Name one in the argument account.' },
  insufficient_balance: { text: 'The balance does not cover the call.', ...BILLING },
  payment_required: { text: 'The balance is too low.', ...BILLING },
  key_spend_limit_exceeded: { text: 'The key has reached its monthly cap.', ...KEYS },
  org_suspended: { text: 'The organization is suspended. Ask the operator of this gateway.' },
  upstream_rejected: { text: 'The provider rejected the arguments.' },
  upstream_unavailable: { text: 'The provider did not answer. Try again later.' },
  upstream_rate_limited: { text: 'The provider limits how often it is called. Wait, then try again.' },
  timeout: { text: 'The call took too long. Try again, or ask for less.' },
  input_required: { text: 'The tool asked for more input.' },
}

/** What to do about a failed call; undefined if nothing is known. The account is the one that it used. */
export function remedyOf(code: string, accountId: string | null): Remedy | undefined {
  const remedy = REMEDIES[code]
  if (remedy === undefined || accountId === null || !['needs_reauth', 'scope_missing'].includes(code)) return remedy
  return { ...remedy, href: `/accounts/${accountId}/reauthorize`, label: 'Reauthorize' }
}
