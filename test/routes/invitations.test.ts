import t, { type Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { BuildOptions } from '../fixtures/build.ts'
import { rejected, sessionFixture } from '../fixtures/session-fixture.ts'
import { until } from '../fixtures/until.ts'

const DAY_MS = 24 * 3_600_000
const DASHBOARD = 'https://dashboard.example'

/** An organization with an owner, an admin and a member, and another one with an owner. */
async function fixture(t: Test, options: BuildOptions = { settings: { dashboardUrl: undefined } }) {
  const made = await sessionFixture(t, options)
  const { newOrg, join, ask, signIn, services } = made
  const orgId = await newOrg()
  const people = {
    owner: await join(orgId, 'owner', 'owner'),
    admin: await join(orgId, 'admin', 'admin'),
    bob: await join(orgId, 'bob'),
    stranger: await join(await newOrg('Looms'), 'stranger', 'owner'),
  }
  type Name = keyof typeof people
  const invite = (who: Name, body: object, headers: Record<string, string> = {}) =>
    ask(people[who].token, 'POST', '/invitations', { body, headers })
  /** Invites an address; returns the token. */
  const invited = async (email: string, role = 'member', who: Name = 'admin'): Promise<string> =>
    (await invite(who, { email, role })).body.token
  const verified = (sub: string, email: string) => signIn(sub, { email, email_verified: true })
  /** Accepts like a client that sends a request again after a 503: 20 at once wait for one row, longer on a busy machine. */
  const accept = async (token: string, invitation: string) => {
    for (;;) {
      const answer = await ask(token, 'POST', '/invitations/accept', { body: { token: invitation } })
      if (answer.status !== 503) return answer
    }
  }
  const list = async (who: Name = 'admin') =>
    (await ask(people[who].token, 'GET', '/invitations')).body.invitations as { id: string; email: string }[]
  const members = async () => (await services.members.list(orgId)).map(({ email, role }) => `${email} ${role}`)
  return { ...made, orgId, people, invite, invited, verified, accept, list, members }
}

t.test('a user whose first token had no email gets the one they accept an invitation with', async t => {
  const { invited, signIn, verified, accept, ask, members } = await fixture(t)
  const invitation = await invited('zoe@example.test')
  t.match(await ask(await signIn('zoe'), 'GET', '/me'), { status: 400 })
  t.match(await accept(await verified('zoe', 'zoe@example.test'), invitation), { status: 200 })
  t.ok((await members()).includes('zoe@example.test member'))
})

t.test('an invited person joins with their verified email, also without any organization before', async t => {
  const { invite, verified, accept, ask, orgId, audited, people, list } = await fixture(t)
  const created = await invite('admin', { email: 'Ada@Example.test', role: 'admin' })
  t.match(created, {
    status: 201,
    body: {
      id: /^inv_/,
      email: 'Ada@Example.test',
      role: 'admin',
      status: 'open',
      invited_by: people.admin.userId,
      next_step: /No email is sent.*POST \/invitations\/accept/,
      token: /^cgw_invite_[0-9a-f]{64}$/,
    },
  })
  const { id, created_at, expires_at, token } = created.body
  t.equal(Date.parse(expires_at) - Date.parse(created_at), 7 * DAY_MS)
  t.match(await list(), [{ id }])

  const ada = await verified('ada', 'ada@EXAMPLE.TEST')
  t.match(await accept(ada, token), {
    status: 200,
    body: { organization: { id: orgId, name: 'Analytical Engines' }, role: 'admin' },
  })
  t.match(await ask(ada, 'GET', '/me'), { status: 200, body: { organization: { id: orgId }, role: 'admin' } })
  t.same(await list(), [], 'an accepted invitation is in no list')
  const adaId = (await ask(ada, 'GET', '/me')).body.user.id
  const added = (await audited(orgId, 'member.add')).find(({ target }) => target === adaId)
  t.match(added, {
    user_id: adaId,
    target: adaId,
    detail: { role: 'admin', invitation: id, invited_by: people.admin.userId },
  })
  t.match(await audited(orgId, 'invitation.create'), [{ user_id: people.admin.userId, target: id }])
})

t.test('with a dashboard, the answer has a link with the token in its fragment, once', async t => {
  const { invite, accept, verified, services } = await fixture(t, { settings: { dashboardUrl: DASHBOARD } })
  const body = { email: 'ada@example.test', role: 'member' }
  const headers = { 'idempotency-key': 'k' }
  const first = await invite('admin', body, headers)
  t.match(first.body.link, /^https:\/\/dashboard\.example\/invitations#cgw_invite_/)
  t.notOk('token' in first.body)
  const second = await invite('admin', body, headers)
  const { link, ...rest } = first.body
  t.same(second.body, rest, 'a repetition lacks the link')
  t.match(second, { status: 201, headers: { 'idempotent-replayed': 'true' } })
  const token = new URL(link).hash.slice(1)
  const db = acrossOrgs(services.database.db)
  for (const table of ['invitations', 'idempotency', 'audit'] as const)
    t.notMatch(JSON.stringify(await db.selectFrom(table).selectAll().execute()), token, `${table} lacks the token`)
  t.match(await accept(await verified('ada', body.email), token), { status: 200 })
})

t.test('only the invited address accepts, and only if the issuer says that it is verified', async t => {
  const { invited, accept, signIn, verified, members } = await fixture(t)
  const token = await invited('ada@example.test')
  const unverified = rejected(403, 'FORBIDDEN', /no verified email/)
  for (const claims of [
    {},
    { email: 'ada@example.test' },
    { email: 'ada@example.test', email_verified: false },
    { email: 'ada@example.test', email_verified: 'true' },
    { email: 'ada@example.test', email_verified: 1 },
    { email_verified: true },
    { email: ['ada@example.test'], email_verified: true },
  ])
    t.match(await accept(await signIn('ada', claims), token), unverified, JSON.stringify(claims))
  const other = rejected(403, 'FORBIDDEN', /not for the email of your sign-in/)
  for (const email of [
    'eve@example.test',
    'ada@example.test.evil.test',
    'ada+1@example.test',
    'x@ada@example.test',
    'ada@example\u2024test',
    'ａda@example.test',
  ]) {
    const answer = await accept(await verified(`of ${email}`, email), token)
    t.match(answer, email.split('@').length === 2 ? other : unverified, email)
    t.notMatch(JSON.stringify(answer.body), /ada@example|Analytical|org_/, 'it names no address and no organization')
  }
  t.equal((await members()).length, 3)
  t.match(await accept(await verified('ada', 'ada@example.test'), token), { status: 200 }, 'and still works for Ada')
})

t.test('letters that only look alike or fold to others are another address', async t => {
  const { invited, accept, verified } = await fixture(t)
  const token = await invited('kim@example.test')
  t.match(await accept(await verified('kelvin', '\u212aim@example.test'), token), rejected(403, 'FORBIDDEN'))
  t.match(await accept(await verified('kim', 'KIM@example.test'), token), { status: 200 })
})

t.test('each of 20 concurrent accepts by one person answers alike, and adds one member', async t => {
  const { invited, accept, verified, orgId, audited, members } = await fixture(t)
  const token = await invited('ada@example.test')
  const ada = await verified('ada', 'ada@example.test')
  const answers = await Promise.all(Array.from({ length: 20 }, () => accept(ada, token)))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  t.equal((await members()).filter(member => member.startsWith('ada@')).length, 1)
  t.equal((await audited(orgId, 'member.add')).filter(({ detail }) => 'invitation' in (detail as object)).length, 1)
})

t.test('of 20 sign-ins with the invited address that accept at once, one joins', async t => {
  const { invited, accept, verified, members } = await fixture(t)
  const token = await invited('ada@example.test')
  const sessions = await Promise.all(Array.from({ length: 20 }, (_, i) => verified(`ada ${i}`, 'ada@example.test')))
  const answers = await Promise.all(sessions.map(session => accept(session, token)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    t.match(answer, rejected(400, 'INVALID_REQUEST', /was already used/))
  t.equal((await members()).filter(member => member.startsWith('ada@')).length, 1)
})

t.test('a member who was removed cannot use their invitation again', async t => {
  const { invited, accept, verified, ask, orgId, services, members } = await fixture(t)
  const token = await invited('ada@example.test')
  const ada = await verified('ada', 'ada@example.test')
  await accept(ada, token)
  const { id } = (await ask(ada, 'GET', '/me')).body.user
  await services.members.remove({ orgId, userId: id, by: 'operator' })
  t.match(await accept(ada, token), rejected(400, 'INVALID_REQUEST', /was already used/))
  t.equal((await members()).length, 3)
  t.match(await accept(ada, await invited('ada@example.test')), { status: 200 }, 'a new invitation brings them back')
})

t.test('an unused invitation from before a removal does not bring the removed member back', async t => {
  const { invited, accept, verified, orgId, people, services, members, clock } = await fixture(t)
  // To another address of theirs than the one that the organization knows.
  const token = await invited('bob@home.test', 'admin')
  clock.advance(1)
  await services.members.remove({ orgId, userId: people.bob.userId, by: 'operator' })
  clock.advance(1)
  const bob = await verified('bob', 'bob@home.test')
  t.match(await accept(bob, token), rejected(400, 'INVALID_REQUEST', /older than your removal.*Ask for a new one/))
  t.equal((await members()).length, 2)
  t.match(await accept(bob, await invited('bob@home.test')), { status: 200 }, 'a new one does')
})

t.test('an organization has at most 1,000 invitations that nobody accepted', async t => {
  const { invite, services, orgId, ask, people, list } = await fixture(t)
  const create = (email: string) => services.invitations.create({ orgId, email, role: 'member', by: 'operator' })
  for (let i = 0; i < 999; i++) await create(`person${i}@example.test`)
  t.match(await invite('admin', { email: 'last@example.test', role: 'member' }), { status: 201 })
  const full = rejected(400, 'INVALID_REQUEST', /1000 invitations.*Revoke/)
  t.match(await invite('admin', { email: 'more@example.test', role: 'member' }), full)
  t.match(await invite('admin', { email: 'last@example.test', role: 'member' }), { status: 201 }, 'in place of its own')
  await ask(people.admin.token, 'DELETE', `/invitations/${(await list())[0]?.id}`)
  t.match(await invite('admin', { email: 'more@example.test', role: 'member' }), { status: 201 })
})

t.test('an expired, revoked or unknown invitation is refused, each with its cause', async t => {
  const { invited, accept, verified, clock, ask, people, list, audited, orgId } = await fixture(t)
  const expiring = await invited('ada@example.test')
  clock.advance(7 * DAY_MS)
  t.match(
    await accept(await verified('ada', 'ada@example.test'), expiring),
    rejected(400, 'INVALID_REQUEST', /has expired/),
  )
  people.admin.token = await verified('admin', 'admin@example.test')
  t.match(await list(), [{ email: 'ada@example.test', status: 'expired' }])

  const revoked = await invited('grace@example.test')
  const [invitation] = (await list()).filter(({ email }) => email === 'grace@example.test')
  const revoke = () => ask(people.admin.token, 'DELETE', `/invitations/${invitation?.id}`)
  t.match(await revoke(), { status: 204, body: '' })
  t.match(await revoke(), rejected(404, 'NOT_FOUND'), 'a second time')
  const grace = await verified('grace', 'grace@example.test')
  const gone = await accept(grace, revoked)
  t.match(gone, rejected(404, 'NOT_FOUND', /does not exist or was revoked/))
  for (const token of [`cgw_invite_${'0'.repeat(64)}`, 'x', '\u0000'])
    t.same((await accept(grace, token)).body, gone.body, 'an unknown token answers like a revoked one')
  t.match(await audited(orgId, 'invitation.revoke'), [{ user_id: people.admin.userId, target: invitation?.id }])
})

t.test('a new invitation of an address revokes the earlier one, also of an expired one', async t => {
  const { invited, accept, verified, list, clock, people } = await fixture(t)
  const first = await invited('ada@example.test')
  const second = await invited('ADA@example.test', 'admin')
  t.equal((await list()).length, 1)
  const ada = await verified('ada', 'ada@example.test')
  t.match(await accept(ada, first), rejected(404, 'NOT_FOUND'))
  clock.advance(8 * DAY_MS)
  people.admin.token = await verified('admin', 'admin@example.test')
  const third = await invited('ada@example.test')
  t.ok(second !== third)
  t.equal((await list()).length, 1)
  t.match(await accept(await verified('ada', 'ada@example.test'), third), { status: 200, body: { role: 'member' } })
})

t.test('of concurrent invitations of one address, one stays open', async t => {
  const { invite, list } = await fixture(t)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => invite('admin', { email: 'ada@example.test', role: 'member' })),
  )
  t.same([...new Set(answers.map(({ status }) => status))], [201])
  t.equal((await list()).length, 1)
})

t.test('no one invites with a role above their own', async t => {
  const { invite, ask, people, invited, list } = await fixture(t)
  const body = { email: 'ada@example.test', role: 'owner' }
  const forbidden = rejected(403, 'FORBIDDEN')
  t.match(await invite('bob', { ...body, role: 'member' }), forbidden)
  t.match(await invite('admin', body), forbidden)
  t.match(await invite('owner', body), { status: 201 })
  const [invitation] = await list()
  t.match(await ask(people.admin.token, 'DELETE', `/invitations/${invitation?.id}`), forbidden)
  t.match(await invite('admin', { ...body, role: 'member' }), forbidden, 'nor replaces the invitation of an owner')
  t.equal((await list())[0]?.id, invitation?.id)
  t.type(await invited('joan@example.test', 'owner', 'owner'), 'string')
})

t.test('an invitation ends with the authority of its sender', async t => {
  const { invited, accept, verified, services, orgId, people } = await fixture(t)
  const by = 'operator'
  const [ofAdmin, ofOwner] = [await invited('ada@example.test'), await invited('joan@example.test', 'owner', 'owner')]
  await services.members.remove({ orgId, userId: people.admin.userId, by })
  await services.members.setRole({ orgId, userId: people.bob.userId, role: 'owner', by })
  await services.members.setRole({ orgId, userId: people.owner.userId, role: 'admin', by })
  const invalid = rejected(400, 'INVALID_REQUEST', /sender may no longer invite/)
  t.match(await accept(await verified('ada', 'ada@example.test'), ofAdmin), invalid)
  t.match(await accept(await verified('joan', 'joan@example.test'), ofOwner), invalid)
  const ofOperator = await services.invitations.create({ orgId, email: 'ada@example.test', role: 'owner', by })
  t.match(await accept(await verified('ada', 'ada@example.test'), ofOperator.token), { status: 200 })
})

t.test('a member is not invited again, and an invitation does not change a role', async t => {
  const { invite, invited, accept, verified, signIn, ask, roleOfBob } = await withBob(t)
  t.match(
    await invite('admin', { email: 'BOB@example.test', role: 'admin' }),
    rejected(400, 'INVALID_REQUEST', /already a member/),
  )
  const token = await invited('other-of-bob@example.test', 'admin')
  t.match(
    await accept(await verified('bob', 'other-of-bob@example.test'), token),
    rejected(400, 'INVALID_REQUEST', /already a member/),
  )
  t.equal(await roleOfBob(), 'member')
  t.match(await ask(await signIn('bob'), 'GET', '/me'), { body: { role: 'member' } })
})

async function withBob(t: Test) {
  const made = await fixture(t)
  const roleOfBob = async () => (await made.services.members.find(made.orgId, made.people.bob.userId)).role
  return { ...made, roleOfBob }
}

t.test('invitations are for admins with a session, and name the field that is wrong', async t => {
  const { ask, people, services, orgId, signIn, invite } = await fixture(t)
  const { key } = await services.keys.create({ orgId, userId: people.owner.userId, by: 'operator' })
  const nobody = await signIn('nobody')
  const body = { email: 'ada@example.test', role: 'member' }
  const id = `inv_${'0'.repeat(32)}`
  for (const [method, url, sent] of [
    ['GET', '/invitations', undefined],
    ['POST', '/invitations', { body }],
    ['DELETE', `/invitations/${id}`, undefined],
  ] as const) {
    t.match(await ask(key, method, url, sent), rejected(403, 'SESSION_REQUIRED'), `${method} with a key`)
    t.match(await ask(people.bob.token, method, url, sent), rejected(403, 'FORBIDDEN'), `${method} by a member`)
    t.match(await ask(nobody, method, url, sent), { status: 400, body: { error: 'no_active_org' } })
    t.equal((await ask('x', method, url, sent)).status, 401)
  }
  t.match(
    await ask(key, 'POST', '/invitations/accept', { body: { token: 'x' } }),
    rejected(403, 'SESSION_REQUIRED'),
    'accepting with a key',
  )
  t.match(await ask(nobody, 'POST', '/invitations/accept', { body: {} }), rejected(400, 'INVALID_REQUEST', /token/))
  t.match(await ask(people.admin.token, 'DELETE', `/invitations/${id}`), rejected(404, 'NOT_FOUND'))
  t.match(await invite('admin', { ...body, role: 'king' }), rejected(400, 'INVALID_REQUEST', /role/))
  t.match(await invite('admin', { ...body, email: 'no address' }), rejected(400, 'INVALID_REQUEST', /email/))
  t.match(await invite('admin', { ...body, email: 'a\u200b@b.c' }), rejected(400, 'INVALID_REQUEST', /email/))
})

t.test('an invitation of another organization answers like an unknown one', async t => {
  const { ask, people, invite, list } = await fixture(t)
  await invite('stranger', { email: 'ada@example.test', role: 'member' })
  const [theirs] = await list('stranger')
  const answer = await ask(people.owner.token, 'DELETE', `/invitations/${theirs?.id}`)
  const unknown = await ask(people.owner.token, 'DELETE', `/invitations/inv_${'0'.repeat(32)}`)
  t.equal(answer.body.error.replace(theirs?.id, ''), unknown.body.error.replace(`inv_${'0'.repeat(32)}`, ''))
  t.same([answer.status, unknown.status], [404, 404])
  t.equal((await list('stranger')).length, 1)
  t.same(await list('owner'), [])
})

t.test('a member of one organization who accepts an invitation of another keeps acting in the first', async t => {
  const { invited, accept, verified, ask, people, services } = await fixture(t)
  const { userId, orgId: first } = people.stranger
  const session = await verified('stranger', 'stranger@example.test')
  const active = async () => (await ask(session, 'GET', '/me')).body.organization?.id
  t.equal(await active(), first)
  t.match(await accept(session, await invited('stranger@example.test', 'member')), { status: 200 })
  t.equal(await active(), first)
  const mate = await services.organizations.createUser({ orgId: first, email: 'm@x', role: 'owner', by: 'operator' })
  await services.members.remove({ orgId: first, userId, by: { userId: mate.id, orgId: first } })
  // The removal reaches the process as an event.
  await until(async () => (await ask(session, 'GET', '/me')).status === 403)
  t.match(await ask(session, 'GET', '/me'), rejected(403, 'MEMBERSHIP_REVOKED'), 'as after any choice')
})

t.test('a user whose chosen organization removed them may accept an invitation', async t => {
  const { invited, accept, verified, ask, services, people, orgId } = await fixture(t)
  const token = await invited('stranger@example.test', 'member')
  const { userId, orgId: other } = people.stranger
  const mate = await services.organizations.createUser({ orgId: other, email: 'm@x', role: 'owner', by: 'operator' })
  await ask(people.stranger.token, 'PATCH', '/me', { body: { active_organization_id: other } })
  await services.members.remove({ orgId: other, userId, by: { userId: mate.id, orgId: other } })
  const session = await verified('stranger', 'stranger@example.test')
  t.match(await accept(session, token), { status: 200, body: { organization: { id: orgId } } })
  t.match(await ask(session, 'GET', '/me'), rejected(403, 'MEMBERSHIP_REVOKED'), 'a choice is never replaced silently')
  t.match(await ask(session, 'PATCH', '/me', { body: { active_organization_id: orgId } }), { status: 200 })
})
