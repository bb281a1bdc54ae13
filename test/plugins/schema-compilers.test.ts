import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import schemaCompilers from '../../plugins/schema-compilers/plugin.ts'
import { bare } from '../fixtures/fixture.ts'

const Counted = Type.Object({ count: Type.Integer() }, { additionalProperties: false })

/** The plugin on a server that answers with what it was sent and more. */
async function serve(t: Test, schema: object) {
  const app = bare(t)
  await app.register(schemaCompilers)
  app.post('/', { schema }, async ({ body }) => Object.assign({ secret: 'x' }, body))
  return app
}

t.test('bodies are validated without coercion, and answers have only the fields of their schema', async t => {
  const app = await serve(t, { body: Counted, response: { 200: Counted } })
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  t.same((await post({ count: 1 })).json(), { count: 1 })
  for (const payload of [{ count: '1' }, { count: 1, more: 1 }, {}]) t.equal((await post(payload)).statusCode, 400)
  t.match((await post({ count: 'x' })).json(), { message: 'body/count must be integer' })
})

t.test('a schema is compiled at its first use, and once for all servers', async t => {
  const compiled: string[] = []
  /** Compilers read the properties of a schema. */
  const watched = (name: string) =>
    Object.defineProperty({ type: 'object' }, 'properties', {
      enumerable: true,
      get() {
        compiled.push(name)
        return { count: { type: 'integer' } }
      },
    })
  const [body, response] = [watched('body'), watched('response')]
  const servers = [await serve(t, { body, response: { 200: response } }), await serve(t, { body })]
  for (const server of servers) await server.ready()
  t.same(compiled, [], 'a start compiles nothing')
  const [first, second] = servers
  await first?.inject({ method: 'POST', url: '/', payload: { count: 1 } })
  t.same(new Set(compiled), new Set(['body', 'response']))
  compiled.splice(0)
  await second?.inject({ method: 'POST', url: '/', payload: { count: 1 } })
  t.same(compiled, [])
})

t.test('a server with schemas of addSchema does not start, in whichever scope they are', async t => {
  const shared = { $id: 'counted', type: 'object' }
  const root = await serve(t, {})
  root.addSchema(shared)
  await t.rejects(async () => root.ready(), { message: /^The schema counted was added with addSchema/ })
  const scoped = await serve(t, {})
  scoped.register(async scope => void scope.addSchema(shared))
  await t.rejects(async () => scoped.ready(), { message: /^The schema counted/ })
})
