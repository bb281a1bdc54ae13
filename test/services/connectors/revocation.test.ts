import t, { type Test } from 'tap'
import { createOauth1Signer } from '../../../lib/http/oauth1.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { createAccounts } from '../../../services/accounts/accounts.ts'
import { createRevocation, revocationRequest } from '../../../services/connectors/connect/revocation.ts'
import { applyOverrides } from '../../../services/connectors/overrides.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import type { ConnectorDefinition, Revocation } from '../../../services/definitions/connector-types.ts'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import { testIds } from '../../fixtures/directory.ts'
import { grantFixture, platformApp } from '../../fixtures/grant-fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { rotatingConnector } from '../../fixtures/token-server.ts'

// Created once: the database would take most of the time of each test. Every test leaves the job queue empty.
const database = await testDatabase(t)

const DAY = 86_400_000

/** Accounts whose removal enqueues a revocation, and the jobs that revoke. */
async function revocationFixture(t: Test, revocation: (origin: string) => Revocation | undefined) {
  const granted = await grantFixture(t, { database })
  const { db, clock, vault, egress, clients, server, audit } = granted
  const { log, lines } = memoryLog()
  const jobs = createJobs({ db, clock, ids: testIds(clock), log, scrub: text => text, owner: 'test' })
  const declared = revocation(server.origin)
  const connector = rotatingConnector(server.origin, declared && { revocation: declared })
  const connectors = new Map<string, ConnectorDefinition>([[connector.id, connector]])
  const { enqueue } = createRevocation({
    jobs,
    vault,
    egress,
    clients,
    connectorOf: id => connectors.get(id),
    clock,
    log,
  })
  const accounts = createAccounts({ db, clock, ids: testIds(clock), audit, commands, enqueueRevocation: enqueue })
  return {
    ...granted,
    accounts,
    jobs,
    lines,
    connectors,
    queued: () => granted.allOrgs.selectFrom('jobs').where('kind', '=', 'account.revoke').selectAll().execute(),
    async removed(credential: Credential, settings: Record<string, string> = {}) {
      const { id } = await granted.account({ credential, settings })
      await accounts.remove('operator', id)
      await newsHeard(database)
      return id
    },
  }
}

const app = { ...platformApp, source: 'platform' } as const
const sign = createOauth1Signer({ clock: { now: () => 1_000 } })
const basic = `Basic ${Buffer.from(`${platformApp.id}:${platformApp.secret}`).toString('base64')}`
const tokens: Credential = { v: 1, kind: 'oauth2', accessToken: 'the access', refreshToken: 'the refresh' }

t.test(
  'a removed account’s grant is revoked as its provider requires, and its secret stays sealed meanwhile',
  async t => {
    const { removed, jobs, server, queued } = await revocationFixture(t, origin => ({
      url: `${origin}/applications/{client_id}/grant`,
      method: 'DELETE',
      as: 'client',
      json: { access_token: '{access_token}', also: ['{refresh_token}', 1] },
    }))
    await removed(tokens)
    t.notMatch(JSON.stringify(await queued()), /the access|the refresh/)
    t.equal(await jobs.runDue(), 1)
    t.match(server.revocations, [
      {
        method: 'DELETE',
        url: `/applications/${platformApp.id}/grant`,
        authorization: basic,
        body: '{"access_token":"the access","also":["the refresh",1]}',
      },
    ])
    t.same(await queued(), [])
  },
)

t.test('the user’s token is revoked too; members without a value are left out', async t => {
  const form = { token: '{access_token}', hint: '{refresh_token}' }
  const { removed, jobs, server } = await revocationFixture(t, origin => ({
    url: `${origin}/revoke`,
    method: 'POST',
    as: 'token',
    form,
  }))
  await removed({ ...tokens, user: { accessToken: 'the users' } })
  await jobs.runDue()
  t.match(server.revocations, [
    { authorization: 'Bearer the access', body: 'token=the%20access&hint=the%20refresh' },
    { body: 'token=the%20users' },
  ])
})

t.test('the OAuth client authenticates in the form where its provider requires that', async t => {
  const form = { token: '{refresh_token}' }
  const { removed, jobs, server } = await revocationFixture(t, origin => ({
    url: `${origin}/revoke`,
    method: 'POST',
    as: 'client-post',
    form,
  }))
  await removed(tokens)
  await jobs.runDue()
  t.match(server.revocations, [
    {
      authorization: undefined,
      body: `token=the%20refresh&client_id=${platformApp.id}&client_secret=${platformApp.secret}`,
    },
  ])
})

t.test('a provider without revocation and a pasted key enqueue no job', async t => {
  const without = await revocationFixture(t, () => undefined)
  await without.removed(tokens)
  t.same(await without.queued(), [])
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { removed, jobs, server } = await revocationFixture(t, revocation)
  await removed({ v: 1, kind: 'api_key', key: 'pasted' })
  await jobs.runDue()
  t.same(server.revocations, [])
})

