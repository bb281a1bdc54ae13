import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type AppOptions, buildApp } from '../app.ts'
import { createServices } from '../services/create-services.ts'
import type { AnyTool } from '../services/definitions/define-tool.ts'
import { CATALOG } from '../tools/catalog.ts'
import { build } from './fixtures/build.ts'
import { silent, testDatabase } from './fixtures/database.ts'
import { askedBy, scrub } from './fixtures/fixture.ts'
import { NO_LOAD_SHEDDING } from './fixtures/no-load-shedding.ts'
import { collectOpenapi } from './fixtures/openapi.ts'
import { brokenRules } from './fixtures/provider-rules.ts'
import { testSettings } from './fixtures/settings.ts'
import { mediaSettings } from './media/media-fixture.ts'

// Own process: tap names a snapshot after the file of the process.

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

/** Fastify's tree of routes as a list of the routes below each list of hooks, which is printed once. */
function routesByHooks(tree: string): string {
  const routes: { name: string; hooks: string[] }[] = []
  const path: string[] = []
  for (const line of tree.trimEnd().split('\n')) {
    const [, indent = '', hook, segment = '', methods] = /^([ │├└─]*)(?:• (.*)|([^ •]+)( .*)?)$/.exec(line) ?? []
    if (hook === undefined && segment === '') throw new Error(`Fastify prints a route in a form that is new: ${line}`)
    if (hook !== undefined) routes.at(-1)?.hooks.push(hook.replaceAll(/"(\w+)\(\)"/g, '$1').replaceAll(',', ', '))
    else {
      path.splice(indent.length / 4 - 1, Infinity, segment)
      if (methods !== undefined) routes.push({ name: path.join('') + methods, hooks: [] })
    }
  }
  const groups = Object.groupBy(routes, ({ hooks }) => hooks.join('\n'))
  return Object.entries(groups)
    .map(([hooks, routes = []]) => [hooks, ...routes.map(({ name }) => `    ${name}`)].join('\n'))
    .join('\n\n')
}

t.test('every route runs its hooks in the documented order', async t => {
  const app = await served(t)
  t.matchSnapshot(routesByHooks(app.printRoutes({ includeHooks: true, commonPrefix: false })))
})

t.test('every tool entry equals its reviewed snapshot', async t => {
  const { services } = await build(t)
  const { tools } = await services.surfaces.of(askedBy(null))
  for (const { entry } of tools.values()) t.same(brokenRules(entry.inputSchema), [], entry.name)
  t.matchSnapshot(
    JSON.stringify(
      [...tools.values()].map(tool => tool.entry),
      null,
      2,
    ),
  )
})

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

function isDescribed({ description = '', anyOf = [] }: Schema): boolean {
  return /\w/.test(description) || anyOf.some(isDescribed)
}

/** The paths of the arguments of a schema, and of the members of an argument, that have no description. */
function undescribed({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(isDescribed(member) ? [] : [`${path}.${name}`]),
      ...undescribed(member, `${path}.${name}`),
    ]),
    ...(items === undefined ? [] : undescribed(items, path)),
    ...anyOf.flatMap(one => undescribed(one, path)),
  ]
}

t.test('every argument of every tool has a description, and so has every member of one', async t => {
  let tools: AnyTool[] = []
  const unused = 'http://127.0.0.1:9'
  const media = mediaSettings({ openai: unused, gemini: unused, elevenlabs: unused })
  const web = { honorsRobots: true, search: { searxng: unused } }
  await build(t, {
    settings: { media, web },
    tools(services) {
      tools = CATALOG.tools(services)
      return tools
    },
  })
  for (const name of ['media__generate', 'web__search', 'github__get_issue', 'manage__whoami'])
    t.ok(
      tools.some(({ entry }) => entry.name === name),
      name,
    )
  t.same(
    tools.flatMap(({ entry }) => undescribed(entry.inputSchema as Schema, entry.name)),
    [],
  )
})

t.test('the 404 lists exactly the served endpoints', async t => {
  const routes: string[] = []
  const app = await served(t, app =>
    app.addHook('onRoute', ({ method, url }) => {
      // Each GET also has a HEAD, and the 405s of /mcp serve nothing.
      if (typeof method === 'string' && method !== 'HEAD') routes.push(`${method} ${url}`)
    }),
  )
  const { error } = (await app.inject({ url: '/nothing' })).json()
  const listed = /^Endpoint not found\. Use one of: (.+)\.$/.exec(error.message)?.[1]?.split(', ') ?? []
  t.same(listed.sort(), routes.sort())
  t.ok(listed.includes('POST /mcp'))
})

t.test('every account and billing route has a check of its own, and every POST of them runs once per key', async t => {
  const unchecked: string[] = []
  const repeatable: string[] = []
  const unbound: string[] = []
  let count = 0
  await served(t, app =>
    app.addHook('onRoute', function noteChecks({ method, url, config, handler }) {
      const group = config?.group
      const admitsKeys = this.gate === 'organization' || this.gate === 'person' || this.gate === 'admin'
      if (admitsKeys && method !== 'GET' && method !== 'HEAD' && config?.tool === undefined)
        unbound.push(`${method} ${url}`)
      if ((group !== 'account' && group !== 'billing') || method === 'HEAD') return
      count++
      if (this.gate === undefined || this.gate === 'anyone') unchecked.push(`${method} ${url}`)
      if (method === 'POST' && handler.name !== 'runOncePerKey') repeatable.push(`${method} ${url}`)
    }),
  )
  t.ok(count > 30)
  t.same(unbound, [], 'a policy that denies the tool of a route denies the route')
  t.same(unchecked, ['GET /plans', 'GET /me'], 'also for users without an organization, with any credential')
  t.same(repeatable, ['POST /invitations/accept', 'POST /policy/explain'], 'which repeat their answers themselves')
})

t.test('docs/openapi.json equals the schemas of the routes', async t => {
  const openapi = await collectOpenapi()
  const generated = openapi.document(await served(t, openapi.instrument))
  const file = new URL('../docs/openapi.json', import.meta.url)
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, generated)
  t.equal(readFileSync(file, 'utf8'), generated, 'reviewed; renew with TAP_SNAPSHOT=1 node test/app.test.ts')
})
