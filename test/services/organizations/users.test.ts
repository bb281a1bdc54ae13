import t, { type Test } from 'tap'
import { createAudit } from '../../../lib/audit/audit.ts'
import { isDatabaseUnavailable } from '../../../lib/database/database-errors.ts'
import { createOrganizations } from '../../../services/organizations/organizations.ts'
import { createUsers } from '../../../services/organizations/users.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryServices, testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import fc from '../../fixtures/property.ts'

const [SESSION, MCP] = ['https://auth.example', 'https://auth.example/mcp']

async function fixture(t: Test) {
  const clock = testClock(Date.now())
  const database = await testDatabase(t)
  const ids = testIds(clock)
  /** Another process' users: nothing of theirs is cached here. */
  const users = (sharedIssuers: string[] = []) => createUsers({ ...database, clock, ids, sharedIssuers })
  const rows = () => database.db.selectFrom('users').select(['id', 'email']).execute()
  /** An organization, in a process whose issuers share their subjects. */
  const organizations = async (sharedIssuers: string[]) => {
    const { db } = database
    const audit = createAudit({ clock, ids })
    const { wallets, standings } = directoryServices(db, clock)
    const made = createOrganizations({
      commands,
      db,
      clock,
      ids,
      audit,
      users: users(sharedIssuers),
      wallets,
      standings,
    })
    const { id: orgId } = await made.create({ name: 'Analytical Engines', by: 'operator' })
    const create = (issuer: string, subject: string) =>
      made.createUser({ orgId, email: 'ada@example.test', role: 'owner', subject: { issuer, subject }, by: 'operator' })
    return { orgId, create }
  }
  return { database, users, rows, organizations }
}

const of = (issuer: string, subject: string, email?: string) => ({ issuer, subject, email })

t.test('a user is created once, when their first token arrives', async t => {
  const { users, rows } = await fixture(t)
  const one = users()
  const id = await one.idOf(of(SESSION, 'ada', 'ada@example.test'))
  t.match(id, /^usr_[0-9a-f]{32}$/)
  t.equal(await one.idOf(of(SESSION, 'ada')), id)
  t.equal(await users().idOf(of(SESSION, 'ada', 'other@example.test')), id, 'another process finds the user')
  t.same(await rows(), [{ id, email: 'ada@example.test' }])
})

t.test('concurrent first tokens in two processes create one user', async t => {
  const { users, rows } = await fixture(t)
  const [one, two] = [users(), users()]
  const all = await Promise.all([1, 2, 3, 4].flatMap(() => [one.idOf(of(MCP, 'ada')), two.idOf(of(MCP, 'ada'))]))
  t.equal(new Set(all).size, 1)
  t.equal((await rows()).length, 1)
})

t.test('one subject at two issuers is two users, unless they share their subjects', async t => {
  const { users, rows } = await fixture(t)
  t.not(await users().idOf(of(SESSION, 'ada')), await users().idOf(of(MCP, 'ada')))
  const sharing = users([SESSION, MCP])
  t.equal(await sharing.idOf(of(SESSION, 'grace')), await sharing.idOf(of(MCP, 'grace')))
  const [one, two] = [users([SESSION, MCP]), users([SESSION, MCP])]
  const [first, second] = await Promise.all([one.idOf(of(SESSION, 'joan')), two.idOf(of(MCP, 'joan'))])
  t.equal(first, second, 'also where both first tokens come at once')
  t.not(await sharing.idOf(of('https://elsewhere.example', 'grace')), await sharing.idOf(of(MCP, 'grace')))
  t.equal((await rows()).length, 5)
})

t.test('the operator and a first token, concurrent or in sequence, create one user', async t => {
  const { users, rows, organizations } = await fixture(t)
  const { orgId, create } = await organizations([SESSION, MCP])
  const [made, seen] = await Promise.allSettled([create(SESSION, 'ada'), users([SESSION, MCP]).idOf(of(MCP, 'ada'))])
  t.equal(seen.status, 'fulfilled')
  const id = await users([SESSION, MCP]).idOf(of(SESSION, 'ada'))
  if (made.status === 'fulfilled') t.equal(made.value.id, id)
  else t.match(made.reason, { code: 'invalid_request', message: new RegExp(`already belong to user ${id}`) })
  await t.rejects(create(MCP, 'ada'), { code: 'invalid_request', message: new RegExp(`already belong to user ${id}`) })
  t.equal((await rows()).length, 1)
  t.match(orgId, /^org_/)
})

t.test('any subject names exactly one user', async t => {
  const { users } = await fixture(t)
  const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter(text => !text.includes('\u0000'))
  const seen = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(name, fc.constantFrom(SESSION, MCP), async (subject, issuer) => {
      const id = await users().idOf(of(issuer, subject))
      const others = [...seen].filter(([key]) => key !== `${issuer} ${subject}`)
      seen.set(`${issuer} ${subject}`, id)
      return others.every(([, other]) => other !== id) && (await users().idOf(of(issuer, subject))) === id
    }),
    { numRuns: 30 },
  )
})

t.test('while the database is down, known users are found and others get the database error', async t => {
  const { users, database } = await fixture(t)
  const one = users()
  const id = await one.idOf(of(SESSION, 'ada'))
  await database.close()
  t.equal(await one.idOf(of(SESSION, 'ada')), id)
  t.ok(isDatabaseUnavailable(await one.idOf(of(SESSION, 'grace')).catch(error => error)))
})
