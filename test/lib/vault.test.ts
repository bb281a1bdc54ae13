import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createVault, type Place, VaultError } from '../../lib/vault/vault.ts'
import { createPendingAuthorizations } from '../../services/connectors/connect/pending-authorizations.ts'
import { createVaultRotation } from '../../services/vault-rotation.ts'
import { anyText } from '../fixtures/any-text.ts'
import { silent } from '../fixtures/database.ts'
import { grantFixture, grantProcess, outcomeOf, vaultKeys } from '../fixtures/grant-fixture.ts'
import { memoryLog } from '../fixtures/memory-log.ts'
import fc from '../fixtures/property.ts'

// Embedded database: keys are rotated in its one session.

const HOUR = 3_600_000
const text = anyText()
const place: fc.Arbitrary<Place> = fc.record(
  { table: text, column: text, orgId: text, id: text, of: text },
  { requiredKeys: ['table', 'column', 'orgId', 'id'] },
)

t.test('a sealed value opens in its place, with any key of the ring, and is never the same twice', async t => {
  const [one, two] = vaultKeys('one', 'two')
  const [old, now] = [createVault([one]), createVault([two, one])]
  fc.assert(
    fc.property(place, text, (place, secret) => {
      const sealed = old.seal(place, secret)
      return (
        now.open(place, sealed.sealed) === secret.toWellFormed() &&
        sealed.keyId === 'one' &&
        now.seal(place, secret).keyId === 'two' &&
        old.seal(place, secret).sealed !== sealed.sealed
      )
    }),
  )
  t.same(now.keyIds, ['two', 'one'])
})

t.test('a sealed value opens in no other place: table, column, organization, row or provider', async t => {
  const vault = createVault(vaultKeys('one'))
  fc.assert(
    fc.property(place, place, text, (place, other, secret) => {
      fc.pre(JSON.stringify(place) !== JSON.stringify(other))
      return refuses(() => vault.open(other, vault.seal(place, secret).sealed))
    }),
  )
  const here = { table: 'account_credentials', column: 'sealed', orgId: 'org_1', id: 'acc_1', of: 'github' }
  const { sealed } = vault.seal(here, 'secret')
  const changes = [
    { orgId: 'org_2' },
    { id: 'acc_2' },
    { column: 'payload' },
    { table: 'oauth_clients' },
    { of: 'evil' },
    { of: 'null' },
  ]
  for (const change of changes)
    t.throws(() => vault.open({ ...here, ...change }, sealed), {
      name: 'VaultError',
      message: /altered, or sealed for/,
    })
})

t.test('a sealed value that is truncated, altered, or has another’s nonce, tag or key does not open', async t => {
  const vault = createVault(vaultKeys('one', 'two'))
  const anywhere: Place = { table: 't', column: 'c', orgId: 'o', id: 'i' }
  const parts = (secret: string) => vault.seal(anywhere, secret).sealed.split('.') as [string, string, string, string]
  const opens = (...sealed: string[]) => vault.open(anywhere, sealed.join('.'))
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, at, bits) => {
      const [format, key, nonce, body] = parts(secret)
      const [, , otherNonce] = parts(secret)
      const bytes = Buffer.from(body, 'base64url')
      const bent = Buffer.from(bytes)
      bent[at % bent.length]! ^= bits
      const base64 = (buffer: Buffer) => buffer.toString('base64url')
      const shorter = base64(bytes.subarray(0, at % bytes.length))
      return [
        () => opens(format, key, otherNonce, body),
        () => opens(format, key, nonce, base64(bent)),
        () => opens(format, key, nonce, shorter),
        // A tag of four bytes, which GCM accepts unless the tag length is set.
        () => opens(format, key, nonce, base64(bytes.subarray(0, -12))),
        () => opens(format, key, nonce.slice(0, 8), body),
        () => opens(format, 'two', nonce, body),
        () => opens(format, key, nonce, body, body),
        () => opens('v2', key, nonce, body),
        () => opens(format, key, nonce),
        () => opens(''),
      ].every(refuses)
    }),
  )
  t.throws(() => opens('v1', 'three', 'AAAA', 'AAAA'), { message: /VAULT_KEYS lacks the key three/ })
})

t.test('no error of the vault contains a secret or a key', async t => {
  const vault = createVault(vaultKeys('one'))
  const secret = randomBytes(12).toString('hex')
  const here = { table: 't', column: 'c', orgId: 'o', id: 'i' }
  const { sealed } = vault.seal(here, secret)
  try {
    vault.open({ ...here, id: 'j' }, sealed)
  } catch (error) {
    t.notOk(`${(error as Error).stack} ${JSON.stringify(error)}`.includes(secret))
    t.notMatch((error as Error).message, sealed)
    t.equal((error as Error).cause, undefined)
  }
})

