import { at, id } from './answers.ts'
import type { Answers } from './page-fixture.ts'

const change = (n: number, action: string, target: string, rest: object = {}) => ({
  id: id('aud', n),
  at: at(-n * 3),
  user_id: id('usr', (n % 3) + 1),
  action,
  target,
  detail: {},
  ...rest,
})

const changes = [
  change(1, 'key.cap', id('key', 2), { detail: { monthlyCapMicros: 25_000_000, previous: null } }),
  change(2, 'account.add', id('acc', 1), { detail: { connector: 'github', alias: 'ada', scope: 'private' } }),
  change(3, 'capability.disable', 'github__delete_file', { detail: { for: 'organization' } }),
  change(4, 'member.role', id('usr', 3), { detail: { role: 'admin' } }),
  change(5, 'remote.snapshot', 'wiki', { detail: { tools: 4, added: ['search', 'a_tool_with_a_rather_long_name'] } }),
  change(6, 'wallet.credit', id('txn', 6), { user_id: null, detail: { amountMicros: 5_000_000 } }),
  change(7, 'something.new', id('new', 7)),
]

const outcomes = ['ok', 'ok', 'ok', 'needs_reauth', 'ok', 'upstream_rejected', 'ok', 'insufficient_balance']

/** A full page of calls, with long names. */
export const manyCalls = {
  calls: Array.from({ length: 200 }, (_, n) => ({
    id: id('use', n + 100),
    at: at(-n / 5),
    user_id: id('usr', (n % 3) + 1),
    api_key_id: id('key', (n % 4) + 1),
    agent_id: n % 5 === 0 ? id('agt', 1) : null,
    client: ['claude-code', 'A client with a long name that it chose itself', null][n % 3] ?? null,
    tool: n % 7 === 0 ? 'org__documentation-search__list_the_pages_of_a_space_by_label' : 'github__search_issues',
    account_id: n % 4 === 0 ? null : id('acc', (n % 4) + 1),
    outcome: outcomes[n % outcomes.length],
    duration_ms: (n * n * 37) % 48_000,
    cost_micros: n % 6 === 0 ? (n + 1) * 1_250 : 0,
    message: null,
    mended: n % 7 === 0,
  })),
  next_cursor: 'more',
}

/** What the gateway explains about a tool. */
export const explained = {
  content: [{ type: 'text', text: 'work must be reauthorized.' }],
  structuredContent: {
    name: 'github__delete_file',
    callable: false,
    reason: 'needs_reauth',
    explanation: 'work must be reauthorized. Open http://127.0.0.1:3001/accounts/acc_3/reauthorize',
    accounts: [
      { id: id('acc', 1), account: 'ada', identity: 'ada-lovelace', status: 'connected', callable: true },
      { id: id('acc', 3), account: 'work', identity: 'work@example.com', status: 'needs_reauth', callable: false },
    ],
  },
}

/** What the gateway answers about changes. */
export const activityAnswers: Answers = {
  'GET /api/audit': { changes, next_cursor: 'more' },
}
