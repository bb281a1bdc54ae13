import type { Answers } from './page-fixture.ts'

const hour = 3_600_000
/** A point in time some hours from now. */
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
/** An ID with the form of the gateway's. */
const id = (prefix: string, n: number) => `${prefix}_${n.toString(16).padStart(32, '0')}`

const ada = { id: id('usr', 1), email: 'ada@example.com', name: 'Ada Lovelace' }
const org = { id: id('org', 1), name: 'Analytical Engines' }

const session = {
  user: ada,
  organization: org,
  role: 'owner',
  may: { keys_all: true, agents_all: true, billing: true, members: true, connectors_org: true },
  organizations: [
    { ...org, role: 'owner' },
    { id: id('org', 2), name: 'Menabrea & Sons', role: 'member' },
  ],
  gateway_url: 'http://127.0.0.1:3000/mcp',
  issuer: true,
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

const agents = [
  {
    id: id('agt', 1),
    name: 'Nightly report',
    owner: ada.id,
    status: 'active',
    orphaned: false,
    created_at: at(-700),
    sign_ins: [],
  },
  {
    id: id('agt', 2),
    name: 'Support triage',
    owner: id('usr', 2),
    status: 'suspended',
    orphaned: false,
    created_at: at(-300),
    sign_ins: [],
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
  ...rest,
})

const keys = [
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

/** What a full gateway answers. */
export const full: Answers = {
  'GET /auth/methods': {
    issuer: true,
    development: false,
    command: 'docker exec -it 4f1c node dist/cli.js user sign-in-link --user USER',
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
      { id: 's3', created_at: at(-90), last_used_at: at(-70), current: false, user_agent: null },
    ],
  },
  'GET /api/members': { members, next_cursor: null },
  'GET /api/agents': { agents, next_cursor: null },
  'GET /api/api-keys': { api_keys: keys, next_cursor: 'more' },
}
