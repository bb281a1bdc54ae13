import type { Answers } from './page-fixture.ts'

const hour = 3_600_000
/** A point in time some hours from now. */
export const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
/** An ID with the form of the gateway's. */
export const id = (prefix: string, n: number) => `${prefix}_${n.toString(16).padStart(32, '0')}`

const ada = { id: id('usr', 1), email: 'ada@example.com' }
const org = { id: id('org', 1), name: 'Analytical Engines' }

export const session = {
  user: ada,
  organization: org,
  role: 'owner',
  may: {
    manage_members: true,
    manage_money: true,
    manage_all_keys: true,
    manage_all_agents: true,
    manage_connectors: true,
    create_organizations: true,
  },
  organizations: [
    { ...org, role: 'owner' },
    { id: id('org', 2), name: 'Menabrea & Sons', role: 'member' },
  ],
  gateway_url: 'http://127.0.0.1:3000/mcp',
}

const members = [
  { user_id: ada.id, email: ada.email, role: 'owner', joined_at: at(-9000) },
  { user_id: id('usr', 2), email: 'charles.babbage@example.com', role: 'admin', joined_at: at(-4000) },
  {
    user_id: id('usr', 3),
    email: 'a.very.long.address.of.a.member@subsidiary.of.a.customer.example.com',
    role: 'member',
    joined_at: at(-30),
  },
]

export const agents = [
  {
    id: id('agt', 1),
    name: 'Nightly report',
    owner: ada.id,
    status: 'active',
    orphaned: false,
    created_at: at(-700),
    sign_ins: [],
    policy: null,
  },
  {
    id: id('agt', 2),
    name: 'Support triage',
    owner: id('usr', 2),
    status: 'suspended',
    orphaned: false,
    created_at: at(-300),
    sign_ins: [],
    policy: null,
  },
]

const key = (n: number, name: string, rest: object = {}) => ({
  id: id('key', n),
  name,
  prefix: 'cgw_live_8Qz',
  last4: `x${n}Kd`,
  user_id: ada.id,
  agent_id: null,
  status: 'active',
  created_at: at(-500),
  last_used_at: at(-n * 3),
  expires_at: at(24 * 80),
  revoked_at: null,
  previous: null,
  monthly_cap_micros: null,
  spent_this_month_micros: n * 312_500,
  policy: null,
  ...rest,
})

export const keys = [
  key(1, 'Claude Code on my laptop', { monthly_cap_micros: 25_000_000 }),
  key(2, 'Nightly report in the cluster of the data team, with the longest name that somebody would type', {
    agent_id: id('agt', 1),
    expires_at: null,
  }),
  key(3, 'CI', { user_id: id('usr', 2), previous: { last4: 'p0Qr', expires_at: at(20) } }),
  key(4, 'Cursor', { user_id: id('usr', 3), last_used_at: null, spent_this_month_micros: 0 }),
  key(5, 'Old laptop', { status: 'revoked', revoked_at: at(-20) }),
  key(6, 'Trial', { status: 'expired', expires_at: at(-20) }),
]

const invitations = [
  {
    id: id('inv', 1),
    email: 'grace@example.com',
    role: 'admin',
    status: 'open',
    invited_by: ada.id,
    created_at: at(-20),
    expires_at: at(148),
  },
  {
    id: id('inv', 2),
    email: 'late@example.com',
    role: 'member',
    status: 'expired',
    invited_by: null,
    created_at: at(-300),
    expires_at: at(-132),
  },
]

const transactions = [
  {
    id: id('pst', 1),
    kind: 'capture',
    amount_micros: -12_500,
    description: 'video__render',
    api_key_id: id('key', 1),
    payment_id: null,
    at: at(-0.2),
  },
  {
    id: id('pst', 2),
    kind: 'credit',
    amount_micros: 25_000_000,
    description: 'Top-up',
    api_key_id: null,
    payment_id: id('pay', 7),
    at: at(-3),
  },
  {
    id: id('pst', 3),
    kind: 'capture',
    amount_micros: -1,
    description: 'search__web',
    api_key_id: id('key', 2),
    payment_id: null,
    at: at(-5),
  },
  {
    id: id('pst', 4),
    kind: 'grant',
    amount_micros: 10_000_000,
    description: 'Included credits of Pro',
    api_key_id: null,
    payment_id: null,
    at: at(-400),
  },
]

/** What a full gateway answers. */
export const full: Answers = {
  'GET /auth/methods': {
    issuer: true,
    command: 'docker exec -it 4f1c node dist/cli.js user sign-in-link --user EMAIL',
    add_member: 'docker exec -it 4f1c node dist/cli.js user create --org ORG --email EMAIL --role member',
  },
  'GET /api/session': session,
  'GET /api/sessions': {
    sessions: [
      {
        id: 's1',
        created_at: at(-3),
        last_used_at: at(-0.01),
        current: true,
        user_agent:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      },
      {
        id: 's2',
        created_at: at(-50),
        last_used_at: at(-9),
        current: false,
        user_agent:
          'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
      },
      { id: 's3', created_at: at(-90), last_used_at: at(-70), current: false, user_agent: '' },
    ],
  },
  'GET /api/members': { members, next_cursor: null },
  'GET /api/agents': { agents, next_cursor: null },
  'GET /api/api-keys': { api_keys: keys, next_cursor: 'more' },
  [`GET /api/agents/${id('agt', 1)}`]: agents[0],
  'GET /api/invitations': { invitations, next_cursor: null },
  'GET /api/customers/me/wallet': {
    standing: 'active',
    balance_micros: 42_180_000,
    held_micros: 250_000,
    available_micros: 41_930_000,
    threshold_micros: 0,
  },
  'GET /api/me': {
    plan: { id: 'pro', pay_from: 'card', past_due: false, period_end: at(24 * 12), ends_at: null },
    payments: { provider: 'stripe', customer: true },
  },
  'GET /api/plans': {
    plans: [
      {
        id: 'free',
        name: 'Free',
        price_micros: 0,
        interval: 'month',
        included_micros: 0,
        features: ['All connectors and tools'],
      },
      {
        id: 'pro',
        name: 'Pro',
        price_micros: 20_000_000,
        interval: 'month',
        included_micros: 10_000_000,
        features: ['All connectors and tools', '$10.00 of credits each month; unused credits expire'],
      },
    ],
  },
  'GET /api/customers/me/payment-methods': {
    payment_methods: [
      {
        id: 'pm_1',
        type: 'card',
        card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2029 },
        is_default: true,
        created_at: at(-900),
      },
      { id: 'pm_2', type: 'sepa_debit', card: null, is_default: false, created_at: at(-400) },
    ],
  },
  'GET /api/customers/me/auto-topup': {
    enabled: true,
    threshold_micros: 5_000_000,
    amount_micros: 25_000_000,
    monthly_limit_micros: 100_000_000,
    charged_this_month_micros: 50_000_000,
  },
  'GET /api/customers/me/transactions': { transactions, next_cursor: 'more' },
}
