import t, { type Test } from 'tap'
import { rejected, sessionFixture } from '../fixtures/session-fixture.ts'

const UNKNOWN = `usr_${'0'.repeat(32)}`

/** An organization with an owner, an admin and two members, and another one with an owner. */
async function fixture(t: Test) {
  const made = await sessionFixture(t)
  const { newOrg, join, ask, services } = made
  const orgId = await newOrg()
  const people = {
    owner: await join(orgId, 'owner', 'owner'),
    admin: await join(orgId, 'admin', 'admin'),
    bob: await join(orgId, 'bob'),
    eve: await join(orgId, 'eve'),
    stranger: await join(await newOrg('Looms'), 'stranger', 'owner'),
  }
  type Name = keyof typeof people
  const setRole = (who: Name, whose: Name, role: string) =>
    ask(people[who].token, 'PATCH', `/members/${people[whose].userId}`, { body: { role } })
  const remove = (who: Name, whose: Name) => ask(people[who].token, 'DELETE', `/members/${people[whose].userId}`)
  const roleOf = async (whose: Name) =>
    (await services.members.list(orgId)).find(({ userId }) => userId === people[whose].userId)?.role
  return { ...made, orgId, people, setRole, remove, roleOf }
}

t.test('GET /members shows every member, and pages without gaps or repetitions, to members and API keys', async t => {
  const { ask, people, services, orgId } = await fixture(t)
  const whole = await ask(people.bob.token, 'GET', '/members')
  t.equal(whole.status, 200)
  t.same(
    new Set(whole.body.members.map(({ user_id }: { user_id: string }) => user_id)),
    new Set([people.owner, people.admin, people.bob, people.eve].map(({ userId }) => userId)),
  )
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await ask(people.bob.token, 'GET', `/members?limit=1${query}`)
    seen.push(...body.members.map(({ user_id }: { user_id: string }) => user_id))
    cursor = body.next_cursor
  } while (cursor !== null)
  t.same(
    seen,
    whole.body.members.map(({ user_id }: { user_id: string }) => user_id),
  )
  const { key } = await services.keys.create({ orgId, userId: people.bob.userId, by: 'operator' })
  t.same((await ask(key, 'GET', '/members')).body, whole.body)
})

t.test('GET /members rejects a bad limit, a foreign cursor and a user without an organization', async t => {
  const { ask, people, signIn } = await fixture(t)
  const { token } = people.bob
  t.match(await ask(token, 'GET', '/members?limit=0'), rejected(400, 'INVALID_REQUEST', /limit/))
  t.match(await ask(token, 'GET', '/members?cursor=x'), rejected(400, 'INVALID_REQUEST', /cursor/))
  t.match(await ask(token, 'GET', '/members?other=1'), rejected(400, 'INVALID_REQUEST'))
  const nobody = await signIn('nobody')
  for (const [method, url, body] of [
    ['GET', '/members'],
    ['PATCH', `/members/${UNKNOWN}`, { role: 'admin' }],
    ['DELETE', `/members/${UNKNOWN}`],
  ] as const)
    t.match(await ask(nobody, method, url, body && { body }), { status: 400, body: { error: 'no_active_org' } })
})

t.test('an admin changes roles, and every change is audited with who made it', async t => {
  const { setRole, people, audited, orgId, roleOf } = await fixture(t)
  const changed = await setRole('admin', 'bob', 'admin')
  t.match(changed, { status: 200, body: { user_id: people.bob.userId, role: 'admin', email: 'bob@example.test' } })
  t.equal(await roleOf('bob'), 'admin')
  t.match(await audited(orgId, 'member.role'), [
    { user_id: people.admin.userId, target: people.bob.userId, detail: { role: 'admin', before: 'member' } },
  ])
  t.match(await setRole('admin', 'bob', 'admin'), { status: 200 }, 'repeating it changes nothing')
  t.equal((await audited(orgId, 'member.role')).length, 1)
})

t.test('only an owner makes, changes or removes an owner', async t => {
  const { setRole, remove, roleOf } = await fixture(t)
  const forbidden = rejected(403, 'FORBIDDEN', /Only an owner/)
  t.match(await setRole('admin', 'bob', 'owner'), forbidden)
  t.match(await setRole('admin', 'admin', 'owner'), forbidden, 'not even of oneself')
  t.match(await setRole('admin', 'owner', 'member'), forbidden)
  t.match(await remove('admin', 'owner'), forbidden)
  t.match(await setRole('owner', 'bob', 'owner'), { status: 200 })
  t.match(await remove('owner', 'bob'), { status: 204 })
  t.equal(await roleOf('owner'), 'owner')
})

