import t from 'tap'
import { withLocalIssuer } from '../../services/local-issuer/with-local-issuer.ts'
import { testSettings } from '../fixtures/settings.ts'

const installed = () => true
const dashboard = { host: '127.0.0.1', port: 3001, anyPort: true }
const settings = testSettings({ dashboard, dashboardUrl: 'http://127.0.0.1:3001' })

t.test('in development without MCP_ISSUER, the dashboard is the issuer of MCP clients', async t => {
  const { localIssuer, tokens } = withLocalIssuer(settings, installed)
  t.equal(localIssuer, 'http://127.0.0.1:3001/oauth')
  t.match(tokens.mcp, { issuer: localIssuer, jwksUri: `${localIssuer}/jwks` })
})

t.test('there is no local issuer elsewhere, without a dashboard, or beside MCP_ISSUER', async t => {
  const mcp = { issuer: 'https://id.example', jwksUri: undefined, scopes: [] }
  const never = () => t.fail('the package is not looked for')
  for (const environment of ['staging', 'production'] as const)
    t.equal(withLocalIssuer({ ...settings, environment }, never as never).localIssuer, undefined, environment)
  t.equal(
    withLocalIssuer({ ...settings, dashboard: undefined }, never as never).localIssuer,
    undefined,
    'DASHBOARD=off',
  )
  const onNetwork = { ...settings, dashboardUrl: 'https://dashboard.example' }
  t.equal(withLocalIssuer(onNetwork, never as never).localIssuer, undefined, 'a dashboard that others reach')
  const configured = withLocalIssuer({ ...settings, tokens: { ...settings.tokens, mcp } }, never as never)
  t.same([configured.localIssuer, configured.tokens.mcp], [undefined, mcp])
})

t.test('without its package or its algorithm, one warning says why nobody can sign in, and what to do', async t => {
  const missing = withLocalIssuer(settings, () => false)
  t.same([missing.localIssuer, missing.tokens.mcp], [undefined, undefined])
  t.match(missing.warnings, [/^MCP clients cannot sign in with the browser: .* Run: npm ci$/])
  const rsa = withLocalIssuer({ ...settings, tokens: { ...settings.tokens, algorithms: ['RS256'] } }, installed)
  t.match([rsa.localIssuer, ...rsa.warnings], [undefined, /Add it to JWT_ALGORITHMS/])
})
