import type { Test } from 'tap'
import type { RemoteAuthRequest } from '../schemas/remote-auth.ts'
import { LOOPBACK_REDIRECT_URI } from '../services/remote-connectors/oauth/client-metadata.ts'
import { browserSignIn } from './browser-sign-in.ts'
import { type BuildOptions, build } from './build.ts'
import { newsHeard } from './database.ts'
import type { TestMember } from './directory.ts'
import { type Headers, signedIn, verifyJwt } from './journey-fixture.ts'

type Json = Record<string, unknown>

/** The fields of `GET /connectors/org/:slug` that tests use. */
interface RemoteRead {
  id: string
  status: string
  remote: {
    tool_count: number | null
    full_schema_hash: string | null
    tools: (Json & { name: string; original_name: string })[]
    set_aside?: { original_name: string; reason: string }[]
    oauth?: Json
  } & Json
}

/** The app with an organization that registers upstreams over the HTTP routes. */
export async function remoteJourney(t: Test, options: BuildOptions = {}) {
  const built = await build(t, { verifyJwt, ...options })
  const { app, services, directory, clock } = built

  /** The client of a member. */
  function as(member: TestMember) {
    const headers = signedIn(member)

    async function http(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) {
      const response = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
      return { status: response.statusCode, body: (response.body === '' ? undefined : response.json()) as Json }
    }

    /** The result of a method. Throws if the response has none. */
    async function rpc(method: string, params: object, more: Headers = {}): Promise<Json> {
      const response = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...more,
        },
        payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const { result } = response.json() as { result?: Json }
      if (result === undefined) throw new Error(`${method} got ${response.statusCode}: ${response.body}`)
      return result
    }

    return {
      who: member,
      headers,
      http,
      rpc,
      async register(slug: string, upstream_url: string, auth: RemoteAuthRequest = { mode: 'none' }) {
        const request = { slug, name: `The ${slug}`, upstream_url, auth }
        const { status, body } = await http('POST', '/connectors/org', request)
        if (status !== 201) throw new Error(`The registration of ${slug} got ${status}: ${JSON.stringify(body)}`)
        await newsHeard(services.database)
        return body as unknown as RemoteRead
      },
      /** Advances the clock past the cooldown first. */
      async refresh(slug: string) {
        clock.advance(30_001)
        const answer = await http('POST', `/connectors/org/${slug}/refresh`)
        await newsHeard(services.database)
        return answer
      },
      /** Refreshes, and accepts the risky changes. Returns the last answer. */
      async refreshAndAccept(slug: string) {
        const answer = await this.refresh(slug)
        if (answer.body.applied !== false) return answer
        const body = { accept: answer.body.full_schema_hash }
        const accepted = await http('POST', `/connectors/org/${slug}/refresh`, body)
        await newsHeard(services.database)
        return accepted
      },
      /** Asks again if the database of a busy machine is late. */
      async read(slug: string): Promise<RemoteRead> {
        for (let tries = 1; ; tries++) {
          const { status, body } = await http('GET', `/connectors/org/${slug}`)
          if (status !== 503 || tries === 3) return body as unknown as RemoteRead
        }
      },
      /** The entries of one remote connector in `tools/list`. */
      async tools(slug: string) {
        const { tools } = (await rpc('tools/list', {})) as { tools: (Json & { name: string })[] }
        return tools.filter(({ name }) => name.startsWith(`org__${slug}__`))
      },
      call: (name: string, args: object = {}, more: Headers = {}) => rpc('tools/call', { name, arguments: args }, more),
      /** Completes an authorization in the authorization server's pages. Returns the URL where it started. */
      async authorize(slug: string, user = 'ada'): Promise<URL> {
        const { caller } = member
        const redirectUri = LOOPBACK_REDIRECT_URI
        const { authorizationUrl } = await services.remotes.beginAuthorization({ caller, slug, redirectUri })
        const url = new URL(authorizationUrl)
        const callback = (await browserSignIn(url, user)).href
        await services.remotes.finishAuthorization({ caller, callback })
        await newsHeard(services.database)
        return url
      },
    }
  }

  /** A new organization with an owner and a member. */
  async function team() {
    const [owner, member] = await directory.members('owner', 'member')
    return { owner: as(owner), member: as(member) }
  }

  return { ...built, as, team, ...(await team()) }
}

export type RemoteJourney = Awaited<ReturnType<typeof remoteJourney>>
export type RemoteMember = RemoteJourney['member']
