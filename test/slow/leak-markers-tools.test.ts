import t from 'tap'
import type { ProvidedCredential } from '../../services/connectors/connect/connect-methods.ts'
import { apiKeyMethodOf } from '../../services/definitions/connector-types.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { leakFixture } from '../fixtures/leak-fixture.ts'
import { argumentsFor } from '../fixtures/leak-markers.ts'

t.test('no secret leaks through any tool', async t => {
  const { markers, provider, lines, answered, serve } = await leakFixture(t)
  const overrides = new Map(CONNECTORS.map(({ id }) => [id, { base_url: provider.origin }]))
  const { services, call, directory } = await serve({ connectorOverrides: overrides })
  const [ada] = await directory.members('owner')
  for (const { id, auth } of CONNECTORS) {
    const secret = () => `${markers.text('provided credential')}/+._~-`
    const credential: Record<typeof auth.type, ProvidedCredential> = {
      oauth2: { kind: 'oauth2', accessToken: secret(), refreshToken: secret() },
      oauth1a: { kind: 'oauth1a', token: secret(), tokenSecret: secret() },
      api_key: { kind: 'api_key', key: `${apiKeyMethodOf({ auth })?.begins ?? ''}${secret()}` },
    }
    const request = { caller: ada.caller, connector: id, scope: 'private', identity: 'ada', probe: false } as const
    await services.connecting.add({ ...request, credential: credential[auth.type] })
  }
  for (const { id, tools: operations } of CONNECTORS)
    await t.test(id, async t => {
      for (const tool of operations.filter(({ as }) => as !== 'user')) {
        const name = `${id}__${tool.operation}`
        const argument = markers.text('an argument')
        // The list leaves out formats, which some models' providers refuse.
        const { cursor: _cursor, ...args } = argumentsFor(tool.input, () => argument) as Record<string, unknown>
        provider.setTool(tool)
        for (const behavior of [undefined, { status: 200 }, { status: 403 }, { status: 500, as: 'text' }] as const) {
          provider.misbehavior = behavior
          const before = provider.requests.length
          const answer = await call(ada, name, args)
          t.ok(provider.requests.length > before, `${name} sent a request to the provider`)
          if (behavior?.status === 403)
            t.match(answer, /redacted/, `${name} includes the redacted message of the provider`)
        }
      }
      t.same(markers.foundIn(answered.splice(0).join('\n'), /^an argument$/), [], 'the answers contain no secret')
      t.same(markers.foundIn(lines.splice(0).join('')), [], 'the log contains no secret')
    })
})
