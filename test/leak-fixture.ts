import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../app.ts'
import type { KeyRing } from '../lib/configuration/key-ring.ts'
import type { Settings } from '../lib/configuration/settings.ts'
import { explainFailure } from '../lib/process/run-process.ts'
import { signingKeysOf } from '../services/artifacts/signed-url.ts'
import { createServices, type ServicesOptions } from '../services/create-services.ts'
import { CATALOG } from '../tools/catalog.ts'
import { CONNECTORS } from '../tools/connectors/catalog.ts'
import { testDatabase } from './database.ts'
import { directory, type TestMember } from './directory.ts'
import { session, testClock } from './fixture.ts'
import { indiscreetProvider } from './indiscreet-provider.ts'
import { createLeakMarkers } from './leak-markers.ts'
import { memoryLog } from './memory-log.ts'
import { NO_LOAD_SHEDDING } from './no-load-shedding.ts'
import { testSettings } from './settings.ts'

/** A scrubber that redacts nothing, so that no secret depends on it. */
const unscrubbed = { text: (text: string) => text, line: (line: string) => line }

/** The service on a provider that leaks every secret, with a leak marker per secret, and everything that it answered and logged. */
export async function leakFixture(t: Test) {
  const markers = createLeakMarkers()
  const provider = await indiscreetProvider(t, markers)
  const [first, second] = [markers.bytes('vault key'), markers.bytes('new vault key')]
  const rings: Record<'old' | 'both', KeyRing> = {
    old: [{ id: 'v1', key: first.key }],
    both: [
      { id: 'v2', key: second.key },
      { id: 'v1', key: first.key },
    ],
  }
  for (const { key } of signingKeysOf(rings.both))
    for (const form of ['hex', 'base64', 'base64url'] as const)
      markers.add('signing key of artifacts', key.export().toString(form).slice(0, 40))

  const dataDir = t.testdir()
  const clock = testClock(Date.now())
  const database = await testDatabase(t)
  const { log, lines } = memoryLog({ level: 'trace', scrubber: unscrubbed })
  /** All answers, to any caller. */
  const answered: string[] = []

  async function serve(settings: Partial<Settings>, options: Partial<ServicesOptions> = {}) {
    const services = await createServices(
      testSettings({
        dataDir,
        vaultKeys: rings.old,
        oauthClients: apps(options.connectors ?? CONNECTORS),
        ...settings,
      }),
      {
        ...CATALOG,
        log,
        scrub: unscrubbed.text,
        clock,
        database: { ...database, close: async () => {} },
        jwts: { cached: () => undefined, verify: async token => session({ userId: token.split('.')[1] ?? '' }) },
        ...options,
      },
    )
    const app = buildApp(services, { logger: log, overload: NO_LOAD_SHEDDING })
    await app.ready()
    t.teardown(async () => {
      await app.close()
      await services.close()
    })

    const send = async (options: InjectOptions) => {
      const answer = await app.inject(options)
      answered.push(answer.body, JSON.stringify(answer.headers))
      return answer
    }
    return {
      app,
      services,
      directory: directory(services),
      send,
      /** Calls a tool as a signed-in member. Returns the text of the answer. */
      async call(member: TestMember, name: string, args: unknown, key = '') {
        const { body } = await send({
          method: 'POST',
          url: '/mcp',
          headers: {
            ...signedIn(member),
            accept: 'application/json, text/event-stream',
            ...(key !== '' && { 'idempotency-key': key }),
          },
          payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        })
        return body
      },
      /** Waits for work and records its result or its error. Returns undefined for an error. */
      async attempt<T>(work: Promise<T>): Promise<T | undefined> {
        try {
          const result = await work
          answered.push(JSON.stringify(result))
          return result
        } catch (error) {
          log.error({ err: error }, 'an attempt failed')
          answered.push(error instanceof Error ? error.message : String(error), explainFailure(error))
          return undefined
        }
      },
    }
  }

  function apps(connectors: NonNullable<ServicesOptions['connectors']>) {
    return new Map(
      connectors
        .filter(({ auth }) => auth.type !== 'api_key')
        .map(({ id }) => [id, { id: `app of ${id}`, secret: `${markers.text('secret of an app')}/+&` }]),
    )
  }

  return { markers, provider, rings, clock, database, lines, answered, serve }
}

/** The headers of a signed-in member. */
export function signedIn({ userId }: TestMember) {
  return { authorization: `Bearer e.${userId}.s` }
}
