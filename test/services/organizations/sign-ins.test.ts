import { sql } from 'kysely'
import t from 'tap'
import { createAudit } from '../../../lib/audit/audit.ts'
import type { OpenDatabase } from '../../../lib/database/open-database.ts'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { createSignIns } from '../../../services/organizations/sign-ins.ts'
import { createUsers } from '../../../services/organizations/users.ts'
import { build } from '../../fixtures/build.ts'
import { asWritten, testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import { directory, directoryServices, type TestMember, testIds } from '../../fixtures/directory.ts'
import { NO_EVENTS, testClock } from '../../fixtures/fixture.ts'
import { callerOfApp } from '../../fixtures/journey-fixture.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import fc from '../../fixtures/property.ts'
import { testIssuer } from '../../fixtures/test-issuer.ts'
import { until } from '../../fixtures/until.ts'

const [SESSION, MCP] = ['https://auth.example', 'https://auth.example/mcp']
const by = 'operator'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

/** The sign-ins of users; `SESSION` and `MCP` share their subjects on request. */
function fixture({ db }: OpenDatabase = database, sharedIssuers: readonly string[] = []) {
  const clock = testClock(Date.now())
  const ids = testIds(clock)
  const services = directoryServices(db, clock)
  const options = {
    db,
    clock,
    ids,
    audit: createAudit({ clock, ids }),
    commands,
    sharedIssuers,
    issuers: [SESSION, MCP],
  }
  // A process that hears of no change: what it answers after 10 s, it read again.
  const users = createUsers({ ...options, events: NO_EVENTS })
  return {
    ...services,
    clock,
    directory: directory(services),
    signIns: createSignIns(options),
    /** The user of a token. */
    async idOf(issuer: string, subject: string, email?: string) {
      clock.advance(10_000)
      return users.idOf({ issuer, subject, email })
    },
    async auditOf({ orgId, userId }: TestMember) {
      const rows = forOrg(db, orgId).selectFrom('audit').where('target', '=', userId).where('action', 'like', 'user.%')
      return rows.orderBy('at').orderBy(asWritten).select(['action', 'user_id', 'detail']).execute()
    },
  }
}

t.test('an issuer that is not a URL is refused, and one whose tokens are rejected is known', async t => {
  const { directory, organizations, signIns } = fixture()
  const [ada] = await directory.members('owner')
  for (const issuer of ['issuer', 'id.example', 'ftp://id.example', 'https://', 'https://id.example /']) {
    const refused = { code: 'invalid_request', message: /^The issuer must be a URL, exactly as in the `iss`/ }
    await t.rejects(signIns.link({ userId: ada.userId, issuer, subject: 's', move: false, by }), refused)
    const user = { orgId: ada.orgId, email: 'x@example.test', role: 'member', by } as const
    await t.rejects(organizations.createUser({ ...user, subject: { issuer, subject: 's' } }), refused)
  }
  t.same([SESSION, MCP, `${SESSION}/`].map(signIns.accepts), [true, true, false])
})

t.test('a linked sign-in is the user’s, and is audited in each of their organizations', async t => {
  const { directory, members, signIns, idOf, auditOf } = fixture()
  const [ada] = await directory.members('owner')
  const [eve] = await directory.members('owner')
  await members.add({ orgId: eve.orgId, userId: ada.userId, role: 'member', by })
  const link = { userId: ada.userId, issuer: SESSION, subject: 'ada-1', move: false, by } as const
  t.same(await signIns.link(link), { linked: true, movedFrom: [] })
  t.same(await signIns.link(link), { linked: false, movedFrom: [] }, 'again')
  t.equal(await idOf(SESSION, 'ada-1'), ada.userId)
  t.not(await idOf(MCP, 'ada-1'), ada.userId, 'another issuer has users of its own')
  const rows = [{ action: 'user.link', user_id: null, detail: { issuer: SESSION, subject: 'ada-1' } }]
  t.same(await auditOf(ada), rows)
  t.same(await auditOf({ ...eve, userId: ada.userId }), rows)
})

t.test(
  'a sign-in of another member is refused, and one of a user without organizations is moved on request',
  async t => {
    const { directory, members, signIns, idOf } = fixture()
    const [ada, bob] = await directory.members('owner', 'member')
    const first = await idOf(SESSION, 'ada-2', 'ada@example.test')
    const link = { userId: ada.userId, issuer: SESSION, subject: 'ada-2', by } as const
    await t.rejects(signIns.link({ ...link, move: false }), {
      code: 'invalid_request',
      message: new RegExp(`belong to user ${first} \\(ada@example.test\\), a member of no organization.*--move$`),
    })
    t.equal(await idOf(SESSION, 'ada-2'), first)
    t.same(await signIns.link({ ...link, move: true }), { linked: true, movedFrom: [first] })
    t.equal(await idOf(SESSION, 'ada-2'), ada.userId)

    const toBob = { ...link, userId: bob.userId }
    const unlink = `user unlink --user ${ada.userId} --issuer ${SESSION} --subject ada-2`
    for (const move of [false, true])
      await t.rejects(signIns.link({ ...toBob, move }), {
        code: 'invalid_request',
        message: new RegExp(`a member of ${ada.orgId}. To release .*${unlink}$`),
      })
    t.equal(await idOf(SESSION, 'ada-2'), ada.userId)
    await members.setRole({ ...bob, role: 'owner', by })
    await members.remove({ ...ada, by })
    t.match(await signIns.link({ ...toBob, move: true }), { movedFrom: [ada.userId] }, 'a removed member is no member')
  },
)

t.test('an unlinked sign-in is no longer the user’s', async t => {
  const { directory, signIns, idOf, auditOf } = fixture()
  const [ada, bob] = await directory.members('owner', 'member')
  const signIn = { userId: ada.userId, issuer: SESSION, subject: 'ada-3', by } as const
  await signIns.link({ ...signIn, move: false })
  await t.rejects(signIns.unlink({ ...signIn, userId: bob.userId }), { code: 'invalid_request' }, 'not of this user')
  await t.rejects(signIns.unlink({ ...signIn, subject: 'nobody' }), { message: /has no such sign-in.* member list/ })
  t.equal(await idOf(SESSION, 'ada-3'), ada.userId)
  t.same(await signIns.unlink(signIn), [{ issuer: SESSION, subject: 'ada-3' }])
  t.not(await idOf(SESSION, 'ada-3'), ada.userId)
  t.match(await auditOf(ada), [{ action: 'user.link' }, { action: 'user.unlink' }])
})

t.test('a sign-in covers all issuers that share their subjects', async t => {
  const { directory, signIns, idOf } = fixture(database, [SESSION, MCP])
  const [ada] = await directory.members('owner')
  const first = await idOf(SESSION, 'ada-4')
  const signIn = { userId: ada.userId, issuer: MCP, subject: 'ada-4', by } as const
  await t.rejects(signIns.link({ ...signIn, move: false }), { message: new RegExp(`belong to user ${first}`) })
  await signIns.link({ ...signIn, move: true })
  for (const issuer of [SESSION, MCP]) t.equal(await idOf(issuer, 'ada-4'), ada.userId, issuer)
  t.equal((await signIns.unlink(signIn)).length, 2, 'otherwise the next token would link it again')
  for (const issuer of [SESSION, MCP]) t.not(await idOf(issuer, 'ada-4'), ada.userId, issuer)
})

t.test('unknown users get no sign-in', async t => {
  const { signIns } = fixture()
  const unknown = { message: /There is no user .* member list/ }
  for (const userId of ['usr_1', `usr_${'0'.repeat(32)}`, 'ada@example.test']) {
    const signIn = { userId, issuer: SESSION, subject: 'x', by } as const
    await t.rejects(signIns.link({ ...signIn, move: true }), unknown)
    await t.rejects(signIns.unlink(signIn), unknown)
  }
})

t.test('no order of tokens and links gives a member’s sign-in to someone else', async t => {
  const { directory, signIns, idOf } = fixture(database, [SESSION, MCP])
  const step = fc.record({
    action: fc.constantFrom('token', 'link', 'move', 'unlink'),
    who: fc.nat({ max: 2 }),
    issuer: fc.constantFrom(SESSION, MCP),
    subject: fc.nat({ max: 2 }),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async steps => {
      run++
      const members = await directory.members('owner', 'member', 'member')
      const isMember = (id: string) => members.some(({ userId }) => userId === id)
      const holders = new Map<string, string>()
      for (const { action, who, issuer, subject: number } of steps) {
        const subject = `${run}-${number}`
        const { userId } = members[who] as TestMember
        const holder = holders.get(subject)
        const signIn = { userId, issuer, subject, by } as const
        const outcome = (change: Promise<unknown>) =>
          change.then(
            () => 'done',
            error => error.code,
          )
        if (action === 'token') {
          const id = await idOf(issuer, subject)
          if (holder === undefined) t.notOk(isMember(id), 'a new user')
          else t.equal(id, holder)
          holders.set(subject, id)
        } else if (action === 'unlink') {
          const own = holder === userId
          t.equal(await outcome(signIns.unlink(signIn)), own ? 'done' : 'invalid_request')
          if (own) holders.delete(subject)
        } else {
          const move = action === 'move'
          const free = holder === undefined || holder === userId || (move && !isMember(holder))
          t.equal(await outcome(signIns.link({ ...signIn, move })), free ? 'done' : 'invalid_request')
          if (free) holders.set(subject, userId)
        }
      }
      for (const [subject, holder] of holders)
        for (const issuer of [SESSION, MCP]) t.equal(await idOf(issuer, subject), holder)
    }),
    { numRuns: 20 },
  )
})

t.test('a token that was verified before the link is the other user’s at once, without a new sign-in', async t => {
  const issuer = await testIssuer(t, { audience: 'gateway' })
  const built = await build(t, {
    settings: {
      tokens: {
        session: { issuer: issuer.issuer, jwksUri: issuer.jwksUri, audience: 'gateway' },
        mcp: undefined,
        shareSubjects: false,
        algorithms: ['RS256'],
        maxLifetimeSeconds: 86_400,
        clockToleranceSeconds: 30,
      },
    },
  })
  issuer.clock = built.clock
  const [ada] = await built.directory.members('owner')
  const { call } = callerOfApp(built, { authorization: `Bearer ${await issuer.mint({ sub: 'ada' })}` })
  const userNow = async () => (await call('manage__whoami')).data?.user_id
  const first = await userNow()
  t.not(first, ada.userId)
  const signIn = { userId: ada.userId, issuer: issuer.issuer, subject: 'ada', by } as const
  await built.services.signIns.link({ ...signIn, move: true })
  await until(async () => (await userNow()) === ada.userId)
  t.match(await call('memory__list_memories'), { outcome: 'ok' })
  await built.services.signIns.unlink(signIn)
  await until(async () => (await userNow()) !== ada.userId)
  t.match(await call('memory__list_memories'), { outcome: 'no_active_org' })
})

t.test('of two concurrent additions of one email, one is rejected', async t => {
  const { db } = database
  const one = fixture()
  const two = fixture()
  const { id: orgId } = await one.directory.org()
  const create = ({ organizations }: typeof one, email: string) =>
    organizations.createUser({ orgId, email, role: 'owner', by })
  const results = await Promise.allSettled([create(one, 'ada@example.test'), create(two, ' Ada@Example.test ')])
  t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal((await one.members.list(orgId)).length, 1)

  const others = await one.directory.org()
  const user = (email: string) =>
    one.organizations.createUser({ orgId: others.id, email, role: 'member', by, force: true })
  const [first, second] = [await user('grace@example.test'), await user('GRACE@example.test')]
  const add = ({ members }: typeof one, userId: string) => members.add({ orgId, userId, role: 'member', by })
  const added = await Promise.allSettled([add(one, first.id), add(two, second.id)])
  t.same(added.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal((await acrossOrgs(db).selectFrom('memberships').where('org_id', '=', orgId).selectAll().execute()).length, 2)
})

t.test('the advice for a second user with an email says that a token may have the email of someone else', async t => {
  const { directory, members, idOf } = fixture()
  const [ada] = await directory.members('owner')
  const [member] = await members.list(ada.orgId)
  const userId = await idOf(SESSION, 'mallory', member?.email ?? '')
  await t.rejects(members.add({ orgId: ada.orgId, userId, role: 'member', by }), {
    code: 'invalid_request',
    message: /If you are certain that both are the same person .+ user link .+ --subject mallory --move$/,
  })
})

t.test(
  'no sign-in is taken from a user who becomes a member at the same time',
  { skip: testDatabaseUrl === undefined && 'needs two sessions: set TEST_DATABASE_URL' },
  async t => {
    const { db } = database
    const { directory, members, signIns, idOf, clock } = fixture()
    const [ada] = await directory.members('owner')
    const other = await idOf(SESSION, 'race')
    const membership = { orgId: ada.orgId, userId: other, role: 'member', by } as const
    // Added again, the membership is updated, which locks nothing of the user by itself.
    await members.add(membership)
    await members.remove(membership)

    let linking: Promise<unknown> | undefined
    const { record } = createAudit({ clock, ids: testIds(clock) })
    const audit = {
      async record(...args: Parameters<typeof record>) {
        await record(...args)
        let ended = false
        linking = signIns
          .link({ userId: ada.userId, issuer: SESSION, subject: 'race', move: true, by })
          .catch(error => error)
          .finally(() => {
            ended = true
          })
        await until(async () => ended || (await isWaiting()))
      },
    }
    const isWaiting = async () =>
      (
        await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
        where not l.granted and d.datname = current_database()
        union all select 1 from pg_locks where not granted and locktype = 'transactionid'`.execute(db)
      ).rows.length > 0
    await directoryServices(db, clock, { audit }).members.add(membership)
    t.match(await linking, { code: 'invalid_request', message: /a member of org_/ })
    t.equal(await idOf(SESSION, 'race'), other)
  },
)
