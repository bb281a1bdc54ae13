import { type Kysely, sql } from 'kysely'
import t from 'tap'
import { up } from '../../../lib/database/migrations/0010_alias_keys.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Role } from '../../../schemas/organizations/member.ts'
import { type Account, canRemove, canSee } from '../../../services/accounts/account.ts'
import { aliasKey, findByLabel, labelAccounts } from '../../../services/accounts/aliases.ts'
import { defaultAlias } from '../../../services/connectors/connect/store-connection.ts'
import { accountFixture } from '../../fixtures/account-fixture.ts'
import { testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import fc from '../../fixtures/property.ts'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

const facts = { identity: 'ada@shop.test', identityKey: 'ada', authKind: 'oauth2', keyVerified: null } as const
const grant = { ...facts, settings: { site: 'us' }, grantedScopes: ['read', 'write'] }

t.test('a member sees their private accounts and the shared ones of their organization, and no others', async t => {
  const { directory, connect, accounts } = accountFixture(database)
  const [ada, bob] = await directory.members('member', 'admin')
  const [eve] = await directory.members('owner')
  const own = await connect(ada)
  const shared = await connect(bob, { alias: 'team', scope: 'shared' })
  const mail = await connect(ada, { connector: 'mail' })
  await connect(bob)
  await connect(eve, { scope: 'shared' })
  t.same(await accounts.visibleTo(ada.caller), [mail, own, shared], 'by connector, the oldest first')
  t.same(
    (await accounts.listOf(ada.orgId)).map(({ userId }) => userId),
    [ada.userId, ada.userId, bob.userId, bob.userId],
  )
  await t.rejects(accounts.listOf(`org_${'0'.repeat(32)}`), { code: 'invalid_request' })
})

t.test(
  'an alias is unique per connector and owner among private accounts, per connector among shared ones',
  async t => {
    const { directory, connect, accounts } = accountFixture(database)
    const [ada, bob] = await directory.members('member', 'member')
    await connect(ada)
    const taken = { code: 'alias_taken' }
    await t.rejects(connect(ada), {
      ...taken,
      message: /You already have a private account of shop with this alias .work;/,
    })
    await connect(ada, { connector: 'mail' })
    await connect(bob)
    await connect(bob, { scope: 'shared' })
    await t.rejects(connect(ada, { scope: 'shared' }), taken)
    const other = await connect(ada, { alias: 'Zoë 2' })
    await t.rejects(accounts.update(ada.caller, other.id, { alias: 'work' }), taken)
    t.match(await accounts.update(ada.caller, other.id, { alias: ' Zoe\u0308 3 ' }), { id: other.id, alias: 'Zoë 3' })
    for (const alias of ['shared:work', '', '-x', 'a\nb', 'x'.repeat(65)])
      await t.rejects(connect(ada, { alias }), { code: 'invalid_request', message: /An alias begins with/ }, alias)
  },
)

t.test('aliases that differ only in case or in the width of their characters are equal', async t => {
  const { directory, connect, accounts } = accountFixture(database)
  const [ada] = await directory.members('member')
  await connect(ada, { alias: 'main' })
  const other = await connect(ada, { alias: 'straße' })
  const taken = { code: 'alias_taken' }
  for (const alias of ['Main', 'MAIN', 'ｍain', 'ＭＡＩＮ', 'STRASSE', 'STRAẞE', 'Straße'])
    await t.rejects(connect(ada, { alias }), taken, alias)
  await t.rejects(accounts.update(ada.caller, other.id, { alias: 'Main' }), taken)
  t.match(
    await accounts.update(ada.caller, other.id, { alias: 'Straße' }),
    { alias: 'Straße' },
    'an account may change the case of its own alias',
  )
  const shared = await connect(ada, { alias: 'Main', scope: 'shared' })
  const labels = labelAccounts(await accounts.visibleTo(ada.caller))
  t.same(
    [...labels.keys()],
    ['main', 'Straße', 'shared:Main'],
    'a shared account has another label than a private one with the same alias',
  )
  t.match(findByLabel(labels, 'shared:Main'), { id: shared.id })
  t.equal(findByLabel(labels, 'Main'), undefined, 'a call must use a label exactly')
})

t.test('an account without a given alias gets a unique one', async t => {
  const taken = new Set(['Ada@Shop.test', 'ada@shop.test-2'].map(aliasKey))
  t.equal(defaultAlias('ada@shop.test', 'shop', taken), 'ada@shop.test-3')
})

t.test('the migration of aliases keeps accounts whose aliases are now equal', async t => {
  const migrated = await testDatabase(t)
  const { directory, connect, accounts } = accountFixture(migrated)
  const [ada, bob] = await directory.members('member', 'member')
  const oldest = await connect(ada, { alias: 'main' })
  const later = await connect(ada, { alias: 'later' })
  await connect(bob, { alias: 'MAIN' })
  // Migrations see all organizations.
  const db = migrated.db.withoutPlugins() as unknown as Kysely<unknown>
  // The state before the migration. All rows have the same time, so the ID decides which one is the oldest.
  await sql`alter table accounts drop column alias_key`.execute(db)
  await sql`update accounts set alias = 'Main', created_at = created_at + interval '1 s' where id = ${later.id}`.execute(
    db,
  )
  await up(db)
  const keys = await sql<{ id: string; alias_key: string }>`select id, alias_key from accounts`.execute(db)
  const keyOf = new Map(keys.rows.map(row => [row.id, row.alias_key]))
  t.same([keyOf.get(oldest.id), keyOf.get(later.id)], ['main', `main#${later.id}`])
  t.equal([...keyOf.values()].filter(key => key === 'main').length, 2, 'another member’s account has the plain key')
  t.match(await accounts.visibleTo(ada.caller), [oldest, { ...later, alias: 'Main' }])
  await t.rejects(connect(ada, { alias: 'mAIN' }), { code: 'alias_taken' })
  t.match(await accounts.update(ada.caller, later.id, { alias: 'other' }), { alias: 'other' })
})

t.test('a user who is not an active member gets no account', async t => {
  const { directory, connect, members } = accountFixture(database)
  const [ada, bob] = await directory.members('owner', 'member')
  const [eve] = await directory.members('owner')
  await members.remove({ ...bob, by: ada })
  const refused = { code: 'invalid_request', message: /is not a member of/ }
  await t.rejects(connect(bob), refused)
  await t.rejects(connect({ ...eve, orgId: ada.orgId }), refused)
})

t.test('reauthorizing keeps ID and alias, restores the status and rejects another identity', async t => {
  const { db, directory, connect, accounts, auditOf } = accountFixture(database)
  const [ada] = await directory.members('member')
  const { id } = await connect(ada)
  await accounts.setStatus(id, 'needs_reauth', 'operator')
  t.match(await accounts.visibleTo(ada.caller), [{ id, status: 'needs_reauth' }])
  const org = forOrg(db, ada.orgId)
  const by = ada
  const stranger = { ...grant, identity: 'eve@shop.test', identityKey: 'eve', by }
  await t.rejects(
    org.transaction(org => accounts.reauthorized(org, id, stranger)),
    { code: 'identity_mismatch', message: /work is ada@shop.test of shop, but the authorization is for eve@shop.test/ },
  )
  const renewed = await org.transaction(org => accounts.reauthorized(org, id, { ...grant, by }))
  t.match(renewed, { id, alias: 'work', status: 'connected', settings: { site: 'us' } })
  t.same(await accounts.visibleTo(ada.caller), [renewed])
  const nobody = `acc_${'0'.repeat(32)}`
  await t.rejects(
    org.transaction(org => accounts.reauthorized(org, nobody, { ...grant, by })),
    { code: 'account_not_found' },
  )
  t.same(await auditOf(id), [
    `account.add by ${ada.userId}`,
    `account.reauthorize by ${ada.userId}`,
    'account.status by null',
  ])
})

t.test('an unverified key can be replaced by another, because its fingerprint is no identity', async t => {
  const { db, directory, connect, accounts } = accountFixture(database)
  const [ada] = await directory.members('member')
  const pasted = { authKind: 'api_key', keyVerified: false, identity: 'key …1', identityKey: 'one' } as const
  const { id } = await connect(ada, pasted)
  const next = { ...grant, ...pasted, identity: 'key …2', identityKey: 'two', by: ada }
  const reauthorize = (known: typeof next | (Omit<typeof next, 'keyVerified'> & { keyVerified: true })) =>
    forOrg(db, ada.orgId).transaction(org => accounts.reauthorized(org, id, known))
  t.match(await reauthorize(next), { id, identity: 'key …2', keyVerified: false })
  t.match(await reauthorize({ ...next, keyVerified: true, identityKey: 'ada' }), { keyVerified: true })
  await t.rejects(reauthorize(next), { code: 'identity_mismatch' }, 'but not after the provider has identified it')
})

t.test(
  'an invisible account is not found, with one text for all; only its keepers may change a shared one',
  async t => {
    const { directory, connect, accounts } = accountFixture(database)
    const [owner, admin, ada, bob] = await directory.members('owner', 'admin', 'member', 'member')
    const [eve] = await directory.members('owner')
    const secret = await connect(ada)
    const shared = await connect(ada, { scope: 'shared' })
    const actions = [
      (caller: typeof ada.caller, id: string) => accounts.changeable(caller, id),
      (caller: typeof ada.caller, id: string) => accounts.update(caller, id, { alias: 'new' }),
      (caller: typeof ada.caller, id: string) => accounts.remove(caller, id),
    ]
    const messages = new Set<string>()
    for (const act of actions) {
      const unknown: [typeof ada, string][] = [
        [bob, `acc_${'0'.repeat(32)}`],
        [bob, secret.id],
        [owner, secret.id],
        [eve, secret.id],
        [eve, shared.id],
      ]
      for (const [who, id] of unknown) {
        const error = await act(who.caller, id).catch(error => error)
        t.match(error, { code: 'account_not_found' })
        messages.add(error.message)
      }
      await t.rejects(act(bob.caller, shared.id), { code: 'not_account_owner' })
    }
    t.equal(messages.size, 1, 'one text for all of them')
    await t.rejects(accounts.setStatus(shared.id, 'needs_reauth', eve), { code: 'account_not_found' })
    await t.rejects(
      accounts.remove(ada.caller, shared.id, 'mail'),
      { code: 'account_not_found' },
      'an account of another connector',
    )

    t.match(await accounts.changeable(admin.caller, shared.id), { id: shared.id })
    t.match(await accounts.update(ada.caller, shared.id, { alias: 'ours' }), { alias: 'ours' })
    t.match(await accounts.remove(owner.caller, shared.id, 'shop'), { alias: 'ours' })
    t.match(await accounts.remove('operator', secret.id), { id: secret.id })
  },
)

t.test('removing an account removes its credential and enqueues its revocation in the same transaction', async t => {
  const { directory, connect, accounts, revoked, changed, credentials, auditOf } = accountFixture(database)
  const [ada] = await directory.members('member')
  const { id } = await connect(ada, { client: { id: 'app', source: 'org' } })
  await accounts.remove(ada.caller, id)
  t.same(revoked, [
    {
      accountId: id,
      connector: 'shop',
      settings: { site: 'eu' },
      sealed: `sealed of ${id}`,
      clientId: 'app',
    },
  ])
  t.same(await credentials(ada.orgId), [])
  t.same(await auditOf(id), [`account.add by ${ada.userId}`, `account.remove by ${ada.userId}`])
  t.same(changed, [ada.orgId])
  await t.rejects(accounts.remove(ada.caller, id), { code: 'account_not_found' })
})

t.test('if the revocation cannot be enqueued, the account stays', async t => {
  const { directory, connect, accounts, revoked, credentials } = accountFixture(database)
  const [ada] = await directory.members('member')
  const { id } = await connect(ada)
  revoked.push = () => {
    throw new Error('no jobs today')
  }
  await t.rejects(accounts.remove(ada.caller, id), /no jobs today/)
  t.match(await accounts.visibleTo(ada.caller), [{ id }])
  t.equal((await credentials(ada.orgId)).length, 1)
})

t.test(
  'disconnecting removes the only private account of a connector, none of several, and never a shared one',
  async t => {
    const { directory, connect, accounts, revoked } = accountFixture(database)
    const [ada, bob] = await directory.members('owner', 'member')
    const shared = await connect(ada, { scope: 'shared', alias: 'team' })
    await connect(bob)
    await connect(ada, { connector: 'mail' })
    const left = async () => (await accounts.visibleTo(ada.caller)).map(({ alias }) => alias)
    await accounts.removeOnly(ada.caller, 'shop')
    t.same(revoked, [], 'nothing happens without an account')
    const one = await connect(ada, { alias: 'one' })
    const two = await connect(ada, { alias: 'two' })
    await t.rejects(accounts.removeOnly(ada.caller, 'shop'), {
      code: 'multiple_accounts',
      message: /: one \(acc_\w{32}\), two \(acc_\w{32}\). Remove one by its ID/,
    })
    t.same(await left(), ['work', 'team', 'one', 'two'])
    await accounts.remove(ada.caller, two.id)
    await accounts.removeOnly(ada.caller, 'shop')
    t.same(await left(), ['work', 'team'])
    t.same(
      revoked.map(({ accountId }) => accountId),
      [two.id, one.id],
    )
    t.match(await accounts.visibleTo(bob.caller), [{ alias: shared.alias }, { userId: bob.userId }])
  },
)

t.test('a departing member leaves the shared accounts; the grants of their private ones are revoked', async t => {
  const { db, directory, connect, accounts, revoked, auditOf } = accountFixture(database)
  const [ada, bob] = await directory.members('owner', 'member')
  const [mine, mail] = [await connect(bob), await connect(bob, { connector: 'mail' })]
  const shared = await connect(bob, { scope: 'shared' })
  const kept = await connect(ada)
  await forOrg(db, ada.orgId).transaction(org =>
    accounts.removePrivateOf(org, bob.userId, { by: ada, because: 'member.remove' }),
  )
  t.same((await accounts.listOf(ada.orgId)).map(({ id }) => id).sort(), [shared.id, kept.id].sort())
  t.same(revoked.map(({ accountId }) => accountId).sort(), [mine.id, mail.id].sort())
  t.ok((await auditOf(mine.id)).includes(`account.remove by ${ada.userId}`))
})

t.test(
  'an account connected during its member’s departure is not left behind',
  { skip: testDatabaseUrl === undefined && 'needs two sessions: set TEST_DATABASE_URL' },
  async t => {
    const { db, directory, connect, accounts } = accountFixture(database)
    const [ada, bob] = await directory.members('owner', 'member')
    const gone = new Date()
    const leaves = forOrg(db, ada.orgId).transaction(async org => {
      await org.updateTable('memberships').where('user_id', '=', bob.userId).set({ revoked_at: gone }).execute()
      const late = connect(bob).then(
        () => 'connected',
        error => error.code,
      )
      await accounts.removePrivateOf(org, bob.userId, { by: ada, because: 'member.remove' })
      return { late }
    })
    t.equal(await (await leaves).late, 'invalid_request')
    t.same(await accounts.listOf(ada.orgId), [])
  },
)

t.test('a status change is written once, by the operator or after a provider’s answer', async t => {
  const { db, directory, connect, accounts, auditOf } = accountFixture(database)
  const [ada] = await directory.members('member')
  const { id } = await connect(ada)
  const mark = (id: string) => forOrg(db, ada.orgId).transaction(org => accounts.markNeedsReauth(org, id))
  await mark(id)
  await mark(id)
  await mark(`acc_${'0'.repeat(32)}`)
  t.match(await accounts.visibleTo(ada.caller), [{ id, status: 'needs_reauth' }])
  await accounts.setStatus(id, 'connected', 'operator')
  t.match(await accounts.visibleTo(ada.caller), [{ id, status: 'connected' }])
  t.same(await auditOf(id), [`account.add by ${ada.userId}`, 'account.status by null', 'account.status by null'])
  await t.rejects(accounts.setStatus(`acc_${'0'.repeat(32)}`, 'connected', 'operator'), { code: 'account_not_found' })
})

t.test('the accounts that use an organization’s own app are counted', async t => {
  const { directory, connect, accounts } = accountFixture(database)
  const [ada, bob] = await directory.members('owner', 'member')
  const [eve] = await directory.members('owner')
  const client = { id: 'app', source: 'org' } as const
  await connect(ada, { client })
  await connect(bob, { client })
  await connect(bob, { alias: 'old', client: { ...client, id: 'older' } })
  await connect(bob, { alias: 'other', client: { ...client, source: 'platform' } })
  await connect(bob, { connector: 'mail', client })
  await connect(eve, { client })
  t.equal(await accounts.connectionsOf(ada.orgId, 'shop', 'app'), 2)
})

t.test('visibility, removal and labels agree for any accounts and any caller', async t => {
  const users = ['usr_a', 'usr_b', 'usr_c']
  const orgs = ['org_1', 'org_2']
  const account: fc.Arbitrary<Account> = fc.record({
    id: fc.uuid(),
    orgId: fc.constantFrom(...orgs),
    connector: fc.constantFrom('shop', 'mail'),
    userId: fc.constantFrom(...users),
    scope: fc.constantFrom('private', 'shared'),
    alias: fc.constantFrom('work', 'home', 'team'),
    identity: fc.constant('x'),
    authKind: fc.constant('oauth2'),
    keyVerified: fc.constant(null),
    status: fc.constantFrom('connected', 'needs_reauth'),
    settings: fc.constant({}),
    grantedScopes: fc.constant(null),
  })
  // As the two unique indexes of the database require.
  const stored = fc.uniqueArray(account, {
    selector: ({ orgId, connector, scope, userId, alias }) =>
      [orgId, connector, scope, scope === 'private' && userId, alias].join(),
    maxLength: 30,
  })
  const caller = fc.record({
    orgId: fc.constantFrom(...orgs),
    userId: fc.constantFrom(...users),
    role: fc.constantFrom<Role>('owner', 'admin', 'member'),
  })
  fc.assert(
    fc.property(stored, caller, (all, caller) => {
      const visible = all.filter(each => canSee(caller, each))
      for (const each of all) {
        const own = each.orgId === caller.orgId && each.userId === caller.userId
        const reached = each.orgId === caller.orgId && each.scope === 'shared'
        t.equal(canSee(caller, each), own || reached)
        t.equal(canRemove(caller, each), own || (reached && caller.role !== 'member'))
      }
      for (const connector of ['shop', 'mail']) {
        const ofOne = visible.filter(each => each.connector === connector)
        const labels = labelAccounts(ofOne)
        t.equal(labels.size, ofOne.length, 'no account hides another')
        for (const [label, each] of labels) {
          t.equal(findByLabel(labels, label), each, 'a label finds the account that it was given to')
          if (each.scope === 'private') t.equal(label, each.alias, 'the caller’s own account wins')
          else
            for (const others of [labels, labelAccounts([each])])
              t.equal(findByLabel(others, `shared:${each.alias}`), each, 'whether an own account has its alias or not')
        }
      }
    }),
    { numRuns: 200 },
  )
})
