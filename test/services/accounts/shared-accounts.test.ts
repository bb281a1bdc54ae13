import t from 'tap'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { AccountScope } from '../../../schemas/organizations/account.ts'
import { MAX_ACCOUNTS } from '../../../services/accounts/account-rows.ts'
import { aliasKey, labelAccounts } from '../../../services/accounts/aliases.ts'
import { accountFixture } from '../../fixtures/account-fixture.ts'
import { testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import type { TestMember } from '../../fixtures/directory.ts'
import fc from '../../fixtures/property.ts'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

const share = { scope: 'shared' } as const
const unshare = { scope: 'private' } as const

t.test('an owner shares their account; its creator or an admin makes it private to its creator again', async t => {
  const { directory, connect, accounts, changed, auditOf } = accountFixture(database)
  const [ada, bob, admin] = await directory.members('member', 'member', 'admin')
  const own = await connect(ada)
  t.same(await accounts.visibleTo(bob.caller), [])
  t.same(await accounts.update(ada.caller, own.id, share), { ...own, scope: 'shared' })
  t.same(await accounts.visibleTo(bob.caller), [{ ...own, scope: 'shared' }], 'it keeps its owner')
  await t.rejects(accounts.update(bob.caller, own.id, unshare), { code: 'not_account_owner' })
  t.same(await accounts.update(admin.caller, own.id, unshare), own)
  t.same(await accounts.visibleTo(admin.caller), [], 'an admin gives it back, not to themselves')
  t.same(await accounts.visibleTo(ada.caller), [own])
  await t.rejects(accounts.update(admin.caller, own.id, share), { code: 'account_not_found' })
  t.same(changed, [ada.orgId, ada.orgId], 'each change, and no refusal, is announced')

  await accounts.update('operator', own.id, share)
  t.match(await accounts.update(ada.caller, own.id, { ...unshare, alias: 'mine' }), { scope: 'private', alias: 'mine' })
  t.same(
    await auditOf(own.id),
    [
      `account.add by ${ada.userId}`,
      'account.share by null',
      `account.rename by ${ada.userId}`,
      `account.share by ${ada.userId}`,
      `account.unshare by ${ada.userId}`,
      `account.unshare by ${admin.userId}`,
    ].sort(),
  )
})

t.test('setting the scope that an account already has changes nothing', async t => {
  const { db, directory, connect, accounts, auditOf } = accountFixture(database)
  const [ada] = await directory.members('member')
  const own = await connect(ada)
  const version = () => forOrg(db, ada.orgId).selectFrom('org_surface').select('version').executeTakeFirst()
  const before = await version()
  t.same(await accounts.update(ada.caller, own.id, { ...unshare, alias: 'work' }), own)
  t.same(await version(), before, 'no tool list is built again')
  t.same(await auditOf(own.id), [`account.add by ${ada.userId}`])
  const shared = await accounts.update(ada.caller, own.id, share)
  t.same(await accounts.update(ada.caller, own.id, share), shared)
})

t.test('an account whose alias is taken in its new scope stays where it is', async t => {
  const { directory, connect, accounts, auditOf } = accountFixture(database)
  const [ada, bob, admin] = await directory.members('member', 'member', 'admin')
  const own = await connect(ada)
  const theirs = await connect(bob, { scope: 'shared', alias: 'ＷＯＲＫ' })
  await t.rejects(accounts.update(ada.caller, own.id, share), {
    code: 'alias_taken',
    message: /The organization already has a shared account of shop with this alias \(work;/,
  })
  t.same(await accounts.visibleTo(ada.caller), [own, theirs])
  t.same(await auditOf(own.id), [`account.add by ${ada.userId}`])
  t.match(await accounts.update(ada.caller, own.id, { ...share, alias: 'ours' }), { alias: 'ours', scope: 'shared' })

  await connect(ada, { alias: 'Ours' })
  await t.rejects(accounts.update(ada.caller, own.id, unshare), { message: /^You already have a private account of/ })
  const message = new RegExp(`^${ada.userId} already has a private account`)
  await t.rejects(accounts.update(admin.caller, own.id, unshare), { code: 'alias_taken', message })
})

t.test('an account cannot become private to a member who left', async t => {
  const { directory, connect, accounts, members } = accountFixture(database)
  const [ada, bob] = await directory.members('owner', 'member')
  const { id } = await connect(bob, { scope: 'shared' })
  await members.remove({ ...bob, by: ada })
  for (const by of [ada.caller, 'operator'] as const)
    await t.rejects(accounts.update(by, id, unshare), { code: 'invalid_request', message: /is no longer a member/ })
  t.match(await accounts.visibleTo(ada.caller), [{ id, scope: 'shared' }])
  await members.add({ ...bob, role: 'member', by: 'operator' })
  t.match(await accounts.update(ada.caller, id, unshare), { scope: 'private', userId: bob.userId })
})

t.test(
  'an account that becomes private while its member leaves does not stay behind',
  { skip: testDatabaseUrl === undefined && 'needs two sessions: set TEST_DATABASE_URL' },
  async t => {
    const { db, directory, connect, accounts } = accountFixture(database)
    const [ada, bob] = await directory.members('owner', 'member')
    const { id } = await connect(bob, { scope: 'shared' })
    const leaving = await forOrg(db, ada.orgId).transaction(async org => {
      const gone = { revoked_at: new Date() }
      await org.updateTable('memberships').where('user_id', '=', bob.userId).set(gone).execute()
      const unshared = accounts.update(ada.caller, id, unshare).then(
        () => 'private',
        error => error.code,
      )
      await accounts.removePrivateOf(org, bob.userId, { by: ada, because: 'member.remove' })
      return { unshared }
    })
    t.equal(await leaving.unshared, 'invalid_request')
    t.match(await accounts.listOf(ada.orgId), [{ id, scope: 'shared' }])
  },
)

t.test('an account moves only into a scope with room for it', async t => {
  const { db, directory, connect, accounts } = accountFixture(database)
  const [ada] = await directory.members('member')
  const { id } = await connect(ada, { scope: 'shared', alias: 'one more' })
  const row = await forOrg(db, ada.orgId).selectFrom('accounts').where('id', '=', id).selectAll().executeTakeFirst()
  const { settings, granted_scopes, ...columns } = row as NonNullable<typeof row>
  const full = Array.from({ length: MAX_ACCOUNTS.private }, (_, i) => ({
    ...columns,
    id: `${id}${i}`,
    scope: 'private' as const,
    alias: `a${i}`,
    alias_key: `a${i}`,
    settings: JSON.stringify(settings),
    granted_scopes: JSON.stringify(granted_scopes),
  }))
  await forOrg(db, ada.orgId).insertInto('accounts', full).execute()
  const refused = { code: 'invalid_request', message: /You have 50 private accounts of shop, the maximum number/ }
  await t.rejects(accounts.update(ada.caller, id, unshare), refused)
  t.match(await accounts.update(ada.caller, id, { alias: 'renamed' }), { alias: 'renamed', scope: 'shared' })
})

t.test('the credential of a remote connector is not an account that anyone can change or remove', async t => {
  const { db, directory, connect, accounts, clock } = accountFixture(database)
  const [ada] = await directory.members('owner')
  const remoteId = `rem_${'1'.repeat(32)}`
  const registration = {
    id: remoteId,
    slug: 'shop',
    name: 'The shop',
    upstream_url: 'https://shop.test/mcp',
    auth_mode: 'bearer',
    header_name: null,
    created_by: ada.userId,
    created_at: new Date(clock.now()),
    snapshot_id: null,
  } as const
  await forOrg(db, ada.orgId).insertInto('remote_connectors', registration).execute()
  const { id } = await connect(ada, { scope: 'shared', remoteId })
  for (const by of [ada.caller, 'operator'] as const) {
    for (const change of [unshare, { alias: 'mine' }])
      await t.rejects(accounts.update(by, id, change), { code: 'account_not_found' })
    await t.rejects(accounts.remove(by, id), { code: 'account_not_found' })
  }
})

t.test('no order of changes by several members breaks the rules of aliases and visibility', async t => {
  const { directory, connect, accounts } = accountFixture(database)
  const index = fc.nat({ max: 30 })
  const alias = fc.constantFrom('main', 'Main', 'ｍain', 'team', 'ops')
  const scope = fc.constantFrom<AccountScope>('private', 'shared')
  const step = fc.record({
    who: fc.nat({ max: 3 }),
    action: fc.oneof(
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), alias, scope }) },
      {
        weight: 4,
        arbitrary: fc.record(
          { kind: fc.constant('update' as const), index, alias, scope },
          { requiredKeys: ['kind', 'index'] },
        ),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), index }) },
    ),
  })
  interface Expected {
    id: string
    owner: TestMember
    scope: AccountScope
    alias: string
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async steps => {
      const members = await directory.members('owner', 'admin', 'member', 'member')
      let expected: Expected[] = []
      const sees = (who: TestMember, { owner, scope }: Expected) => scope === 'shared' || owner === who
      const isTaken = (one: Omit<Expected, 'id'>, except?: string) =>
        expected.some(
          other =>
            other.id !== except &&
            other.scope === one.scope &&
            aliasKey(other.alias) === aliasKey(one.alias) &&
            (one.scope === 'shared' || other.owner === one.owner),
        )

      for (const { who: member, action } of steps) {
        const who = members[member] as TestMember
        const { role } = who.caller
        if (action.kind === 'connect') {
          const wanted = { owner: who, scope: action.scope, alias: action.alias }
          const connected = connect(who, { alias: action.alias, scope: action.scope }).catch(error => error.code)
          const account = await connected
          if (isTaken(wanted)) t.equal(account, 'alias_taken')
          else expected.push({ id: account.id, ...wanted })
          continue
        }
        const target = expected[action.index % Math.max(expected.length, 1)]
        if (target === undefined) continue
        const { kind, index: _index, ...change } = action
        const wanted = { ...target, ...change }
        const code = !sees(who, target)
          ? 'account_not_found'
          : target.owner !== who && role === 'member'
            ? 'not_account_owner'
            : kind === 'update' && isTaken(wanted, target.id)
              ? 'alias_taken'
              : 'done'
        const done =
          kind === 'remove' ? accounts.remove(who.caller, target.id) : accounts.update(who.caller, target.id, change)
        t.equal(
          await done.then(
            () => 'done',
            error => error.code,
          ),
          code,
        )
        if (code === 'done') {
          expected = expected.filter(one => one !== target)
          if (kind === 'update') expected.push(wanted)
        }
      }

      for (const who of members) {
        const visible = await accounts.visibleTo(who.caller)
        const known = (list: { id: string; scope: string; alias: string }[]) =>
          list.map(({ id, scope, alias }) => `${id} ${scope} ${alias}`).sort()
        t.same(
          known(visible),
          known(expected.filter(one => sees(who, one))),
          'a member sees their own and the shared ones',
        )
        t.equal(labelAccounts(visible).size, visible.length, 'each under a label of its own')
      }
    }),
    { numRuns: 20 },
  )
})
