import t, { type Test } from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import type { MembershipRule } from '../../../services/organizations/membership-rule-settings.ts'
import { createMembershipRules } from '../../../services/organizations/membership-rules.ts'
import { type BuildOptions, build } from '../../fixtures/build.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { sessionFixture } from '../../fixtures/session-fixture.ts'
import { testIssuer } from '../../fixtures/test-issuer.ts'

const UNKNOWN = `org_${'0'.repeat(32)}`

type Rule = Partial<MembershipRule>

/** The app with rules, made from the IDs of two organizations; `again` builds another process on its database. */
async function fixture(t: Test, rulesOf: (orgId: string, other: string) => Rule[], options: BuildOptions = {}) {
  const issuer = await testIssuer(t, { audience: 'gateway' })
  const database = await testDatabase(t)
  const first = await build(t, { shared: database })
  const { organizations } = first.services
  const orgId = (await organizations.create({ name: 'Engines', by: 'operator' })).id
  const other = (await organizations.create({ name: 'Looms', by: 'operator' })).id
  const withRules = (rules: Rule[]) => {
    const membershipRules = rules.map(rule => ({
      issuer: issuer.issuer,
      claim: 'groups',
      value: 'gateway',
      organization: orgId,
      role: 'member' as const,
      ...rule,
    }))
    return sessionFixture(t, { ...options, issuer, shared: database, settings: { membershipRules } })
  }
  const made = await withRules(rulesOf(orgId, other))
  const members = async (of = orgId) =>
    (await made.services.members.list(of, { removed: true })).map(({ role, state }) => `${role} ${state}`)
  return { ...made, issuer, database, orgId, other, again: withRules, members }
}

const groups = ['gateway', 'other']

t.test('a user becomes a member at their first sign-in if their verified token has the claim', async t => {
  const { signIn, ask, orgId, audited, issuer, members } = await fixture(t, () => [{ role: 'admin' }])
  const token = await signIn('ada', { groups })
  t.match(await ask(token, 'GET', '/me'), {
    status: 200,
    body: { organization: { id: orgId }, role: 'admin' },
  })
  t.same(await members(), ['admin active'])
  t.match(await audited(orgId, 'member.add'), [
    {
      user_id: null,
      target: /^usr_/,
      detail: { role: 'admin', rule: { issuer: issuer.issuer, claim: 'groups', value: 'gateway' } },
    },
  ])
})

t.test('a claim may be a text, a list, or nested; everything else is no match', async t => {
  const { signIn, ask, again } = await fixture(t, () => [])
  t.match(await ask(await signIn('nobody', { groups }), 'GET', '/me'), {
    status: 400,
    body: { error: 'no_active_org' },
  })
  const nested = { claim: '/realm_access/roles' }
  const odd = { claim: '/a~1b/c~0d' }
  const url = { claim: 'https://example.com/roles' }
  const cases: [rule: Rule, claims: object, member: boolean][] = [
    [{}, { groups: 'gateway' }, true],
    [{}, { groups: ['gateway'] }, true],
    [{}, { groups: 'gateway other' }, false],
    [{}, { groups: 'Gateway' }, false],
    [{}, { groups: [['gateway']] }, false],
    [{}, { groups: { gateway: true } }, false],
    [{ value: '1' }, { groups: 1 }, false],
    [{ value: 'true' }, { groups: true }, false],
    [{}, { groups: null }, false],
    [{}, {}, false],
    [nested, { realm_access: { roles: ['gateway'] } }, true],
    [nested, { realm_access: { roles: [] } }, false],
    [nested, { realm_access: ['roles'] }, false],
    [nested, { 'realm_access/roles': ['gateway'] }, false],
    [{ claim: 'realm_access.roles' }, { realm_access: { roles: ['gateway'] } }, false],
    [odd, { 'a/b': { 'c~d': 'gateway' } }, true],
    [url, { 'https://example.com/roles': ['gateway'] }, true],
    [{ claim: 'constructor', value: 'Object' }, {}, false],
    [{ claim: '/constructor/name', value: 'Object' }, {}, false],
  ]
  for (const [index, [rule, claims, member]] of cases.entries()) {
    const process = await again([rule])
    const { status } = await process.ask(await signIn(`user ${index}`, { ...claims }), 'GET', '/me')
    t.equal(status, member ? 200 : 400, JSON.stringify([rule, claims]))
  }
})

