import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyBaseLogger, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import { buildDashboard } from '../../dashboard-app.ts'
import { createPageFiles, type PageFiles } from '../../services/dashboard/page-files.ts'
import { type BuildOptions, build } from '../fixtures/build.ts'
import { checkAnswers } from '../fixtures/check-answers.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'

export const DASHBOARD = 'http://127.0.0.1:3001'

/** The secrets of a signed-in browser. */
interface Browser {
  cookie: string
  token: string
}

interface DashboardOptions extends BuildOptions {
  url?: string
  /** The built page; a small one by default. */
  pages?: PageFiles
  /** The log of the dashboard; none by default. */
  logger?: FastifyBaseLogger
}

/** The dashboard beside the gateway, on one database. */
export async function dashboardFixture(
  t: Test,
  { url = DASHBOARD, pages, logger = pino({ level: 'silent' }), ...options }: DashboardOptions = {},
) {
  const built = await build(t, { ...options, settings: { ...options.settings, dashboardUrl: url } })
  const { services, clock } = built
  const reads: string[] = []
  const dashboard = buildDashboard(services, {
    logger,
    url,
    pages: pages ?? createPageFiles(smallPage(t)),
    instrument(app) {
      checkAnswers(app)
      app.addHook('onRoute', ({ method, url }) => {
        if (method === 'GET') reads.push(url)
      })
    },
    overload: { ...NO_LOAD_SHEDDING, ...options.overload },
  })
  t.teardown(() => dashboard.close())
  const host = new URL(url).host

  /** A request as a page of the dashboard sends it. */
  function ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    browser?: Browser,
    headers = {},
  ) {
    const request: InjectOptions = {
      method,
      url: path,
      headers: {
        host,
        ...(method !== 'GET' && { origin: url, 'sec-fetch-site': 'same-origin' }),
        ...(browser !== undefined && { cookie: browser.cookie, 'x-dashboard-token': browser.token }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    }
    // A header of undefined is left out.
    request.headers = Object.fromEntries(
      Object.entries(request.headers ?? {}).filter(([, value]) => value !== undefined),
    )
    return dashboard.inject(request)
  }

  /** Signs a user in with a link, in a browser of this name. */
  async function signIn(userId: string, userAgent = 'Browser'): Promise<Browser> {
    const { link } = await services.signInLinks.create(userId)
    const answer = await ask('POST', '/auth/link', { token: tokenOf(link) }, undefined, { 'user-agent': userAgent })
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    return { cookie, token: answer.json().token }
  }

  return { ...built, dashboard, ask, signIn, clock, url, host, /** The paths of the routes that read. */ reads }
}

function smallPage(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'page-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  for (const [name, content] of Object.entries({
    'index.html': '<!doctype html><title>Dashboard</title>',
    'app.js': 'x',
  })) {
    writeFileSync(join(directory, name), content)
    writeFileSync(join(directory, `${name}.gz`), gzipSync(content))
  }
  writeFileSync(join(directory, 'secret.key'), 'not a file of the page')
  return directory
}

/** The secrets of a session after a change of the organization, as the browser keeps them. */
export function renewedBy(answer: LightMyRequestResponse): Browser {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
  return { cookie, token: String(answer.headers['x-dashboard-token']) }
}

/** The token in the fragment of a link. */
export function tokenOf(link: string): string {
  return new URL(link).hash.slice(1)
}
