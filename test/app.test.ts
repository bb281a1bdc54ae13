import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type AppOptions, buildApp } from '../app.ts'
import { SERVED_ENDPOINTS } from '../plugins/error-envelope/not-found.ts'
import { createServices } from '../services/create-services.ts'
import { CATALOG } from '../tools/catalog.ts'
import { build } from './build.ts'
import { silent, testDatabase } from './database.ts'
import { scrub } from './fixture.ts'
import { NO_LOAD_SHEDDING } from './no-load-shedding.ts'
import { testSettings } from './settings.ts'

t.snapshotFile = fileURLToPath(new URL('./snapshots/app.test.cjs', import.meta.url))

/** The app as in production, without the hook that checks answers against their schemas. */
async function served(t: Test, instrument?: AppOptions['instrument']): Promise<FastifyInstance> {
  const services = await createServices(testSettings(), {
    ...CATALOG,
    log: silent,
    scrub,
    database: await testDatabase(t),
  })
  const app = buildApp(services, {
    logger: silent,
    overload: NO_LOAD_SHEDDING,
    ...(instrument !== undefined && { instrument }),
  })
  t.teardown(async () => {
    await app.close()
    await services.close()
  })
  await app.ready()
  return app
}

t.test('every route runs its hooks in the documented order', async t => {
  const app = await served(t)
  t.matchSnapshot(app.printRoutes({ includeHooks: true, commonPrefix: false }))
})

t.test('every tool entry equals its reviewed snapshot', async t => {
  const { services } = await build(t)
  const { tools } = await services.surfaces.of(null)
  t.matchSnapshot(
    JSON.stringify(
      [...tools.values()].map(tool => tool.entry),
      null,
      2,
    ),
  )
})

t.test('the 404 lists exactly the served endpoints', async t => {
  const routes: string[] = []
  await served(t, app =>
    app.addHook('onRoute', ({ method, url }) => {
      // Each GET also has a HEAD, and the 405s of /mcp serve nothing.
      if (typeof method === 'string' && method !== 'HEAD') routes.push(`${method} ${url}`)
    }),
  )
  t.same(routes.sort(), [...SERVED_ENDPOINTS].sort())
})

t.test('every account and billing route has a check of its own, and every POST of them runs once per key', async t => {
  const unchecked: string[] = []
  const repeatable: string[] = []
  let count = 0
  await served(t, app =>
    app.addHook('onRoute', ({ method, url, config, onRequest, handler }) => {
      const group = config?.group
      if ((group !== 'account' && group !== 'billing') || method === 'HEAD') return
      count++
      if ([onRequest ?? []].flat().length === 0) unchecked.push(`${method} ${url}`)
      if (method === 'POST' && handler.name !== 'runOncePerKey') repeatable.push(`${method} ${url}`)
    }),
  )
  t.ok(count > 30)
  t.same(unchecked, ['GET /plans', 'GET /me'], 'also for users without an organization, with any credential')
  t.same(repeatable, ['POST /invitations/accept'], 'which repeats its answer itself')
})

t.test('docs/openapi.json equals the schemas of the routes', async t => {
  const app = await served(t, app =>
    app.register(swagger, {
      openapi: { openapi: '3.1.0', info: { title: 'Connector gateway', version: '0' } },
      // The 405s of /mcp are not operations.
      transform: ({ schema, url, route }) => ({ schema: { ...schema, hide: Array.isArray(route.method) }, url }),
    }),
  )
  const generated = `${JSON.stringify(app.swagger(), null, 2)}\n`
  const file = new URL('../docs/openapi.json', import.meta.url)
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, generated)
  t.equal(readFileSync(file, 'utf8'), generated, 'reviewed; renew with npm test -- --snapshot')
})
