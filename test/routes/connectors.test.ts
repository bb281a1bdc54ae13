import type { Test } from 'tap'
import t from 'tap'
import errorEnvelope, { endpointNotFound } from '../../plugins/error-envelope/plugin.ts'
import connectorRoutes from '../../routes/connectors.ts'
import { createCatalogEntries } from '../../services/connectors/catalog-entries.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { createSurfaceVersions } from '../../services/organizations/surface-versions.ts'
import { createRemoteEntries } from '../../services/remote-connectors/to-remote-entry.ts'
import { accountFixture, keyOnly, oauth2, sampleConnector } from '../fixtures/account-fixture.ts'
import { newsHeard, testDatabase } from '../fixtures/database.ts'
import { bare } from '../fixtures/fixture.ts'
import { NO_REMOTES } from '../fixtures/made-remote.ts'
import { checkStrangersRefused } from '../fixtures/refused-strangers.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

const shop = sampleConnector('shop', oauth2)
const mail = sampleConnector('mail', keyOnly)
const vault = sampleConnector('vault', keyOnly)

const byId = (...connectors: ConnectorDefinition[]) => new Map(connectors.map(one => [one.id, one]))

const AS_IN_THE_APP = { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } } as const

/**
 * The routes on a bare Fastify, for two members of one organization (`ada`, the owner, and `bob`) and a stranger
 * (`eve`).
 */
async function fixture(t: Test, on = database) {
  const accounts = accountFixture(on)
  const { clock } = accounts
  const { app, ada, bob, eve } = await routeFixture(
    t,
    accounts,
    scope => {
      scope.register(connectorRoutes, {
        accounts: accounts.accounts,
        entries: createCatalogEntries({
          offered: byId(shop, mail),
          known: byId(shop, mail, vault),
          accounts: accounts.accounts,
          oauthClients: { hasPlatform: () => true, list: async () => [] },
          registered: createRemoteEntries(NO_REMOTES),
          icons: { urlPath: id => `/icons/${id}.svg` },
          versions: createSurfaceVersions({ ...on, clock }),
        }),
      })
    },
    AS_IN_THE_APP,
  )

  const ask = (who: string, method: 'GET' | 'DELETE', url: string, headers: Record<string, string> = {}) =>
    app.inject({ method, url, headers: { 'x-api-key': who, ...headers } })
  return {
    ...accounts,
    app,
    ada,
    bob,
    eve,
    ask,
    /** Sends a change of an account. */
    async change(who: string, id: string, payload: object | string, connector = 'shop') {
      const response = await app.inject({
        method: 'PATCH',
        url: `/connectors/${connector}/accounts/${id}`,
        headers: { 'x-api-key': who, 'content-type': 'application/json' },
        payload,
      })
      return { status: response.statusCode, body: response.json() }
    },
    /** Returns the entry of a connector for a member. */
    read: async (who: string, id: string) => (await ask(who, 'GET', `/connectors/${id}`)).json(),
  }
}

const endpoints = [
  'GET /connectors',
  'GET /connectors/:id',
  'DELETE /connectors/:id',
  'PATCH /connectors/:id/accounts/:accountId',
  'DELETE /connectors/:id/accounts/:accountId',
]

const notFound = {
  error: {
    type: 'invalid_request_error',
    code: 'endpoint_not_found',
    message: endpointNotFound({ server: { endpoints } }).message,
  },
}

t.test('GET /connectors returns every connector with the caller’s own state, not cacheable', async t => {
  const { ask, ada, connect } = await fixture(t)
  const { id } = await connect(ada)
  await newsHeard(database)
  for (const again of ['built', 'stored']) {
    const response = await ask('ada', 'GET', '/connectors')
    t.equal(response.statusCode, 200, again)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(response.headers['cache-control'], 'no-store')
    t.match(response.json(), {
      connectors: [
        { id: 'shop', status: 'connected', url: 'http://localhost/connectors/shop', accounts: [{ id }] },
        { id: 'mail', status: 'disconnected', accounts: [] },
      ],
    })
  }
  for (const other of ['bob', 'eve'])
    t.match((await ask(other, 'GET', '/connectors')).json(), {
      connectors: [{ status: 'disconnected', accounts: [] }, {}],
    })
})

t.test(
  'GET /connectors/:id returns one entry; an unknown ID and one that is not offered give the same 404',
  async t => {
    const { ask, read } = await fixture(t)
    const one = await ask('ada', 'GET', '/connectors/shop')
    t.equal(one.statusCode, 200)
    t.match(one.json(), { id: 'shop', status: 'disconnected', accounts: [], auth: { type: 'oauth2' } })
    t.match(await read('ada', 'mail'), { auth: { type: 'api_key' } })
    for (const method of ['GET', 'DELETE'] as const)
      for (const id of ['nowhere', 'vault', 'SHOP', '__proto__', 'shop%2Faccounts', '%F0%9F%9B%92']) {
        const response = await ask('ada', method, `/connectors/${id}`)
        t.same(
          { status: response.statusCode, body: response.json() },
          { status: 404, body: notFound },
          `${method} ${id}`,
        )
      }
  },
)

