import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import identity, { readCredential } from '../../plugins/identity/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import { isApiKey, keyFault, keyHint, mintApiKey } from '../../services/identity/key-format.ts'
import { KeyLookups, type KeyRow } from '../../services/identity/key-lookups.ts'
import { bare, keyHolder, known, localhost, session } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

const ada = keyHolder()
const grace = session()

t.test('identity', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(async scope => {
    scope.register(identity, known({ keys: { cgw_dev_ada: ada }, tokens: { 'a.b.c': grace } }))
    scope.register(async routes => {
      routes.get('/who', async request => request.identity)
      routes.post('/mcp', { config: { audience: 'mcp', group: 'mcp' } }, async request => request.identity)
    })
  })

  await t.test('accepts an API key in either header, and in both if they agree', async t => {
    for (const headers of [
      { 'x-api-key': 'cgw_dev_ada' },
      { authorization: 'Bearer cgw_dev_ada' },
      { authorization: 'bearer cgw_dev_ada' },
      { authorization: 'Bearer cgw_dev_ada', 'x-api-key': 'cgw_dev_ada' },
    ]) {
      const response = await app.inject({ url: '/who', headers })
      t.same(response.json(), ada)
      t.equal(response.headers['cache-control'], 'no-store')
    }
  })

  await t.test('treats a bearer of three parts as a JWT', async t => {
    t.same((await app.inject({ url: '/who', headers: { authorization: 'Bearer a.b.c' } })).json(), grace)
  })

  await t.test('rejects a bad credential with the code of its kind', async t => {
    const cases = [
      { headers: {}, code: 'missing_authorization' },
      { headers: { 'x-api-key': 'cgw_dev_gone' }, code: 'invalid_api_key' },
      { headers: { 'x-api-key': '' }, code: 'invalid_api_key' },
      { headers: { 'x-api-key': 'a.b.c' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Basic Z3JhY2U6aG9wcGVy' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Bearer' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Bearer x.y.z' }, code: 'invalid_jwt' },
      // An unsecured JWT: its signature is empty.
      { headers: { authorization: 'Bearer x.y.' }, code: 'invalid_jwt' },
      { headers: { authorization: 'Bearer x..' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Bearer .y.' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Bearer x.y' }, code: 'invalid_api_key' },
      { headers: { authorization: 'Bearer a.b.c', 'x-api-key': 'cgw_dev_ada' }, code: 'invalid_api_key' },
    ]
    for (const { headers, code } of cases) {
      const response = await app.inject({ url: '/who', headers })
      t.equal(response.statusCode, 401, code)
      t.match(response.json(), { error: { type: 'authentication_error', code } })
      t.equal(response.headers['www-authenticate'], undefined, 'only /mcp names the metadata document')
    }
  })

  await t.test('names the metadata document in every 401 of POST /mcp', async t => {
    const metadata = 'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"'
    const none = await app.inject({ method: 'POST', url: '/mcp' })
    t.equal(none.headers['www-authenticate'], metadata)
    for (const headers of [{ 'x-api-key': 'cgw_dev_gone' }, { authorization: 'Bearer x.y.z' }]) {
      const refused = await app.inject({ method: 'POST', url: '/mcp', headers })
      t.equal(refused.statusCode, 401)
      t.equal(refused.headers['www-authenticate'], `${metadata}, error="invalid_token"`)
    }
  })
})

t.test('identity does not load without its dependencies', async t => {
  const app = bare(t)
  app.register(identity, known({}))
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})

t.test('no header makes readCredential throw, and every header yields a credential', async () => {
  fc.assert(
    fc.property(
      fc.option(fc.string(), { nil: undefined }),
      fc.option(fc.string(), { nil: undefined }),
      (authorization, key) => {
        const headers = {
          ...(authorization !== undefined && { authorization }),
          ...(key !== undefined && { 'x-api-key': key }),
        }
        const credential = readCredential({ headers, rawHeaders: Object.entries(headers).flat() })
        if (authorization === undefined && key === undefined) return credential === undefined
        return credential !== undefined
      },
    ),
  )
})

t.test('a key is of its environment and carries its checksum', async t => {
  const key = mintApiKey('staging')
  t.match(key, /^cgw_stg_[0-9A-Za-z]{49}$/)
  t.ok(isApiKey(key, 'staging'))
  t.notOk(isApiKey(key, 'production'), 'a key of another environment')
  t.notOk(isApiKey(key, 'development'))
  t.same(keyHint(key), { prefix: key.slice(0, 12), last4: key.slice(-4) })
  t.not(mintApiKey('staging'), key)

  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'abcXYZ019-_ '), (at, character) => {
      const altered = key.slice(0, at) + character + key.slice(at + 1)
      return isApiKey(altered, 'staging') === (altered === key)
    }),
  )
})