t.test('a rule added later applies to the next token of a user without a membership', async t => {
  const { signIn, ask, again, orgId } = await fixture(t, () => [])
  const token = await signIn('ada', { groups })
  t.equal((await ask(token, 'GET', '/me')).status, 400)
  const later = await again([{}])
  t.match(await later.ask(token, 'GET', '/me'), { status: 200, body: { organization: { id: orgId } } })
})

t.test('a rejected token makes nobody a member', async t => {
  const { sessions, ask, members, services } = await fixture(t, () => [{}])
  const other = await testIssuer(t, { audience: 'gateway', issuer: sessions.issuer })
  const now = Math.floor(sessions.clock.now() / 1000)
  for (const [what, token] of Object.entries({
    'signed by another key': await other.mint({ groups }),
    unsigned: await sessions.mint({ groups }, { alg: 'none' }),
    expired: await sessions.mint({ groups, exp: now - 60 }),
    'for another audience': await sessions.mint({ groups, aud: 'other' }),
    'with too long a lifetime': await sessions.mint({ groups, exp: now + 1_000_000 }),
    'bound to a key': await sessions.mint({ groups, cnf: { jkt: 'x' } }),
  }))
    t.equal((await ask(token, 'GET', '/me')).status, 401, what)
  t.same(await members(), [])
  t.same(await services.database.db.selectFrom('users').selectAll().execute(), [])
})

t.test('a rule applies only to tokens of its own issuer', async t => {
  const { signIn, ask, members } = await fixture(t, () => [{ issuer: 'https://other.example' }])
  t.equal((await ask(await signIn('ada', { groups }), 'GET', '/me')).status, 400)
  t.same(await members(), [])
})

t.test('a member whom an admin removed is never added again by a rule', async t => {
  const { signIn, ask, services, orgId, members, again } = await fixture(t, () => [{}])
  const { user } = (await ask(await signIn('ada', { groups }), 'GET', '/me')).body
  await services.members.remove({ orgId, userId: user.id, by: 'operator' })
  t.match(await ask(await signIn('ada', { groups }), 'GET', '/me'), {
    status: 403,
    body: { code: 'MEMBERSHIP_REVOKED' },
  })
  const restarted = await again([{}])
  t.equal((await restarted.ask(await signIn('ada', { groups }), 'GET', '/me')).status, 403)
  t.same(await members(), ['member removed'])
  await services.members.add({ orgId, userId: user.id, role: 'member', by: 'operator' })
  t.same(await members(), ['member active'], 'the operator may add them')
})

t.test('rules change no role, and a claim that disappears removes nobody', async t => {
  const { signIn, ask, services, orgId, members, again } = await fixture(t, () => [{}])
  const { user } = (await ask(await signIn('ada', { groups }), 'GET', '/me')).body
  t.equal((await ask(await signIn('ada', { groups: [] }), 'GET', '/me')).status, 200)
  const other = await again([{ role: 'admin' }])
  t.match(await other.ask(await signIn('ada', { groups }), 'GET', '/me'), { body: { role: 'member' } })
  await services.members.setRole({ orgId, userId: user.id, role: 'owner', by: 'operator' })
  await ask(await signIn('ada', { groups }), 'GET', '/me')
  t.same(await members(), ['owner active'])
})

t.test('several rules add a user to several organizations, with the highest role in each', async t => {
  const rules = (orgId: string, other: string): Rule[] => [
    { role: 'admin' },
    { value: 'other' },
    { value: 'other', organization: other },
    { value: 'absent', organization: other, role: 'admin' },
    { organization: orgId },
  ]
  const { signIn, ask, members, other } = await fixture(t, rules)
  t.match(await ask(await signIn('ada', { groups }), 'GET', '/me'), { status: 400, body: { organizations: [{}, {}] } })
  t.same([await members(), await members(other)], [['admin active'], ['member active']])
})

