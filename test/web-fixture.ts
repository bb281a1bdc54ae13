import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import type { WebSettings } from '../lib/configuration/web.ts'
import { parseAllowList } from '../lib/egress/allow-list.ts'
import { createEgress } from '../lib/egress/create-egress.ts'
import { GatewayError } from '../lib/errors/errors.ts'
import { createWeb, type WebOptions } from '../services/web/create-web.ts'
import { webTools } from '../tools/web/web-tools.ts'
import { testDatabase } from './database.ts'
import { directoryOn, type TestMember, testIds } from './directory.ts'
import { QUIET_CLIENT, testClock } from './fixture.ts'
import { localLookup } from './settings.ts'

/** What a path answers with: an HTML page, an answer, or whatever a handler does. */
type Route =
  | string
  | { status?: number; type?: string; headers?: Record<string, string>; body: string | Uint8Array }
  | ((request: IncomingMessage, response: ServerResponse) => void)

/** A site on this machine. Paths without a route are 404, robots.txt too; a query matters only to a route that has one. */
export async function serveSite(t: Test, routes: Record<string, Route>) {
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const route = routes[path] ?? routes[path.replace(/\?.*/, '')]
    if (typeof route === 'function') return route(request, response)
    if (route === undefined) return response.writeHead(404).end('Not found')
    const {
      status = 200,
      type = 'text/html; charset=utf-8',
      headers = {},
      body,
    } = typeof route === 'string' ? { body: route } : route
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    routes,
    requests,
    /** The paths that were asked for, without robots.txt. */
    paths: () => requests.map(({ path }) => path).filter(path => path !== '/robots.txt'),
  }
}

/**
 * Starts the children of this process without the loaders of the test runner, which adds them to every child. They need
 * threads and writable files, which the processes of the pool do not have.
 */
export function startWithoutLoaders(): void {
  const { execPath } = process
  if (basename(execPath) === 'node.sh') return
  const directory = mkdtempSync(join(tmpdir(), 'web-fixture-'))
  const script = join(directory, 'node.sh')
  writeFileSync(script, `#!/bin/sh\nunset NODE_OPTIONS\nexec '${execPath}' "$@"\n`, { mode: 0o700 })
  process.execPath = script
  process.once('exit', () => rmSync(directory, { recursive: true }))
}

/** The web tools on a database of their own, for any member. */
export async function webFixture(t: Test, settings: Partial<WebSettings> = {}, options: Partial<WebOptions> = {}) {
  startWithoutLoaders()
  const { db } = await testDatabase(t)
  const clock = testClock(Date.now())
  const ids = testIds(clock)
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true, lookup: localLookup })
  t.teardown(() => egress.close())
  const web = createWeb({
    db,
    clock,
    ids,
    egress,
    settings: {
      build: { name: 'connector-gateway', version: '0.0.0-test', commit: 'unknown' },
      web: { honorsRobots: true, search: {}, ...settings },
    },
    ...options,
  })
  t.teardown(() => web.close())
  const tools = new Map(webTools(web).map(tool => [tool.entry.name, tool]))
  const directory = directoryOn(db, clock)
  const [ada] = await directory.members('owner')
  const costs: number[] = []

  async function call(name: string, args: object, member: TestMember = ada): Promise<CallToolResult> {
    const tool = tools.get(`web__${name}`)
    if (tool === undefined) throw new TypeError(`No tool web__${name}`)
    const refused = tool.refuse(args)
    if (refused !== undefined) throw new TypeError(refused)
    const context = {
      ...member,
      origin: 'http://localhost',
      client: QUIET_CLIENT,
      account: undefined,
      idempotencyDigest: undefined,
      reportCost: (cost: number) => costs.push(cost),
      signal: AbortSignal.timeout(30_000),
    }
    return CallToolResultSchema.parse(await tool.run(args, context))
  }

  return {
    db,
    clock,
    web,
    tools,
    directory,
    ada,
    costs,
    call,
    /** The structured result of a call. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of it.
    async result(name: string, args: object, member?: TestMember): Promise<any> {
      return (await call(name, args, member)).structuredContent
    },
    /** The code of the error of a failing call, and its message. */
    async failure(
      name: string,
      args: object,
      member?: TestMember,
    ): Promise<{ code: string; message: string; details: unknown }> {
      try {
        await call(name, args, member)
      } catch (error) {
        if (error instanceof GatewayError) return { code: error.code, message: error.message, details: error.details }
        throw error
      }
      throw new Error(`web__${name} did not fail`)
    },
  }
}

/** A page with a main content between navigation and a footer. */
export function articlePage(paragraphs: readonly string[], { title = 'The lighthouse', head = '' } = {}): string {
  const menu = ['Home', 'News', 'Shop', 'About us', 'Contact']
    .map(name => `<li><a href="/${name}">${name}</a></li>`)
    .join('')
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>
    <header><nav><ul>${menu}</ul></nav></header>
    <main><article><h1>${title}</h1>${paragraphs.map(text => `<p>${text}</p>`).join('\n')}</article></main>
    <aside><h2>Subscribe to our newsletter</h2><form><input name="mail"><button>Send</button></form></aside>
    <footer><p>Copyright, imprint, privacy policy and cookie settings</p></footer></body></html>`
}

/** Sentences, each different from the others. */
export function sentences(count: number, from = 0): string[] {
  return Array.from(
    { length: count },
    (_, i) =>
      `Sentence ${from + i} tells how the keeper climbed ${i + 3} steps and wrote about the weather of day ${i}.`,
  )
}

/** A sitemap of these URLs, as a route. */
export function siteMap(urls: readonly string[]) {
  const entries = urls.map(url => `<url><loc> ${url} </loc><lastmod>2026-01-02</lastmod></url>`).join('')
  const body = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`
  return { type: 'application/xml', body }
}

/** An index of these sitemaps, as a route. */
export function siteMapIndex(urls: readonly string[]) {
  const entries = urls.map(url => `<sitemap><loc>${url}</loc></sitemap>`).join('')
  return { type: 'application/xml', body: `<sitemapindex>${entries}</sitemapindex>` }
}
