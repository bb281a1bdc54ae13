import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import { type AppOptions, buildApp } from '../app.ts'
import type { Settings } from '../lib/configuration/settings.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import type { OverloadOptions } from '../plugins/overload/plugin.ts'
import { createServices, type Services, type ServicesOptions } from '../services/create-services.ts'
import type { Jwts } from '../services/identity/jwt.ts'
import { CATALOG } from '../tools/catalog.ts'
import { checkAnswers } from './check-answers.ts'
import { testDatabase } from './database.ts'
import { type Directory, directory } from './directory.ts'
import { scrub, testClock } from './fixture.ts'
import { NO_LOAD_SHEDDING } from './no-load-shedding.ts'
import { testSettings } from './settings.ts'

export interface BuildOptions extends Partial<Omit<ServicesOptions, 'log' | 'scrub' | 'clock'>> {
  settings?: Partial<Settings>
  /** Replaces the verifier of the configured issuers. */
  verifyJwt?: Jwts['verify']
  /** The database of another app, to build a second process on it. It is not closed with this app. */
  shared?: OpenDatabase
  /** The limits for shedding load; none by default. */
  overload?: OverloadOptions
  /** Runs before the routes are registered, in addition to `checkAnswers`. */
  instrument?: NonNullable<AppOptions['instrument']>
}

export interface Built {
  app: FastifyInstance
  services: Services
  clock: ReturnType<typeof testClock>
  /** Makes organizations, members and keys through the services. */
  directory: Directory
}

/** The whole app on its own copy of the migrated test database, closed with the test. Every answer is checked against its schema. */
export async function build(
  t: Test,
  { settings, shared, verifyJwt, overload, instrument, ...options }: BuildOptions = {},
): Promise<Built> {
  const clock = testClock(Date.now())
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }, pino.destination(2))
  const own = async () => options.database ?? (await testDatabase(t))
  const database = shared === undefined ? await own() : { ...shared, close: async () => {} }
  const services = await createServices(testSettings(settings), {
    ...CATALOG,
    log,
    scrub,
    clock,
    database,
    ...(verifyJwt !== undefined && { jwts: { cached: () => undefined, verify: verifyJwt } }),
    ...options,
  })
  const app = buildApp(services, {
    logger: log,
    instrument(app) {
      checkAnswers(app)
      instrument?.(app)
    },
    overload: { ...NO_LOAD_SHEDDING, ...overload },
  })
  t.teardown(async () => {
    await app.close()
    await services.close()
  })
  await app.ready()
  return { app, services, clock, directory: directory(services) }
}
