import { sql } from 'kysely'
import t from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { agentFixture } from '../../fixtures/agent-fixture.ts'

const by = 'operator'
const code = 'invalid_request'

type Made = Awaited<ReturnType<typeof agentFixture>>

/** Who has a pair: user IDs and agent IDs. */
async function holdersOf({ db }: Made, subject: string): Promise<string[]> {
  const users = await db.selectFrom('user_subjects').where('subject', '=', subject).select('user_id').execute()
  const agents = await acrossOrgs(db)
    .selectFrom('agent_sign_ins')
    .where('subject', '=', subject)
    .select('agent_id')
    .execute()
  return [...users.map(row => row.user_id), ...agents.map(row => row.agent_id)]
}

for (const shareSubjects of [false, true])
  t.test(`a pair belongs to one user or one agent, ${shareSubjects ? 'with' : 'without'} shared subjects`, async t => {
    const made = await agentFixture(t, { shareSubjects })
    const { newOrg, join, sessions, mcp, outcome, settled, services } = made
    const { agents, agentSignIns, signIns, organizations, members } = services
    const [orgId, otherOrg] = [await newOrg(), await newOrg()]
    const bob = await join(orgId, 'bob')
    const eve = await join(otherOrg, 'eve')
    const { id } = await agents.create({ orgId, ownerId: bob.userId, name: 'Robot', by })
    const { id: other } = await agents.create({ orgId: otherOrg, ownerId: eve.userId, name: 'Robot', by })
    const pair = (subject: string, issuer = sessions.issuer) => ({ issuer, subject })
    const link = (agentId: string, signIn: { issuer: string; subject: string }, move = false) =>
      agentSignIns.link(agentId, { ...signIn, move }, { by })

    t.match(await link(id, pair('robot')), { id: /^asi_/, linked: true })
    t.match(await link(id, pair('robot')), { linked: false }, 'repeating it changes nothing')
    await t.rejects(link(other, pair('robot')), {
      code,
      message: new RegExp(`belong to agent ${id}\\. .*agent unlink ${id}`),
    })
    await t.rejects(link(other, pair('robot'), true), { code }, 'also with move')

    const toUser = { userId: bob.userId, ...pair('robot'), by, move: true } as const
    const ofAgent = { code, message: new RegExp(`belong to agent ${id} of ${orgId}\\. The operator can unlink them`) }
    await t.rejects(signIns.link(toUser), ofAgent)
    const newUser = { orgId, email: 'robot@example.test', role: 'member', by, subject: pair('robot') } as const
    await t.rejects(organizations.createUser(newUser), ofAgent)
    t.same(await holdersOf(made, 'robot'), [id])

    await t.rejects(link(id, pair('bob')), {
      code,
      message: new RegExp(`belong to user ${bob.userId}\\. .*user unlink`),
    })
    await t.rejects(link(id, pair('bob'), true), { code }, 'a member keeps their sign-in')
    t.same(await holdersOf(made, 'bob'), [bob.userId])

    t.equal(await outcome(await sessions.mint({ sub: 'early' })), '400 no_active_org')
    const [stray = ''] = await holdersOf(made, 'early')
    await t.rejects(link(id, pair('early')), { code, message: /a member of no organization\. .*--move$/ })
    t.match(await link(id, pair('early'), true), { linked: true })
    t.same(await holdersOf(made, 'early'), [id])
    await settled()
    t.equal(await outcome(await sessions.mint({ sub: 'early' })), '200')
    await members.add({ orgId, userId: stray, role: 'member', by })

    const elsewhere = link(other, pair('robot', mcp.issuer))
    if (shareSubjects) await t.rejects(elsewhere, { code }, 'the same subject at the other issuer')
    else t.match(await elsewhere, { linked: true }, 'another issuer, another subject')
  })

t.test('a first token and a link at the same time give the pair to one of them', async t => {
  const made = await agentFixture(t)
  const { newOrg, join, sessions, services, ask } = made
  const bob = await join(await newOrg(), 'bob')
  for (let i = 0; i < 10; i++) {
    const { id } = await services.agents.create({ orgId: bob.orgId, ownerId: bob.userId, name: 'Robot', by })
    const subject = `robot-${i}`
    const token = await sessions.mint({ sub: subject })
    const link = () =>
      services.agentSignIns
        .link(id, { issuer: sessions.issuer, subject, move: false }, { by })
        .catch((error: { code: string }) => t.equal(error.code, code))
    const signIn = () => ask(token, 'GET', '/me')
    await Promise.all(i % 2 === 0 ? [link(), signIn(), signIn()] : [signIn(), link(), signIn()])
    t.equal((await holdersOf(made, subject)).length, 1, subject)
  }
})

t.test('the database refuses a user with an agent’s pair, whoever writes it', async t => {
  const { newOrg, join, linked, sessions, db } = await agentFixture(t)
  const bob = await join(await newOrg(), 'bob')
  await linked(bob)
  const insert = sql`insert into user_subjects (issuer, subject, user_id, created_at)
    values (${sessions.issuer}, 'robot', ${bob.userId}, now())`
  await t.rejects(insert.execute(db), { code: '23505' })
})

t.test(
  'a sign-in is refused for a retired or unknown agent, an impossible issuer or subject, and above 20',
  async t => {
    const { newOrg, join, sessions, services } = await agentFixture(t)
    const bob = await join(await newOrg(), 'bob')
    const { agents, agentSignIns } = services
    const create = () => agents.create({ orgId: bob.orgId, ownerId: bob.userId, name: 'Robot', by })
    const { id } = await create()
    const { issuer } = sessions
    const link = (agentId: string, signIn: { issuer: string; subject: string }) =>
      agentSignIns.link(agentId, { ...signIn, move: false }, { by })
    await t.rejects(link(`agt_${'0'.repeat(32)}`, { issuer, subject: 'x' }), { code: 'not_found' })
    await t.rejects(link(id, { issuer: 'x', subject: 'x' }), { code, message: /issuer must be a URL/ })
    for (const subject of ['', 'x'.repeat(513), 'a\u0000', '\ud800'])
      await t.rejects(link(id, { issuer, subject }), { code, message: /subject must be/ })
    for (let i = 0; i < 20; i++) await link(id, { issuer, subject: `robot-${i}` })
    await t.rejects(link(id, { issuer, subject: 'robot-20' }), { code, message: /can have at most 20 sign-ins/ })
    const { id: gone } = await create()
    await agents.retire(gone, { by })
    await t.rejects(link(gone, { issuer, subject: 'late' }), { code, message: /is retired/ })
    await t.rejects(agentSignIns.unlink(gone, { issuer, subject: 'robot-1' }, { by }), { code: 'not_found' })
    t.same(await agentSignIns.unlink(id, { issuer, subject: 'robot-1' }, { by }), { issuer, subject: 'robot-1' })
    t.equal((await agents.find(bob.orgId, id))?.signIns.length, 19)
  },
)
