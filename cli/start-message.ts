import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { hasMovedMarker } from '../lib/database/moved-marker.ts'
import { formatCount } from '../lib/format-text.ts'
import { clientConfigurations } from '../services/client-configurations/client-configurations.ts'
import { createOperatorCommands } from '../services/operator/operator-commands.ts'
import type { PepperUse } from '../services/organizations/key-queries.ts'
import type { Settings } from '../services/settings/settings.ts'
import type { Bootstrapped } from './bootstrap.ts'
import type { OperatorServices } from './commands/operator-services.ts'

type StartSettings = Pick<
  Settings,
  | 'commandPrefix'
  | 'commandVariables'
  | 'environment'
  | 'database'
  | 'dataDir'
  | 'tokens'
  | 'dashboard'
  | 'dashboardUrl'
> &
  OptionalParts

/** What works only with settings of the operator. */
type OptionalParts = Pick<Settings, 'oauthClients' | 'artifactsS3' | 'web' | 'social' | 'media' | 'stripe' | 'redisUrl'>

/** How many organizations, and active keys that this environment accepts, a database has. */
interface Counts {
  organizations: number
  keys: number
  /** The only organization and its first owner: the command for a key can name them. */
  only: { orgId: string; userId: string } | undefined
}

/** Counts the organizations and the active keys of configured peppers. */
export async function readCounts(
  { organizations, members }: Pick<OperatorServices, 'organizations' | 'members'>,
  peppers: readonly PepperUse[],
): Promise<Counts> {
  const count = await organizations.count()
  const usable = peppers.filter(({ configured }) => configured).reduce((sum, pepper) => sum + pepper.keys, 0)
  return { organizations: count, keys: usable, only: count === 1 ? await onlyOwner() : undefined }

  async function onlyOwner() {
    const [org] = await organizations.list()
    const owner = org && (await members.list(org.id)).find(({ role }) => role === 'owner')
    return owner && { orgId: org.id, userId: owner.userId }
  }
}

/** The facts of a start: a line of the log, or the message for a terminal. */
interface StartFacts {
  url: string
  /** The origin of the dashboard; null if this process does not serve it. */
  dashboard: string | null
  environment: Settings['environment']
  database: string
  /** Whether MCP clients can sign in with the browser. */
  sign_in: boolean
  /** What the settings switch on. */
  configured: readonly string[]
  organizations: number
  keys: number
  /** What the operator probably does next, and the command or page for it. */
  next: Record<string, string>
}

/** Collects the facts of a start on an origin of the gateway. They contain no secret. */
export function startFacts(origin: string, counts: Counts, settings: StartSettings): StartFacts {
  return {
    url: `${origin}/mcp`,
    dashboard: dashboardOf(settings),
    environment: settings.environment,
    database: databaseOf(settings),
    sign_in: settings.tokens.mcp !== undefined,
    configured: configuredParts(settings),
    organizations: counts.organizations,
    keys: counts.keys,
    next: nextSteps(counts, settings),
  }
}

const CLIENTS_PAGE = 'docs/clients.md'

function nextSteps({ organizations, keys, only }: Counts, settings: StartSettings): Record<string, string> {
  const commands = createOperatorCommands(settings)
  if (organizations === 0) return { 'Create an organization': commands.createOrganization() }
  const createKey = commands.createKey(only ?? { orgId: 'ORG', userId: 'EMAIL' })
  if (keys === 0 && settings.tokens.mcp === undefined) return { 'Create a key': createKey }
  const signIn = commands.signInLink(only?.userId ?? 'EMAIL')
  return {
    'Connect a client': CLIENTS_PAGE,
    'Create a key': createKey,
    ...(dashboardOf(settings) !== null && { 'Sign in to the dashboard': signIn }),
  }
}

function dashboardOf({ dashboard, dashboardUrl }: StartSettings): string | null {
  return dashboard === undefined ? null : (dashboardUrl ?? null)
}

/** The message of every start but the first one, for a terminal. */
export function startMessage(facts: StartFacts): string {
  const counts = `${formatCount(facts.organizations, 'organization')}, ${formatCount(facts.keys, 'key')}`
  const steps = Object.entries(facts.next)
  const width = Math.max(...steps.map(([what]) => what.length))
  return message([
    readyLine(facts),
    [facts.environment, facts.database, counts, signInOf(facts.sign_in)].join(' · '),
    ...configuredLine(facts.configured),
    steps.map(([what, how]) => `${`${what}:`.padEnd(width + 2)} ${how}`).join('\n'),
  ])
}

function readyLine({ url, dashboard }: Pick<StartFacts, 'url' | 'dashboard'>): string {
  const page = dashboard === null ? '' : `\nThe dashboard:              ${dashboard}`
  return `connector-gateway is ready: ${url}${page}`
}