t.test('every route requires a credential, an active organization and good standing', async t => {
  const { app } = await fixture(t)
  await checkStrangersRefused(t, app, [
    ['GET', '/connectors'],
    ['GET', '/connectors/shop'],
    ['DELETE', '/connectors/shop'],
    ['DELETE', '/connectors/shop/accounts/acc_1'],
    ['PATCH', '/connectors/shop/accounts/acc_1'],
  ])
})

t.test('DELETE /connectors/:id removes the only private account, and does nothing without one', async t => {
  const { ask, read, ada, bob, connect, revoked } = await fixture(t)
  const own = await connect(ada)
  const shared = await connect(bob, { scope: 'shared', alias: 'team' })
  for (const again of ['removes', 'has nothing to remove']) {
    const response = await ask('ada', 'DELETE', '/connectors/shop')
    t.same({ status: response.statusCode, body: response.body }, { status: 204, body: '' }, again)
  }
  t.same(
    revoked.map(({ accountId }) => accountId),
    [own.id],
  )
  t.match(await read('ada', 'shop'), { status: 'connected', accounts: [{ id: shared.id }] }, 'a shared one stays')
  t.equal((await ask('bob', 'DELETE', '/connectors/shop')).statusCode, 204, 'even for its creator')
  t.match(await read('bob', 'shop'), { accounts: [{ id: shared.id }] })
})

t.test('DELETE /connectors/:id removes none of several', async t => {
  const { ask, read, ada, connect } = await fixture(t)
  await connect(ada, { alias: 'one' })
  await connect(ada, { alias: 'two' })
  const response = await ask('ada', 'DELETE', '/connectors/shop')
  t.equal(response.statusCode, 409)
  t.match(response.json(), {
    error: 'multiple_accounts',
    message: /one \(acc_\w+\), two \(acc_\w+\)\. .*DELETE \/connectors\/shop\/accounts\/<id>/,
  })
  t.equal((await read('ada', 'shop')).accounts.length, 2)
})

t.test('DELETE /connectors/:id/accounts/:accountId removes one account, shared ones only by their keepers', async t => {
  const { ask, read, ada, bob, connect } = await fixture(t)
  const own = await connect(ada)
  const shared = await connect(bob, { scope: 'shared' })
  const ours = await connect(ada, { scope: 'shared', alias: 'ours' })
  const remove = async (who: string, id: string, connector = 'shop') => {
    const response = await ask(who, 'DELETE', `/connectors/${connector}/accounts/${id}`)
    return { status: response.statusCode, body: response.body === '' ? '' : response.json() }
  }
  const missing = await remove('bob', `acc_${'0'.repeat(32)}`)
  t.match(missing, { status: 404, body: { error: 'account_not_found', message: String } })
  t.same(await remove('bob', own.id), missing, 'another member’s private account')
  t.same(await remove('eve', shared.id), missing, 'another organization’s account')
  t.same(await remove('ada', own.id, 'mail'), missing, 'an account of another connector')
  t.same(await remove('ada', own.id, 'nowhere'), { status: 404, body: notFound }, 'an unknown connector')
  t.match(await remove('bob', ours.id), { status: 403, body: { error: 'not_account_owner' } })

  const removed = { status: 204, body: '' }
  t.same(await remove('ada', own.id), removed)
  t.same(await remove('ada', shared.id), removed, 'an admin')
  t.same(await remove('ada', ours.id), removed, 'its creator')
  t.match(await read('ada', 'shop'), { status: 'disconnected', accounts: [] })
})

t.test(
  'PATCH /connectors/:id/accounts/:accountId shares and renames, and answers the account as entries do',
  async t => {
    const { change, read, ada, bob, connect } = await fixture(t)
    const { id } = await connect(ada)
    await connect(bob)
    const shared = await change('ada', id, { scope: 'shared' })
    t.match(shared, {
      status: 200,
      body: { id, alias: 'work', scope: 'shared', status: 'connected', can_remove: true },
    })
    t.same((await read('ada', 'shop')).accounts, [shared.body])
    t.match(await read('bob', 'shop'), {
      accounts: [{ id, alias: 'shared:work', can_remove: false }, { alias: 'work' }],
    })
    t.same(await change('ada', id, { scope: 'shared' }), shared, 'the same request again')

    const both = await change('ada', id, { scope: 'private', alias: 'mine' })
    t.match(both, { status: 200, body: { alias: 'mine', scope: 'private' } })
    t.match(await read('bob', 'shop'), { accounts: [{ alias: 'work' }] })

    const mail = await connect(bob, { connector: 'mail', scope: 'shared', authKind: 'api_key', keyVerified: false })
    const body = { id: mail.id, scope: 'private', auth_kind: 'api_key', key_verified: false, can_remove: false }
    t.match(await change('ada', mail.id, { scope: 'private' }, 'mail'), { status: 200, body }, 'gone for this admin')
    t.same((await read('ada', 'mail')).accounts, [])
  },
)

