import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { fromDist } from '../from-dist.ts'
import { benchTools, hiddenCapabilities, SIZES } from '../tools.ts'
import { report } from './report.ts'
import { startTokenIssuer } from './token-issuer.ts'

const { buildApp } = await fromDist<typeof import('../../../app.ts')>('app.js')
const { createServices } = await fromDist<typeof import('../../../services.ts')>('services.js')
const { loadConfig } = await fromDist<typeof import('../../../plugins/configuration/load.ts')>(
  'plugins/configuration/load.js',
)
const { configuredSecrets } = await fromDist<typeof import('../../../plugins/logging/configured-secrets.ts')>(
  'plugins/logging/configured-secrets.js',
)
const { createScrubber } =
  await fromDist<typeof import('../../../plugins/logging/scrub.ts')>('plugins/logging/scrub.js')
const { createLogger } =
  await fromDist<typeof import('../../../plugins/logging/logger.ts')>('plugins/logging/logger.js')

// As server.ts starts it, with one more family and without the operator's side.
const [session, mcp] = [await startTokenIssuer('session'), await startTokenIssuer('mcp')]
const AUDIENCE = 'bench'
const settings = loadConfig({
  ...process.env,
  SESSION_ISSUER: session.issuer,
  SESSION_JWKS_URI: session.jwksUri,
  SESSION_AUDIENCE: AUDIENCE,
  MCP_ISSUER: mcp.issuer,
  MCP_JWKS_URI: mcp.jwksUri,
  ISSUERS_SHARE_SUBJECTS: 'true',
})
const scrubber = createScrubber(configuredSecrets(settings))
const log = createLogger({ level: settings.logLevel, scrubber })
const services = await createServices(settings, { log, scrub: scrubber.text, families: await benchTools() })
await services.database.migrate()

const subjectOf = (size: number) => `bench-${size}`
const keys: Record<number, string> = {}
for (const size of SIZES) {
  const org = await services.organizations.create({ name: `${size} tools`, by: 'operator' })
  for (const capability of hiddenCapabilities(size))
    await services.capabilities.set({ orgId: org.id, userId: null, capability, enabled: false })
  const { id: userId } = await services.organizations.createUser({
    orgId: org.id,
    email: `bench-${size}@example.test`,
    role: 'member',
    by: 'operator',
    subject: { issuer: session.issuer, subject: subjectOf(size) },
  })
  keys[size] = (await services.keys.create({ orgId: org.id, userId, by: 'operator' })).key
}

const app = buildApp(services, { logger: log as FastifyBaseLogger })
await app.listen(settings.listen)
services.jobs.start()
const { port } = app.server.address() as AddressInfo
const [size] = SIZES
report({
  port,
  keys,
  tokens: {
    session: await session.mint(subjectOf(size), AUDIENCE),
    mcp: await mcp.mint(subjectOf(size), `http://127.0.0.1:${port}/mcp`),
  },
})