t.test('a row copied to another organization or account does not open there', async t => {
  const { grants, connector, server, account, allOrgs } = await grantFixture(t)
  const [one, two] = [await account({ alias: 'one' }), await account({ alias: 'two' })]
  const { sealed } = await allOrgs
    .selectFrom('account_credentials')
    .where('account_id', '=', one.id)
    .select('sealed')
    .executeTakeFirstOrThrow()
  await allOrgs.updateTable('account_credentials').set({ sealed }).where('account_id', '=', two.id).execute()
  await t.rejects(
    grants.send(two, connector, async () => ({ answer: 1, unauthorized: false })),
    { code: 'internal_error', cause: { name: 'VaultError' } },
  )
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
})

t.test('a credential is sent to no other provider, whatever the account’s row says', async t => {
  const { grants, connector, account, allOrgs, server } = await grantFixture(t)
  const one = await account()
  await allOrgs.updateTable('accounts').set({ connector: 'evil' }).where('id', '=', one.id).execute()
  let sent = 0
  const evil = { ...connector, id: 'evil', baseUrl: 'http://127.0.0.1:1' }
  await t.rejects(
    grants.send(one, evil, async () => ({ answer: ++sent, unauthorized: false })),
    { code: 'internal_error', cause: { name: 'VaultError' } },
  )
  t.equal(sent, 0)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
})

t.test('a pending authorization belongs to its member, whatever its row says', async t => {
  const { db, clock, vault, people, allOrgs } = await grantFixture(t)
  const [member, other] = await people.members('owner', 'member')
  const attempts = createPendingAuthorizations({ db, clock, vault })
  const attempt = {
    v: 1,
    kind: 'account',
    connector: 'rotor',
    target: { scope: 'private', settings: {} },
    redirectUri: 'http://127.0.0.1:1/callback',
    clientId: 'app.1',
    ceremony: { kind: 'oauth2' },
  } as const
  await attempts.begin(member, 'one', attempt)
  t.match(await attempts.take(member, 'one', 'account'), attempt)
  await attempts.begin(member, 'two', attempt)
  await allOrgs.updateTable('connect_attempts').set({ user_id: other.userId }).execute()
  await t.rejects(attempts.take(other, 'two', 'account'), { code: 'connect_failed', message: /altered. Begin again/ })
})