t.test('the message for a rejected key depends on its form and never shows its secret', async t => {
  const own = mintApiKey('production')
  const incomplete = 'This is not a complete API key (cgw_live_…); copy it again.'
  for (const [text, fault] of [
    [own, undefined],
    [own.slice(0, -1), incomplete],
    [`${own}x`, incomplete],
    [own.replace('cgw_live_', 'cgw_lvie_'), incomplete],
    ['cgw_', incomplete],
    ['', 'The API key is empty. Set it in your client.'],
    [`Bearer ${own}`, 'Something precedes the API key. Send only the key (cgw_live_…).'],
    [`"${own}"`, 'Something precedes the API key. Send only the key (cgw_live_…).'],
    ['$GATEWAY_KEY', 'This is a placeholder or an unset variable. Replace it with your API key (cgw_live_…).'],
    ['<key>', 'This is a placeholder or an unset variable. Replace it with your API key (cgw_live_…).'],
    ['sk-proj-abc', 'This is not an API key of this gateway (cgw_live_…). Check the key in your client.'],
  ] as const)
    t.equal(keyFault(text, 'production'), fault, text)

  const environments = ['development', 'staging', 'production'] as const
  const prefixes = { development: 'cgw_dev_', staging: 'cgw_stg_', production: 'cgw_live_' }
  for (const from of environments)
    for (const to of environments) {
      const key = mintApiKey(from)
      const foreign = `This is a ${from} key (${prefixes[from]}…); this gateway runs in ${to}. Create a key here.`
      t.equal(keyFault(key, to), from === to ? undefined : foreign)
      if (from !== to) t.equal(keyFault(key.slice(0, 20), to), foreign, 'also if it is incomplete')
    }
})

t.test(
  'keys are looked up in batches, a failure reaches all of its batch, and a silent database ends at the deadline',
  async t => {
    const asked: string[][] = []
    const lookups = new KeyLookups({
      async find(hashes) {
        asked.push(hashes)
        return hashes.filter(hash => hash.startsWith('good')).map(hash => ({ hash }))
      },
    })
    const found = await Promise.all(
      [...Array(250).keys()].map(i => lookups.find([i === 249 ? 'good' : `random ${i}`], `share ${i % 2}`)),
    )
    t.same(
      found.filter(row => row !== undefined),
      [{ hash: 'good' }],
    )
    t.equal(asked.length, 3, '250 keys took three queries')

    const broken = new KeyLookups<KeyRow>({ find: () => Promise.reject(new Error('down')) })
    await t.rejects(Promise.all([broken.find(['a'], 'x'), broken.find(['b'], 'y')]), { message: 'down' })

    const silent = new KeyLookups<KeyRow>({ find: () => new Promise(() => {}), deadlineMs: 20, maxWaiting: 1 })
    const waiting = silent.find(['a'], 'x')
    await t.rejects(silent.find(['b'], 'y'), { code: 'overloaded', retryAfter: 1 }, 'a full queue refuses')
    await t.rejects(waiting, { name: 'DatabaseTimeout' })
  },
)
