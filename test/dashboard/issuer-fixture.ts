import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { pkceChallenge, randomSecret } from '../../lib/random-secret.ts'
import { withLocalIssuer } from '../../services/local-issuer/with-local-issuer.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { freePort } from '../fixtures/free-port.ts'
import { testSettings } from '../fixtures/settings.ts'
import { dashboardFixture } from './dashboard-fixture.ts'

type DashboardOptions = NonNullable<Parameters<typeof dashboardFixture>[1]>

/** Nothing listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

/** The dashboard with the local issuer, and the gateway that accepts its tokens, on ports of their own. */
export async function issuerFixture(
  t: Test,
  { dataDir = newDirectory(t), port = 0, ...options }: DashboardOptions & { dataDir?: string; port?: number } = {},
) {
  const url = options.url ?? `http://127.0.0.1:${await freePort()}`
  const settings = issuerSettings(url, dataDir, {
    publicOrigins: port => [`http://127.0.0.1:${port}`],
    ...options.settings,
  })
  const fixture = await dashboardFixture(t, { ...options, url, settings })
  const { app, dashboard, clock } = fixture
  await dashboard.listen(settings.dashboard)
  const gateway = await app.listen({ host: '127.0.0.1', port })
  const issuer = `${url}/oauth`
  const resource = `${gateway}/mcp`

  /** The issuer's tokens are of the real time, which the clock of the gateway follows. */
  const follow = () => clock.advance(Math.max(0, Date.now() - clock.now()))

  async function register(metadata: object = {}): Promise<Response> {
    return fetch(`${issuer}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI], client_name: 'Test client', ...metadata }),
    })
  }

  /** Begins an authorization in a new browser. */
  async function begin(clientId: string, query: Record<string, string | undefined> = {}) {
    const verifier = randomSecret()
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code_challenge: pkceChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'of the client',
      resource,
      ...query,
    }
    const search = new URLSearchParams(
      Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
    )
    const answer = await fetch(`${issuer}/auth?${search}`, { redirect: 'manual' })
    const cookies = answer.headers.getSetCookie().map(line => line.split(';')[0] ?? '')
    const location = answer.headers.get('location') ?? ''
    return { answer, location, cookies, verifier, uid: location.split('/').at(-1) ?? '' }
  }

  type Begun = Awaited<ReturnType<typeof begin>>
  type Browser = Awaited<ReturnType<typeof fixture.signIn>>

  /** Sends the decision of a signed-in user, from the browser that began it unless told otherwise. */
  function decide({ uid, cookies }: Begun, browser: Browser, decision: 'allow' | 'deny', headers = {}) {
    const cookie = [browser.cookie, ...cookies].join('; ')
    return fixture.ask('POST', `/api/authorizations/${uid}`, { decision }, { ...browser, cookie }, headers)
  }

  /** Continues where the issuer leads the browser: to the client. */
  async function resume({ cookies }: Begun, location: string): Promise<URL> {
    const answer = await fetch(new URL(location, url), { headers: { cookie: cookies.join('; ') }, redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '/nowhere', url)
  }

  function exchange(form: Record<string, string>): Promise<Response> {
    follow()
    return fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
  }

  /** The tokens of a client that a user allows. */
  async function signInClient(browser: Browser, { clientId, ...query }: { clientId?: string; resource?: string } = {}) {
    const id = clientId ?? String(((await (await register()).json()) as { client_id: string }).client_id)
    const begun = await begin(id, query)
    const { location } = (await decide(begun, browser, 'allow')).json()
    const back = await resume(begun, location)
    const answer = await exchange({
      grant_type: 'authorization_code',
      client_id: id,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: begun.verifier,
    })
    const tokens = (await answer.json()) as { access_token: string; refresh_token: string; scope: string }
    return { ...tokens, clientId: id, back }
  }

  /** Calls a method of the gateway with a token. */
  async function rpc(token: string, method: string, params: object = {}) {
    follow()
    const answer = await fetch(resource, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { status: answer.status, body: (await answer.json()) as RpcAnswer }
  }

  return { ...fixture, issuer, resource, dataDir, follow, register, begin, decide, resume, exchange, signInClient, rpc }
}

interface RpcAnswer {
  result?: { structuredContent?: Record<string, unknown> }
  error?: { code: string; message: string }
}

/** Settings of development with a dashboard at this URL, which is the issuer of MCP clients. */
export function issuerSettings(url: string, dataDir: string, overrides: Partial<Settings> = {}) {
  const dashboard = { host: '127.0.0.1', port: Number(new URL(url).port), anyPort: false }
  const settings = testSettings({ ...overrides, dashboardUrl: url, dashboard, dataDir })
  return { ...withLocalIssuer(settings, () => true), dashboard }
}

/** A new directory, gone with the test. */
export function newDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'issuer-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  return directory
}