/**
 * The message of the first start: the URL, the key (shown only once, and written only once), commands to paste, and at the
 * end the link to the dashboard.
 */
export function bootstrapMessage(
  origin: string,
  { orgId, userId, key, link }: Bootstrapped,
  settings: StartSettings,
): string {
  const claudeCode = clientConfigurations({ origin, variable: 'CGW_KEY' }).find(({ id }) => id === 'claude-code')
  const steps = claudeCode !== undefined && 'steps' in claudeCode.key ? claudeCode.key.steps : []
  const command = steps.find(step => step.kind === 'command')?.command ?? ''
  const signIn = signInOf(settings.tokens.mcp !== undefined)
  return message([
    readyLine({ url: `${origin}/mcp`, dashboard: dashboardOf(settings) }),
    [settings.environment, databaseOf(settings), signIn].join(' · '),
    ...configuredLine(configuredParts(settings)),
    `API key (shown only once), and how to use it with Claude Code:\n  export CGW_KEY=${key}\n  ${command}`,
    ...(settings.tokens.mcp === undefined
      ? []
      : ['Without a key: add only the URL. The client opens the browser, where you sign in and allow it.']),
    `Other clients: ${CLIENTS_PAGE}`,
    `To create another key:\n  ${createOperatorCommands(settings).createKey({ orgId, userId })}`,
    ...(link === undefined
      ? []
      : [`To open the dashboard as the owner (the link works once, for 10 minutes):\n  ${link}`]),
  ])
}

/** The message on stderr if standard output, and the key with it, is lost. */
export function lostKeyMessage(
  first: Bootstrapped,
  settings: Pick<Settings, 'commandPrefix' | 'commandVariables'>,
): string {
  return `The API key of the first start was not shown. Create another key: ${createOperatorCommands(settings).createKey(first)}\n`
}

/**
 * The warning for a gateway on PostgreSQL whose DATA_DIR has an embedded database that was not moved: its data would seem
 * lost. Only looks at the names of files.
 */
export function unusedDatabaseWarning(
  settings: Pick<Settings, 'commandPrefix' | 'commandVariables' | 'database' | 'dataDir'>,
): string | undefined {
  const { database, dataDir } = settings
  const directory = join(dataDir, 'db')
  // PostgreSQL writes PG_VERSION first.
  const unused = existsSync(join(directory, 'PG_VERSION')) && !hasMovedMarker(dataDir)
  if (database === undefined || !unused) return undefined
  const move = createOperatorCommands(settings).moveEmbedded()
  return (
    `DATABASE_URL is set, so the embedded database in ${directory} is not used. To copy its data to an empty PostgreSQL ` +
    `database, stop the gateway and run: ${move}. If you do not need it, rename or remove that directory.`
  )
}

/** Indents paragraphs, with an empty line around each. */
function message(paragraphs: readonly string[]): string {
  return `\n${paragraphs.map(text => `${text.replaceAll(/^/gm, '  ')}\n\n`).join('')}`
}

/** Names the database without user and password. */
function databaseOf({ database, dataDir }: StartSettings): string {
  if (database !== undefined) {
    const { hostname } = new URL(database.url)
    return hostname === '' ? 'PostgreSQL' : `PostgreSQL on ${hostname}`
  }
  const path = relative('', dataDir)
  return `embedded database in ${path.startsWith('..') || isAbsolute(path) ? dataDir : `./${path}`}`
}

function signInOf(configured: boolean): string {
  return `sign-in ${configured ? 'configured' : 'not configured'}`
}

function configuredLine(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`Configured: ${parts.join(' · ')}`]
}

/** Names the parts that an operator has configured, so that they see which of their variables were understood. */
function configuredParts({ oauthClients, artifactsS3, web, social, media, stripe, redisUrl }: OptionalParts): string[] {
  const { bluesky, mastodonToken: mastodon, reddit, xBearerToken: x } = social
  const networks = Object.entries({ bluesky, mastodon, reddit, x })
  const parts: readonly [string, readonly string[]][] = [
    ['OAuth apps', [...oauthClients.keys()]],
    // The keys of the providers are not enumerable.
    ['web search', Object.getOwnPropertyNames(web.search)],
    ['social networks', networks.filter(([, credential]) => credential !== undefined).map(([name]) => name)],
    ['media', Object.keys(media.providers)],
    ['payments', stripe === undefined ? [] : ['stripe']],
    ['files', artifactsS3 === undefined ? [] : [`bucket ${artifactsS3.bucket}`]],
    ['rate limits', redisUrl === undefined ? [] : ['Redis']],
  ]
  return parts.filter(([, names]) => names.length > 0).map(([part, names]) => `${part} (${names.join(', ')})`)
}
