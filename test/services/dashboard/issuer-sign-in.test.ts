import t, { type Test } from 'tap'
import { createVault } from '../../../lib/vault/vault.ts'
import { createIssuerSignIn } from '../../../services/dashboard/issuer-sign-in.ts'
import { build } from '../../fixtures/build.ts'
import { testSettings } from '../../fixtures/settings.ts'
import { testIssuer } from '../../fixtures/test-issuer.ts'

const CLIENT = 'dashboard'

/** A sign-in whose issuer answers with any ID token. */
async function fixture(t: Test) {
  const issuer = await testIssuer(t, { audience: CLIENT })
  const settings = testSettings()
  const session = { issuer: issuer.issuer, audience: 'sessions', jwksUri: issuer.jwksUri }
  const { services, clock } = await build(t, {
    settings: {
      tokens: { ...settings.tokens, session },
      dashboardClient: { issuer: issuer.issuer, clientId: CLIENT, clientSecret: undefined },
    },
  })
  issuer.clock = clock
  let answered = ''
  let asked = { nonce: '', state: '' }
  const signIn = createIssuerSignIn({
    db: services.database.db,
    clock,
    vault: createVault(settings.vaultKeys),
    client: {
      async authorizationUrl(request) {
        asked = request
        return 'https://issuer.example/authorize'
      },
      exchange: async () => answered,
      logoutUrl: async () => undefined,
    },
    clientId: CLIENT,
    verify: services.verifyIdToken,
    sessions: services.dashboardSessions,
    dashboardUrl: 'https://dashboard.example',
  })

  /** Signs in with an ID token of these claims, made when the nonce is known. */
  async function answer(token: (nonce: string) => Promise<string>) {
    const { secret } = await signIn.begin({ browser: 'page', returnPath: '/' })
    answered = await token(asked.nonce)
    const callback = new URLSearchParams({ state: asked.state, code: 'code' })
    return signIn.finish({ callback, secrets: [secret], browser: 'page', userAgent: 'Browser' })
  }
  return { issuer, answer, clock, services }
}

t.test('an ID token begins a session only if it answers this sign-in of this client', async t => {
  const { issuer, answer, services } = await fixture(t)
  const other = await testIssuer(t, { issuer: issuer.issuer, audience: CLIENT })
  const users = async () =>
    Number(
      (
        await services.database.db
          .selectFrom('users')
          .select(eb => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  const before = await users()
  for (const [name, token] of Object.entries({
    'no nonce': () => issuer.mint({}),
    'the nonce of another sign-in': () => issuer.mint({ nonce: 'x'.repeat(43) }),
    'a nonce that is no text': (nonce: string) => issuer.mint({ nonce: [nonce] }),
    'another audience': (nonce: string) => issuer.mint({ nonce, aud: 'another-client' }),
    'no audience': (nonce: string) => issuer.mint({ nonce, aud: undefined }),
    'the audience of sessions': (nonce: string) => issuer.mint({ nonce, aud: 'sessions' }),
    'several audiences without azp': (nonce: string) => issuer.mint({ nonce, aud: [CLIENT, 'other'] }),
    'several audiences, issued to another': (nonce: string) =>
      issuer.mint({ nonce, aud: [CLIENT, 'other'], azp: 'other' }),
    'another issuer': (nonce: string) => issuer.mint({ nonce, iss: 'https://evil.example' }),
    'keys of another issuer': (nonce: string) => other.mint({ nonce }),
    'no signature': (nonce: string) => issuer.mint({ nonce }, { alg: 'none' }),
    'an expired token': (nonce: string) => issuer.mint({ nonce, exp: 1 }),
    'no subject': (nonce: string) => issuer.mint({ nonce, sub: undefined }),
    'no token': async () => 'not a token',
  }))
    await t.rejects(answer(token), { code: /^invalid_(?:request|jwt)$/ }, name)
  t.equal(await users(), before, 'a refused token creates no user')
  const { id, returnPath } = await answer(nonce => issuer.mint({ nonce, sid: 'session-1' }))
  t.match({ id, returnPath }, { id: /^ses_/, returnPath: '/' })
  t.match(await answer(nonce => issuer.mint({ nonce, aud: [CLIENT, 'other'], azp: CLIENT })), { id: /^ses_/ })
})

t.test('the dashboard’s tokens are no credential of the gateway', async t => {
  const { issuer, services } = await fixture(t)
  await t.rejects(services.identity.jwts.verify(await issuer.mint({}), 'session'), { code: 'invalid_jwt' })
})

t.test('a session accepts invitations of the email that the issuer has verified, and of no other', async t => {
  const { issuer, answer, services } = await fixture(t)
  const emailOf = async (claims: object) => {
    const { cookie, token } = await answer(nonce => issuer.mint({ nonce, sub: 'zoe', ...claims }))
    return (await services.dashboardSessions.verify({ cookies: [cookie], token }))?.identity.verifiedEmail
  }
  t.equal(await emailOf({ email: 'zoe@example.test', email_verified: true }), 'zoe@example.test')
  t.equal(await emailOf({ email: 'zoe@example.test', email_verified: false }), undefined)
  t.equal(await emailOf({ email: 'zoe@example.test' }), undefined)
})
