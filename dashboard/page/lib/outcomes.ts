import type { Call } from './calls.ts'
import { useAccounts } from './connectors.ts'
import { capabilityOf } from './mcp.ts'
import { useSession } from './session.ts'
import { localPath } from './token.ts'

/** What fixes a failed call: the account, the balance, the key, or the connector. */
type Fix = 'account' | 'balance' | 'key' | 'connector'

interface Outcome {
  label: string
  meaning: string
  fix?: Fix
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ok: { label: 'OK', meaning: 'The call succeeded.' },
  error: { label: 'Tool error', meaning: 'The tool ran and returned an error.' },
  invalid_request: { label: 'Invalid arguments', meaning: 'The arguments do not match the schema. Correct the call.' },
  needs_reauth: {
    label: 'Needs reauthorization',
    fix: 'account',
    meaning:
      'The provider no longer accepts the account. Sign in there again. You do not have to change anything else.',
  },
  scope_missing: {
    label: 'Permission missing',
    fix: 'account',
    meaning: 'The account was not granted what this tool needs. Reauthorize it with that permission.',
  },
  account_required: {
    label: 'Account not named',
    meaning: 'Several accounts fit. The call has to name one in the argument account.',
  },
  account_not_found: {
    label: 'No such account',
    fix: 'connector',
    meaning: 'The call named an account that does not exist for its caller.',
  },
  insufficient_balance: {
    label: 'Balance too low',
    fix: 'balance',
    meaning: 'The balance did not cover the estimated price. Nothing was charged.',
  },
  payment_required: {
    label: 'Billing hold',
    fix: 'balance',
    meaning: 'The balance is below its threshold, so paid tools do not run. Nothing was charged.',
  },
  billing_authorization_failed: {
    label: 'Hold not recorded',
    meaning: 'The price could not be held, so nothing ran and nothing was charged. Try again.',
  },
  key_spend_limit_exceeded: {
    label: 'Key cap reached',
    fix: 'key',
    meaning: 'The key reached its monthly cap. Raise the cap, or wait until the next month (UTC).',
  },
  org_suspended: {
    label: 'Organization suspended',
    meaning: 'Paid tools do not run. Ask the operator of this gateway.',
  },
  upstream_rejected: {
    label: 'Rejected by provider',
    meaning: 'The provider did not accept the call. The provider’s message says what to correct.',
  },
  upstream_rate_limited: {
    label: 'Limited by provider',
    meaning: 'The provider limits how often the account may call. Wait a moment, then try again.',
  },
  upstream_unavailable: {
    label: 'Provider unavailable',
    meaning: 'The provider did not answer, or its answer was unreadable. Try again later.',
  },
  timeout: {
    label: 'Timed out',
    meaning: 'There was no answer in time. If the tool changes something, check before you repeat the call.',
  },
  input_required: { label: 'Input needed', meaning: 'The tool asked for input, but the client cannot provide it.' },
  idempotency_conflict: {
    label: 'Idempotency conflict',
    meaning: 'The idempotency key was used before for another call. Use a new key for a new call.',
  },
  quota_exceeded: { label: 'Store full', meaning: 'The store for memories or files is full. Delete some of them.' },
  not_found: {
    label: 'Not found',
    meaning: 'The arguments name something that does not exist, or that the caller cannot see.',
  },
  jwt_session_required: {
    label: 'Sign-in needed',
    meaning: 'This tool is only for signed-in users, but the client sent an API key.',
  },
  admin_required: {
    label: 'Admins only',
    meaning: 'Only an owner or an admin of the organization may call this tool.',
  },
  overloaded: { label: 'Gateway busy', meaning: 'The gateway was overloaded. Try again in a few seconds.' },
  internal_error: {
    label: 'Gateway fault',
    meaning: 'The gateway failed. Try again. If the call fails again, report it.',
  },
}

/** Names an outcome and says what it means. An unknown code names itself. */
export function outcomeOf(code: string): Outcome {
  const known = OUTCOMES[code]
  if (known !== undefined) return known
  const words = code.replaceAll('_', ' ')
  return { label: words.slice(0, 1).toUpperCase() + words.slice(1), meaning: '' }
}

/** A page that fixes a failed call. */
interface Remedy {
  href: string
  label: string
}

/** Finds the page that fixes a failed call; undefined if no page does, or this user may not open it. */
export function useRemedy(): (call: Pick<Call, 'outcome' | 'account_id' | 'tool'>) => Remedy | undefined {
  const { may } = useSession()
  const { accounts } = useAccounts()
  return ({ outcome, account_id, tool }) => {
    const account = accounts?.find(({ id }) => id === account_id)
    switch (outcomeOf(outcome).fix) {
      case 'account':
        return account?.can_remove
          ? {
              href: withAgain(`/accounts/${account.id}/reauthorize`, tool, account.alias),
              label: 'Reauthorize the account',
            }
          : { href: connectorPath(tool), label: 'Open the connector' }
      case 'balance':
        return may.manage_money ? { href: '/billing', label: 'Top up' } : undefined
      case 'key':
        return { href: '/keys', label: 'Raise the cap' }
      case 'connector':
        return { href: connectorPath(tool), label: 'Open the connector' }
      default:
        return undefined
    }
  }
}

/** The pages that messages lead to, and what is done there. */
const PAGES: readonly (readonly [path: RegExp, label: string])[] = [
  [/^\/accounts\/[^/]+\/reauthorize/, 'Reauthorize the account'],
  [/^\/connect\/[^/]+/, 'Connect an account'],
  [/^\/connectors\/org\/[^/]+/, 'Open the server'],
  [/^\/connectors/, 'Open the connector'],
  [/^\/billing/, 'Top up'],
  [/^\/keys/, 'Open the keys'],
  [/^\/tools/, 'Open the tools'],
]

/** The first page of the dashboard that a text links to, as a button; undefined if it links to none. */
export function remedyIn(text: string): Remedy | undefined {
  for (const [url] of text.matchAll(/https?:\/\/[^\s"'<>()“”]*[^\s"'<>()“”.,;:!?]/g)) {
    const href = localPath(url)
    const page = href === undefined ? undefined : PAGES.find(([path]) => path.test(href))
    if (href !== undefined && page !== undefined) return { href, label: page[1] }
  }
  return undefined
}

/** The path with the tool to run again, once the page has fixed what it is for. */
function withAgain(path: string, tool: string, account: string): string {
  return `${path}?${new URLSearchParams({ again: tool, account })}`
}

/** The page where a tool is called again with an account. */
export function toolPath(tool: string, account?: string): string {
  return `/tools/${encodeURIComponent(tool)}${account === undefined ? '' : `?account=${encodeURIComponent(account)}`}`
}

/** The page of a tool's connector. */
export function connectorPath(tool: string): string {
  const capability = encodeURIComponent(capabilityOf(tool))
  return `/connectors/${capability.replace(/^org__/, 'org/')}`
}
