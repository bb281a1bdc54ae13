import t from 'tap'
import { readTokenAnswer } from '../../../services/credentials/token-answer.ts'

t.test('granted scopes have one form, with those that answers never contain', async t => {
  const quirks = { grantedScopePrefix: 'https://api.test/', unreportedScopes: ['offline_access'] }
  const scopes = (scope?: string) =>
    readTokenAnswer(JSON.stringify({ access_token: 'at', ...(scope !== undefined && { scope }) }), quirks)?.own?.scopes
  t.same(scopes('https://api.test/Mail.Read openid User.Read'), ['Mail.Read', 'openid', 'User.Read', 'offline_access'])
  t.equal(scopes(), undefined, 'without a report, nothing is known')
})