t.test('rotation re-seals all values with the first key, once, and reports those it cannot', async t => {
  const ring = vaultKeys('old')
  const fixture = await grantFixture(t, { ring })
  const { clients, member, account, connector, db, allOrgs, server, vault } = fixture
  const { orgId } = member
  const one = await account()
  for (const alias of ['two', 'three']) await account({ alias })
  const broken = await account({ alias: 'broken' })
  await allOrgs
    .updateTable('account_credentials')
    .set({ sealed: 'v1.old.A.A' })
    .where('account_id', '=', broken.id)
    .execute()
  await clients.set({
    orgId,
    connector: 'other',
    clientId: 'i',
    clientSecret: 'the secret',
    by: 'operator',
    setBy: null,
  })
  const attempt = { table: 'connect_attempts', column: 'sealed', orgId, id: 'state', of: member.userId }
  const { sealed, keyId } = vault.seal(attempt, 'verifier')
  await allOrgs
    .insertInto('connect_attempts')
    .values({
      org_id: orgId,
      id: 'state',
      user_id: member.userId,
      connector: connector.id,
      sealed,
      key_id: keyId,
      expires_at: new Date(),
    })
    .execute()
  const job = { table: 'jobs', column: 'payload', orgId, id: 'acc_1', of: 'rotor' }
  const payload = JSON.stringify({ v: 1, orgId, id: 'acc_1', connector: 'rotor', ...vault.seal(job, 'a grant') })
  const jobRow = { id: 'job_1', kind: 'account.revoke', payload, run_at: new Date(), created_at: new Date() }
  await allOrgs
    .insertInto('jobs')
    .values([jobRow, { ...jobRow, id: 'job_2', payload: '{}' }])
    .execute()

  const [newKey] = vaultKeys('new')
  const next = createVault([newKey, ...ring])
  const { log, lines } = memoryLog()
  const rotation = createVaultRotation({ db, vault: next, log })
  t.same(await rotation.keysInUse(), [
    { id: 'new', values: 0, configured: true },
    { id: 'old', values: 7, configured: true },
  ])
  t.same(await rotation.rotate(), { rotated: 6, left: 1 })
  t.match(lines.join(''), /cannot re-seal a value/)
  t.same(await rotation.rotate(), { rotated: 0, left: 1 })
  await allOrgs.deleteFrom('account_credentials').where('account_id', '=', broken.id).execute()

  const rows = await allOrgs.selectFrom('account_credentials').selectAll().execute()
  t.ok(rows.every(({ key_id, version }) => key_id === 'new' && version === 1))
  const { payload: moved } = await allOrgs
    .selectFrom('jobs')
    .where('id', '=', 'job_1')
    .select('payload')
    .executeTakeFirstOrThrow()
  t.equal(next.open(job, (moved as { sealed: string }).sealed), 'a grant')
  t.match(moved, { v: 1, orgId, id: 'acc_1', keyId: 'new' })
  const begun = await allOrgs.selectFrom('connect_attempts').selectAll().executeTakeFirstOrThrow()
  t.equal(next.open(attempt, begun.sealed), 'verifier')

  const after = grantProcess({ ...fixture, ring: [newKey] })
  t.equal((await after.clients.of(orgId, 'other'))?.secret, 'the secret')
  for (const { account_id: id } of rows) {
    if (id !== broken.id) t.match(await outcomeOf(after.grants, { ...one, id }, connector, server), /^at_/)
  }
  const { log: said, lines: warned } = memoryLog()
  await createVaultRotation({ db, vault: { ...next, keyIds: ['newer'] }, log: said }).warnOfMissingKeys()
  t.match(warned.join(''), /"id":"new","values":6.*VAULT_KEYS lacks keys.* Add these keys behind yours: new"/)
  await createVaultRotation({ db, vault: next, log: said }).warnOfMissingKeys()
  t.equal(warned.length, 1)
})

t.test('a rotation concurrent with refreshes loses nothing: the newest token stays', async t => {
  const ring = vaultKeys('old')
  const fixture = await grantFixture(t, { ring })
  const { account, connector, server, clock, db, allOrgs } = fixture
  const accounts = []
  for (let i = 0; i < 20; i++) accounts.push(await account({ alias: `number ${i}` }))
  const [newKey] = vaultKeys('new')
  const both = [newKey, ...ring] as const
  // One process already has the new key first; the other can only open with it.
  const [old, now] = [grantProcess({ ...fixture, ring: [...ring, newKey] }), grantProcess({ ...fixture, ring: both })]
  clock.advance(HOUR)
  const rotation = createVaultRotation({ db, vault: createVault(both), log: silent })
  const calls = accounts.map((one, i) => outcomeOf((i % 2 ? old : now).grants, one, connector, server))
  const [tokens] = await Promise.all([Promise.all(calls), rotation.rotate()])
  t.ok(tokens.every(token => token.startsWith('at_')))
  t.equal(server.refreshed, 20)
  t.equal(server.reused, 0)
  const { left } = await rotation.rotate()
  t.equal(left, 0)
  const rows = await allOrgs.selectFrom('account_credentials').selectAll().execute()
  const only = createVault([newKey])
  for (const { org_id: orgId, account_id: id, sealed, version } of rows) {
    const place = { table: 'account_credentials', column: 'sealed', orgId, id, of: 'rotor' }
    t.ok(server.isNewest(JSON.parse(only.open(place, sealed)).refreshToken))
    t.equal(version, 2)
  }
})

t.test('the next rotation continues an aborted one', async t => {
  const ring = vaultKeys('old')
  const { account, db, allOrgs } = await grantFixture(t, { ring })
  for (let i = 0; i < 5; i++) await account({ alias: `number ${i}` })
  const abort = new AbortController()
  let moved = 0
  const next = createVault([vaultKeys('new')[0], ...ring])
  const counting = {
    ...next,
    seal(place: Place, secret: string) {
      moved += 1
      if (moved === 2) abort.abort()
      return next.seal(place, secret)
    },
  }
  const { signal } = abort
  t.same(await createVaultRotation({ db, vault: counting, log: silent }).rotate({ signal }), { rotated: 2, left: 3 })
  t.same(await createVaultRotation({ db, vault: next, log: silent }).rotate(), { rotated: 3, left: 0 })
  const rows = await allOrgs.selectFrom('account_credentials').select('key_id').execute()
  t.ok(rows.every(({ key_id }) => key_id === 'new'))
})

function refuses(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (error) {
    return error instanceof VaultError
  }
}
