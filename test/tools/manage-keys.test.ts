import t from 'tap'
import { runCommand } from '../../cli/run-command.ts'
import { build } from '../fixtures/build.ts'
import { callerOfApp, signedIn, verifyJwt } from '../fixtures/journey-fixture.ts'

t.test('manage__keys_* manage keys without ever showing a secret', async t => {
  const built = await build(t, { settings: { dashboardUrl: 'https://dashboard.example' }, verifyJwt })
  const [ada, bob] = await built.directory.members('owner', 'member')
  const { call } = callerOfApp(built, signedIn(ada))
  const made = await call('manage__keys_create', { name: 'CI', monthly_cap_micros: 5 })
  t.match(made.data, {
    link: /^https:\/\/dashboard\.example\/keys\/claim#[\w-]{43}$/,
    operator_command: /key claim --token [\w-]{43}$/,
    expires_at: String,
  })
  t.match(made.text, /Nothing has changed yet/)
  t.same((await call('manage__keys_list')).data, { api_keys: [], next_cursor: null })

  const { services } = built
  const claim = (line: unknown) =>
    runCommand(services, String(line).slice(String(line).indexOf('key claim')).split(' '))
  const claimed = (await claim(made.data.operator_command)) as { id: string; key: string }
  t.match(claimed, { id: /^key_/, key: /^cgw_dev_/, org: ada.orgId, user: ada.userId })
  const { id } = claimed
  t.match((await call('manage__keys_list')).data, { api_keys: [{ id, name: 'CI', monthly_cap_micros: 5 }] })
  t.match((await call('manage__keys_update', { id, name: 'Build', monthly_cap_micros: null })).data, {
    name: 'Build',
    monthly_cap_micros: null,
  })
  const rotation = await call('manage__keys_rotate', { id, overlap_seconds: 3_600 })
  const rotated = (await claim(rotation.data.operator_command)) as { id: string; key: string }
  t.equal(rotated.id, id)
  t.match((await call('manage__keys_list')).data, { api_keys: [{ id, previous: { last4: claimed.key.slice(-4) } }] })
  const mine = callerOfApp(built, signedIn(bob))
  t.match(await mine.call('manage__keys_revoke', { id }), { outcome: 'not_found' })
  t.match(await mine.call('manage__keys_rotate', { id }), { outcome: 'not_found' })
  t.match((await call('manage__keys_revoke', { id })).data, { id })
  t.match((await call('manage__keys_list')).data, { api_keys: [{ status: 'revoked' }] })
})

t.test('without a dashboard, manage__keys_create names the operator’s command alone', async t => {
  const built = await build(t, { verifyJwt })
  const [ada] = await built.directory.members('member')
  const made = await callerOfApp(built, signedIn(ada)).call('manage__keys_create')
  t.match(made, {
    data: { link: null },
    text: /10 minutes to create the key and see its secret\. Ask the operator to run: .*key claim --token/,
  })
})

t.test('an API key sees manage__keys_* in its list and gets jwt_session_required from each', async t => {
  const built = await build(t)
  const [ada] = await built.directory.members('owner')
  const { key } = await ada.key()
  const { call, tools } = callerOfApp(built, { 'x-api-key': key })
  const names = await tools('manage')
  for (const name of ['list', 'create', 'rotate', 'update', 'revoke']) {
    t.ok(names.has(`manage__keys_${name}`))
    t.equal((await call(`manage__keys_${name}`, { id: 'key_1' })).outcome, 'jwt_session_required', name)
  }
})