t.test('PATCH of an account follows the rules of its removal, and validates its body', async t => {
  const { app, change, ada, bob, connect } = await fixture(t)
  const own = await connect(ada)
  const ours = await connect(ada, { scope: 'shared', alias: 'ours' })
  const theirs = await connect(bob, { scope: 'shared' })
  const shared = { scope: 'shared' }
  const missing = await change('bob', `acc_${'0'.repeat(32)}`, shared)
  t.match(missing, { status: 404, body: { error: 'account_not_found', message: String } })
  t.same(await change('bob', own.id, shared), missing, 'another member’s private account')
  t.same(await change('eve', theirs.id, { scope: 'private' }), missing, 'another organization’s account')
  t.same(await change('ada', own.id, shared, 'mail'), missing, 'an account of another connector')
  t.same(await change('ada', own.id, shared, 'nowhere'), { status: 404, body: notFound }, 'an unknown connector')
  t.match(await change('bob', ours.id, { alias: 'x' }), { status: 403, body: { error: 'not_account_owner' } })
  t.match(await change('ada', own.id, shared), { status: 409, body: { error: 'alias_taken' } })

  for (const body of [{}, { scope: 'public' }, { alias: 7 }, { alias: 'a:b' }, { user_id: bob.userId }, 'no json'])
    t.match(
      await change('ada', own.id, body),
      { status: 400, body: { error: 'invalid_request', message: String } },
      JSON.stringify(body),
    )
  const form = { 'x-api-key': 'ada', 'content-type': 'text/plain' }
  const url = `/connectors/shop/accounts/${own.id}`
  t.equal((await app.inject({ method: 'PATCH', url, headers: form, payload: 'x' })).statusCode, 415)
})

t.test('an agent’s key can rename an account of its owner, but not change who uses it', async t => {
  const { change, read, ada, connect } = await fixture(t)
  const { id } = await connect(ada)
  for (const scope of ['shared', 'private'])
    t.match(await change('agent', id, { scope, alias: 'x' }), { status: 403, body: { error: 'not_account_owner' } })
  t.match(await change('agent', id, { alias: 'mine' }), { status: 200, body: { alias: 'mine', scope: 'private' } })
  t.match(await read('ada', 'shop'), { accounts: [{ alias: 'mine', scope: 'private' }] })
})

t.test('a connector that is no longer offered answers while the caller has accounts on it', async t => {
  const { ask, change, bob, connect } = await fixture(t)
  const facts = { connector: 'vault', authKind: 'api_key', keyVerified: false } as const
  const one = await connect(bob, facts)
  await connect(bob, { ...facts, alias: 'two' })
  await newsHeard(database)
  t.match((await ask('bob', 'GET', '/connectors/vault')).json(), { id: 'vault', status: 'connected' })
  t.notMatch((await ask('bob', 'GET', '/connectors')).body, 'vault')
  t.match(await change('bob', one.id, { scope: 'shared' }, 'vault'), { status: 200, body: { scope: 'shared' } })
  t.equal((await ask('bob', 'DELETE', `/connectors/vault/accounts/${one.id}`)).statusCode, 204)
  t.equal((await ask('bob', 'DELETE', '/connectors/vault')).statusCode, 204)
  for (const method of ['GET', 'DELETE'] as const)
    t.equal((await ask('bob', method, '/connectors/vault')).statusCode, 404, method)
})

t.test('a DELETE may declare JSON, with or without a body', async t => {
  const { app, ada, connect } = await fixture(t)
  for (const payload of ['', '{}', 'not json']) {
    await connect(ada)
    const response = await app.inject({
      method: 'DELETE',
      url: '/connectors/shop',
      headers: { 'x-api-key': 'ada', 'content-type': 'application/json' },
      payload,
    })
    t.equal(response.statusCode, 204, payload)
  }
})

t.test('without its database every route answers 503', async t => {
  const database = await testDatabase(t)
  const { ask, ada, connect } = await fixture(t, database)
  await connect(ada)
  await newsHeard(database)
  const before = await ask('ada', 'GET', '/connectors')
  await database.close()
  const down = await ask('ada', 'GET', '/connectors/shop')
  t.equal(down.statusCode, 503)
  t.match(down.json(), { error: { type: 'api_error', code: 'platform_db_unavailable' } })
  t.equal((await ask('ada', 'DELETE', '/connectors/shop')).statusCode, 503)
  t.equal((await ask('ada', 'GET', '/connectors')).body, before.body, 'the cached index still works')
})

t.test('the connector routes do not load outside the authenticated scope', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(connectorRoutes, {} as never)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
