import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { ACCOUNTS, benchConnectors } from '../connectors.ts'
import { fromDist } from '../from-dist.ts'
import { REMOTES, upstreamPath } from '../remotes.ts'
import { benchTools, type Holder, hiddenCapabilities, SIZES } from '../tools.ts'
import { report } from './report.ts'
import { startTokenIssuer } from './token-issuer.ts'

const { buildApp } = await fromDist<typeof import('../../../app.ts')>('app.js')
const { createServices } =
  await fromDist<typeof import('../../../services/create-services.ts')>('services/create-services.js')
const { CATALOG } = await fromDist<typeof import('../../../tools/catalog.ts')>('tools/catalog.js')
const { loadConfig } = await fromDist<typeof import('../../../services/settings/load.ts')>('services/settings/load.js')
const { configuredSecrets } = await fromDist<typeof import('../../../services/settings/settings.ts')>(
  'services/settings/settings.js',
)
const { createScrubber } = await fromDist<typeof import('../../../lib/logging/scrub.ts')>('lib/logging/scrub.js')
const { createLogger } = await fromDist<typeof import('../../../lib/logging/logger.ts')>('lib/logging/logger.js')

// Like server.ts, with an additional family and made-up connectors, and without the operator's commands.
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
  EGRESS_ALLOW_LOOPBACK: 'true',
})
const scrubber = createScrubber(configuredSecrets(settings))
const log = createLogger({ level: settings.logLevel, scrubber })
const connectors = await benchConnectors(process.env.UPSTREAM ?? '')
const services = await createServices(settings, {
  ...CATALOG,
  log,
  scrub: scrubber.text,
  families: await benchTools(),
  connectors: connectors.all,
})
await services.database.migrate()

const subjectOf = (holder: Holder) => `bench-${holder}`
const keys: Partial<Record<Holder, string>> = {}

/** Creates an organization with one member and a key. */
async function makeMember(
  holder: Holder,
  role: 'member' | 'admin' = 'member',
): Promise<{ orgId: string; userId: string }> {
  const { id: orgId } = await services.organizations.create({ name: `Bench ${holder}`, by: 'operator' })
  const { id: userId } = await services.organizations.createUser({
    orgId,
    email: `bench-${holder}@example.test`,
    role,
    by: 'operator',
    subject: { issuer: session.issuer, subject: subjectOf(holder) },
  })
  keys[holder] = (await services.keys.create({ orgId, userId, by: 'operator' })).key
  return { orgId, userId }
}

for (const size of SIZES) {
  const { orgId } = await makeMember(size)
  for (const capability of hiddenCapabilities(size))
    await services.capabilities.set({ orgId, userId: null, capability, enabled: false })
}

const connected = await makeMember('connected')
for (const { id } of connectors.made.slice(0, ACCOUNTS))
  await services.connecting.add({
    caller: { ...connected, role: 'member' },
    by: 'operator',
    connector: id,
    scope: 'private',
    identity: 'ada@provider.example',
    probe: false,
    credential: {
      kind: 'oauth2',
      accessToken: randomBytes(32).toString('hex'),
      refreshToken: randomBytes(32).toString('hex'),
      expiresInSeconds: 8 * 3600,
    },
  })

const registrar = { ...(await makeMember('registered', 'admin')), role: 'admin' } as const
for (const { slug, era, auth } of Object.values(REMOTES)) {
  const upstream_url = `${process.env.UPSTREAM}${upstreamPath(era)}`
  await services.remotes.register(registrar, { slug, name: `Bench ${slug}`, upstream_url, auth }, 'http://localhost')
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