t.test('an unavailable provider is asked five times; an error response ends the tries', async t => {
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { removed, jobs, server, clock, lines, queued } = await revocationFixture(t, revocation)
  server.revocationStatus = 503
  await removed(tokens)
  for (let i = 0; i < 8; i++) {
    await jobs.runDue()
    clock.advance(3_600_000)
  }
  t.equal(server.revocations.length, 5)
  t.same(await queued(), [])
  t.match(lines.at(-1), /was not revoked: its provider is unavailable/)
  t.notMatch(lines.join(''), /the access|the refresh/)

  server.revocationStatus = 400
  await removed(tokens)
  await jobs.runDue()
  t.equal(server.revocations.length, 6)
  t.same(await queued(), [])
})

t.test('a secret is kept for at most a day, and not for an unknown connector', async t => {
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { removed, jobs, server, clock, connectors, queued } = await revocationFixture(t, revocation)
  await removed(tokens)
  clock.advance(DAY)
  await jobs.runDue()
  t.same(await queued(), [])
  await removed(tokens)
  connectors.clear()
  await jobs.runDue()
  t.same(await queued(), [])
  t.same(server.revocations, [])
})

t.test('a job that was sealed for another account, organization or provider cannot be opened', async t => {
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { removed, jobs, server, allOrgs, lines, queued, connectors } = await revocationFixture(t, revocation)
  for (const connector of connectors.values()) connectors.set('another', { ...connector, id: 'another' })
  for (const change of [{ orgId: 'org_2' }, { id: 'acc_2' }, { connector: 'another' }]) {
    await removed(tokens)
    const [{ payload } = { payload: {} }] = await queued()
    await allOrgs
      .updateTable('jobs')
      .where('kind', '=', 'account.revoke')
      .set({ payload: JSON.stringify({ ...(payload as object), ...change }) })
      .execute()
    await jobs.runDue()
    t.match(lines.at(-1), /does not open/)
    t.same(await queued(), [])
  }
  t.same(server.revocations, [])
})

t.test('an unreadable credential does not prevent the removal of its account', async t => {
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { account, accounts, allOrgs, queued } = await revocationFixture(t, revocation)
  const { id } = await account()
  await allOrgs.updateTable('account_credentials').where('account_id', '=', id).set({ sealed: 'v1.one.A.A' }).execute()
  await accounts.remove('operator', id)
  t.same(await queued(), [])
  t.same(await allOrgs.selectFrom('accounts').where('id', '=', id).selectAll().execute(), [])
})

t.test('a grant is revoked at the URL of the account’s settings, also on an overridden base', async t => {
  const revocation = (origin: string): Revocation => ({ url: `${origin}/revoke`, method: 'POST', as: 'token' })
  const { removed, jobs, server, connectors, lines, queued } = await revocationFixture(t, revocation)
  const [connector] = connectors.values()
  const base_url = `${server.origin}/{settings.site}`
  if (connector !== undefined) connectors.set(connector.id, applyOverrides(connector, { base_url }))
  await removed(tokens, { site: 'acme/1' })
  await jobs.runDue()
  t.match(server.revocations, [{ url: '/acme%2F1/revoke', authorization: 'Bearer the access' }])

  await removed(tokens)
  await jobs.runDue()
  t.equal(server.revocations.length, 1, 'without the setting there is no such URL')
  t.match(lines.at(-1), /its request cannot be built/)
  t.same(await queued(), [])
})

t.test('an OAuth 1.0a token is revoked with a signed request, and URL values are encoded', async t => {
  const auth: ConnectorDefinition['auth'] = {
    type: 'oauth1a',
    requestTokenUrl: 'https://board.test/request',
    authorizationUrl: 'https://board.test/authorize',
    accessTokenUrl: 'https://board.test/access',
    accessSummary: 'All.',
    revocation: { url: '/tokens/{access_token}?key={client_id}', method: 'DELETE', as: 'token' },
  }
  const connector = { ...rotatingConnector('https://board.test/1/'), auth }
  const credential: Credential = { v: 1, kind: 'oauth1a', token: 'a/b', tokenSecret: 'secret' }
  const request = revocationRequest({ connector, credential, settings: {}, client: app, sign })
  t.match(request, {
    method: 'DELETE',
    url: new URL('https://board.test/1/tokens/a%2Fb?key=app.1'),
    credential: {
      origin: 'https://board.test',
      headers: { authorization: /^OAuth .*oauth_token="a%2Fb".*oauth_signature=/ },
    },
  })
  const without = revocationRequest({ connector, credential, settings: {}, client: undefined, sign })
  t.equal(without, undefined, 'without the app there is no request')
})
