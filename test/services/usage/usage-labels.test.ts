import t from 'tap'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { UsageBy } from '../../../services/usage/usage-groups.ts'
import { accountFixture } from '../../fixtures/account-fixture.ts'
import { testDatabase } from '../../fixtures/database.ts'
import type { TestMember } from '../../fixtures/directory.ts'
import { usageFixture } from '../../fixtures/usage-fixture.ts'

const database = await testDatabase(t)

/** An organization in which everyone has used a key, an agent, a private and a shared account. */
async function fixture() {
  const made = accountFixture(database)
  const { usage, call, write } = usageFixture(database.db, made.clock)
  async function used(member: TestMember, name: string) {
    const { id: keyId } = await made.keys.create({ ...member, name: `key of ${name}`, by: 'operator' })
    const { id: agentId } = await member.agent(`agent of ${name}`)
    const own = await made.connect(member, { alias: `own of ${name}` })
    const shared = await made.connect(member, { alias: `shared of ${name}`, scope: 'shared' })
    await write(...[own, shared].map(({ id }) => call(member, { keyId, agentId, accountId: id })), call(member))
    return { keyId, agentId }
  }
  const [root, ada] = await made.directory.members('admin', 'member')
  const [eve] = await made.directory.members('owner')
  for (const [name, member] of Object.entries({ root, ada, eve })) await used(member, name)
  const emails = new Map((await made.members.list(ada.orgId)).map(({ userId, email }) => [userId, email]))
  const labels = async (viewer: TestMember | undefined, by: UsageBy) => {
    const asked = { period: 'today', by } as const
    const { groups } =
      viewer === undefined
        ? await usage.summarize({ ...asked, orgId: ada.orgId })
        : await usage.summarizeFor(viewer.caller, asked)
    return groups.map(({ label }) => label).sort()
  }
  return { ...made, usage, call, write, root, ada, eve, emails, labels }
}

t.test('the operator and admins see whose usage it is by name, members their own, and no one another’s', async t => {
  const { root, ada, eve, emails, labels } = await fixture()
  const both = (name: string) => [`${name} of ada`, `${name} of root`]
  for (const viewer of [undefined, root]) {
    t.same(await labels(viewer, 'member'), [...emails.values()].sort())
    t.same(await labels(viewer, 'key'), [...both('key'), null])
    t.same(await labels(viewer, 'agent'), [...both('agent'), null])
  }
  t.same(await labels(ada, 'member'), [emails.get(ada.userId)])
  t.same(await labels(ada, 'key'), ['key of ada', null])
  t.same(await labels(ada, 'agent'), ['agent of ada', null])
  t.same(await labels(eve, 'key'), ['key of eve', null])
  t.same(await labels(root, 'tool'), [undefined], 'tools, connectors and days are names already')
})

t.test('the private account of another member has no label, not even for an admin', async t => {
  const { root, ada, labels } = await fixture()
  const shared = (name: string) => `shop shared of ${name}`
  const own = (name: string) => `shop own of ${name}`
  t.same(await labels(undefined, 'account'), [own('ada'), own('root'), shared('ada'), shared('root'), null].sort())
  t.same(await labels(root, 'account'), [own('root'), shared('ada'), shared('root'), null, null].sort())
  t.same(await labels(ada, 'account'), [own('ada'), shared('ada'), null].sort())
})

t.test('an agent that has another owner by now is not named to its former one', async t => {
  const { db, root, ada, labels } = await fixture()
  await forOrg(db, ada.orgId).updateTable('agents').set({ owner_id: root.userId }).execute()
  await forOrg(db, ada.orgId).updateTable('api_keys').set({ user_id: root.userId }).execute()
  t.same(await labels(ada, 'agent'), [null, null])
  t.same(await labels(ada, 'key'), [null, null])
  t.same((await labels(root, 'agent')).length, 3)
})

t.test('an ID of another organization in a usage row names nothing', async t => {
  const { keys, ada, eve, call, write, labels } = await fixture()
  const { id: keyId } = await keys.create({ ...eve, name: 'foreign', by: 'operator' })
  await write(call(ada, { keyId }))
  for (const viewer of [undefined, ada]) t.notOk((await labels(viewer, 'key')).includes('foreign'))
})

t.test('the usage of a removed member is still theirs by email', async t => {
  const { members, ada, root, emails, labels } = await fixture()
  await members.remove({ ...ada, by: 'operator' })
  t.same(await labels(root, 'member'), [...emails.values()].sort())
})