t.test('the last owner stays, with the role of owner', async t => {
  const { setRole, remove, people, roleOf } = await fixture(t)
  const last = rejected(400, 'INVALID_REQUEST', /last owner.*Make another member an owner first/)
  t.match(await setRole('owner', 'owner', 'admin'), last)
  t.match(await remove('owner', 'owner'), last)
  await setRole('owner', 'bob', 'owner')
  const both = await Promise.all([remove('owner', 'bob'), remove('bob', 'owner')])
  t.same(both.map(({ status }) => status).sort(), [204, 403], 'two owners who remove each other')
  t.equal([await roleOf('owner'), await roleOf('bob')].filter(role => role === 'owner').length, 1)
  t.ok(people)
})

t.test('members change no one, but may leave', async t => {
  const { setRole, remove, ask, people, roleOf, audited, orgId } = await fixture(t)
  t.match(await setRole('bob', 'eve', 'admin'), rejected(403, 'FORBIDDEN'))
  t.match(await setRole('bob', 'bob', 'admin'), rejected(403, 'FORBIDDEN'))
  t.match(await remove('bob', 'eve'), rejected(403, 'FORBIDDEN'))
  t.equal(await roleOf('eve'), 'member')
  t.match(await remove('bob', 'bob'), { status: 204, body: '' })
  t.equal(await roleOf('bob'), undefined)
  t.match(await audited(orgId, 'member.remove'), [{ user_id: people.bob.userId, target: people.bob.userId }])
  t.match(await ask(people.bob.token, 'GET', '/members'), rejected(403, 'MEMBERSHIP_REVOKED'))
})

t.test('a removed member loses keys and the organization', async t => {
  const { remove, ask, people, services, orgId, clock } = await fixture(t)
  const { key } = await services.keys.create({ orgId, userId: people.bob.userId, by: 'operator' })
  t.match(await remove('admin', 'bob'), { status: 204 })
  clock.advance(11_000)
  t.equal((await ask(key, 'GET', '/me')).status, 401)
  t.match(await ask(people.bob.token, 'GET', '/members'), rejected(403, 'MEMBERSHIP_REVOKED'))
  t.match(await remove('admin', 'bob'), rejected(404, 'NOT_FOUND'), 'a second removal')
})

t.test('members of other organizations answer like unknown ones', async t => {
  const { ask, people, setRole, remove } = await fixture(t)
  const { token } = people.owner
  const textOf = (userId: string, { body }: { body: object }) => JSON.stringify(body).replaceAll(userId, '<id>')
  const { userId } = people.stranger
  const unknown = {
    patch: await ask(token, 'PATCH', `/members/${UNKNOWN}`, { body: { role: 'admin' } }),
    delete: await ask(token, 'DELETE', `/members/${UNKNOWN}`),
  }
  t.match(unknown, { patch: rejected(404, 'NOT_FOUND'), delete: rejected(404, 'NOT_FOUND') })
  t.equal(textOf(userId, await setRole('owner', 'stranger', 'admin')), textOf(UNKNOWN, unknown.patch))
  t.equal(textOf(userId, await remove('owner', 'stranger')), textOf(UNKNOWN, unknown.delete))
  t.match(await ask(token, 'DELETE', '/members/%00'), rejected(404, 'NOT_FOUND'))
})

t.test('writes require a session, and name the field that is wrong', async t => {
  const { ask, people, services, orgId } = await fixture(t)
  const { key } = await services.keys.create({ orgId, userId: people.owner.userId, by: 'operator' })
  const url = `/members/${people.bob.userId}`
  t.match(await ask(key, 'PATCH', url, { body: { role: 'admin' } }), rejected(403, 'SESSION_REQUIRED'))
  t.match(await ask(key, 'DELETE', url), rejected(403, 'SESSION_REQUIRED'))
  t.match(
    await ask(people.owner.token, 'PATCH', url, { body: { role: 'king' } }),
    rejected(400, 'INVALID_REQUEST', /role/),
  )
  t.match(await ask(people.owner.token, 'PATCH', url, { body: {} }), rejected(400, 'INVALID_REQUEST', /role/))
})