t.test('first tokens in two processes at once make one member', async t => {
  const { signIn, ask, again, members, audited, orgId } = await fixture(t, () => [{}])
  const second = await again([{}])
  const tokens = await Promise.all(Array.from({ length: 20 }, () => signIn('ada', { groups })))
  const answers = await Promise.all(tokens.map((token, i) => (i % 2 === 0 ? ask : second.ask)(token, 'GET', '/me')))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  t.same(await members(), ['member active'])
  t.equal((await audited(orgId, 'member.add')).length, 1)
})

t.test('a token without a matching claim costs no query, and a member costs one in all', async t => {
  const clock = { now: Date.now }
  const { database, orgId, issuer, services } = await fixture(t, () => [])
  const { userId } = await member()
  let queries = 0
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { log } = memoryLog()
  const rule = {
    issuer: issuer.issuer,
    claim: 'groups',
    value: 'gateway',
    organization: orgId,
    role: 'member',
  } as const
  const rules = createMembershipRules({ ...database, db, clock, audit: { record: async () => {} }, log, rules: [rule] })
  await rules.apply(userId, { issuer: issuer.issuer, claims: { groups: [] } })
  t.equal(queries, 0, 'none without a matching rule')
  for (let i = 0; i < 3; i++) await rules.apply(userId, { issuer: issuer.issuer, claims: { groups } })
  t.equal(queries, 1, 'one for all later tokens of a member')

  async function member() {
    const email = 'ada@example.test'
    const { id } = await services.organizations.createUser({ orgId, email, role: 'member', by: 'operator' })
    return { userId: id }
  }
})

t.test('a rule of an unknown organization is warned of at the start and on use, and the sign-in works', async t => {
  const { log, lines } = memoryLog()
  const warnings = () => lines.filter(line => line.includes('MEMBERSHIP_RULES names organizations that do not exist'))
  const { signIn, ask, database, issuer, orgId } = await fixture(t, () => [{ organization: UNKNOWN }])
  const rule = { issuer: issuer.issuer, claim: 'groups', value: 'gateway', role: 'member' } as const
  const rules = [
    { ...rule, organization: UNKNOWN },
    { ...rule, organization: orgId },
  ]
  const audit = { record: async () => {} }
  const made = createMembershipRules({ ...database, clock: { now: Date.now }, audit, log, rules })
  await made.warnOfMissing()
  t.match(warnings(), [UNKNOWN])
  t.notMatch(warnings()[0], orgId)
  await made.apply(`usr_${'0'.repeat(32)}`, { issuer: issuer.issuer, claims: { groups } })
  t.equal(warnings().length, 2)
  t.match(await ask(await signIn('ada', { groups }), 'GET', '/me'), { status: 400, body: { error: 'no_active_org' } })
})

t.test('a rule that fails is logged, and the token is accepted without the membership', async t => {
  const { log, lines } = memoryLog()
  const { issuer, orgId, database } = await fixture(t, () => [])
  const rule = {
    issuer: issuer.issuer,
    claim: 'groups',
    value: 'gateway',
    organization: orgId,
    role: 'member',
  } as const
  const audit = {
    async record() {
      throw new Error('The disk is full')
    },
  }
  const rules = createMembershipRules({ ...database, clock: { now: Date.now }, audit, log, rules: [rule] })
  const { id } = await acrossOrgs(database.db)
    .insertInto('users')
    .values({ id: `usr_${'1'.repeat(32)}`, email: null, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.resolves(rules.apply(id, { issuer: issuer.issuer, claims: { groups } }))
  t.match(lines.join(''), /cannot apply MEMBERSHIP_RULES to a sign-in/)
  t.same(
    await acrossOrgs(database.db).selectFrom('memberships').selectAll().execute(),
    [],
    'nothing without its audit row',
  )
})
