import { type CommandLine, createCommandLine, fromShell } from '../../lib/command-line.ts'
import type { AccountScope } from '../../schemas/organizations/account.ts'
import type { CredentialPer } from '../../schemas/remotes/auth.ts'
import { slugOf } from '../../schemas/remotes/names.ts'
import type { RemoteAuthMode } from '../../schemas/remotes/remote.ts'

/** The owner of the account that a command connects, or the account that it reauthorizes. */
interface AccountTarget {
  readonly caller: { readonly orgId: string; readonly userId: string }
  readonly accountId?: string
}

interface Connector {
  readonly id: string
  readonly auth: { readonly type: 'oauth2' | 'oauth1a' | 'api_key' }
  readonly settings?: { readonly required?: readonly string[] | undefined } | undefined
}

/** What a token issuer calls a user. */
interface UserSignIn {
  readonly userId: string
  readonly issuer: string
  readonly subject: string
}

/** What a token issuer calls an agent. */
interface AgentSignIn extends Omit<UserSignIn, 'userId'> {
  readonly agentId: string
}

/** A remote connector of an organization. */
interface Remote {
  readonly orgId: string
  readonly slug: string
}

interface ConnectedAccount {
  readonly id: string
  readonly orgId: string
  readonly connector: string
  readonly authKind: 'oauth2' | 'oauth1a' | 'api_key' | null
  /** Set if the gateway's client itself gets the tokens, so that nobody can sign in. */
  readonly grant?: 'client_credentials' | undefined
  readonly scope?: AccountScope
  readonly userId?: string
}

/** A remote connector and how it is authenticated to. */
interface AuthenticatedRemote extends Remote {
  readonly auth: { readonly mode: RemoteAuthMode; readonly per?: CredentialPer }
}

/** The commands that messages name, each as a line to paste. Words in capitals are values that the operator chooses. */
export type OperatorCommands = ReturnType<typeof createOperatorCommands>

interface CommandSettings {
  readonly commandPrefix: string
  readonly commandVariables?: readonly string[]
  readonly dashboardUrl?: string | undefined
}

/**
 * Creates the lines from what starts a command in this deployment (Settings.commandPrefix). A line names the variables of
 * this process that its command reads, so that it fails in a shell without them instead of doing something else.
 */
export function createOperatorCommands({ commandPrefix, commandVariables = [], dashboardUrl }: CommandSettings) {
  const line: CommandLine = (...words) => {
    const read = variablesOf(words).filter(name => commandVariables.includes(name))
    return createCommandLine([...read.map(fromShell), commandPrefix].join(' '))(...words)
  }
  const pages = createPages(dashboardUrl)
  const [accounts, organizations] = [accountCommands(line), organizationCommands(line)]
  return {
    ...accounts,
    ...organizations,
    ...machineCommands(line),
    advise: createAdvice({ ...accounts, ...organizations }, pages),
    errorFields: createErrorFields(pages),
  }
}

type Variables = readonly string[]

const EGRESS: Variables = ['EGRESS_ALLOW', 'EGRESS_ALLOW_LOOPBACK']
const CONNECTORS: Variables = ['CONNECTORS', 'CONNECTOR_OVERRIDES', 'OAUTH_CLIENTS']
const CONNECTING: Variables = ['VAULT_KEYS', ...CONNECTORS, ...EGRESS]
const ISSUERS: Variables = ['SESSION_ISSUER', 'SESSION_AUDIENCE', 'MCP_ISSUER', 'ISSUERS_SHARE_SUBJECTS']

/** What commands read besides the environment and the database, by their first two words. All others read nothing else. */
const READ: Readonly<Record<string, Readonly<Record<string, Variables>>>> = {
  account: { add: CONNECTING, connect: CONNECTING },
  agent: { link: ISSUERS, unlink: ISSUERS },
  connector: { list: CONNECTORS },
  key: { claim: ['API_KEY_PEPPERS'], create: ['API_KEY_PEPPERS'] },
  migrate: { '--from-embedded': ['API_KEY_PEPPERS', 'VAULT_KEYS'] },
  'oauth-client': { list: CONNECTORS, set: ['VAULT_KEYS', ...CONNECTORS] },
  org: { resume: ['BILLING_THRESHOLD_MICROS'] },
  remote: { connect: ['PUBLIC_ORIGINS', 'VAULT_KEYS', ...EGRESS] },
  user: { link: ISSUERS, 'sign-in-link': ['DASHBOARD_URL'], unlink: ISSUERS },
}

/** The variables that the command of these words reads. */
function variablesOf([group = '', name = '']: readonly string[]): Variables {
  return READ[group]?.[name] ?? []
}

/** The pages of the dashboard that messages and errors lead to; undefined without a dashboard. */
function createPages(dashboardUrl: string | undefined) {
  const page = (path: string) => (dashboardUrl === undefined ? undefined : dashboardUrl + path)
  return {
    reauthorize({ id, connector }: ConnectedAccount) {
      const slug = slugOf(connector)
      return page(slug === undefined ? `/accounts/${id}/reauthorize` : `/connectors/org/${slug}`)
    },
    connectRemote: (slug: string) => page(`/connectors/org/${slug}`),
    connect: (connectorId: string) => page(`/connect/${connectorId}`),
    billing: page('/billing'),
    keys: page('/keys'),
    tools: page('/tools'),
  }
}

type Pages = ReturnType<typeof createPages>

/** What a message tells a member to do: to open a page of the dashboard, or without one to ask the operator. */
function createAdvice(
  commands: ReturnType<typeof accountCommands> & ReturnType<typeof organizationCommands>,
  pages: Pages,
) {
  const advise = (page: string | undefined, command: string) =>
    page === undefined ? askOperator(command) : `Open ${page}`

  return {
    /** Reauthorizing an account. */
    reauthorize: (account: ConnectedAccount) => advise(pages.reauthorize(account), commands.reauthorize(account)),
    /** Connecting an account. */
    connect: (account: AccountTarget, connector: Connector) =>
      advise(pages.connect(connector.id), commands.connect(account, connector)),
    /** Giving a remote connector the organization's credential or, per member, a member's own. */
    connectRemote: (remote: AuthenticatedRemote, userId?: string) =>
      advise(pages.connectRemote(remote.slug), commands.connectRemote(remote, userId)),
    /** Enabling everything that keeps a tool disabled. For all members, only an admin can. */
    enable(disabled: readonly { capability: string; userId: string | null }[], orgId: string): string {
      const lines = disabled.map(({ capability, userId }) => commands.enable(capability, { orgId, userId }))
      if (pages.tools === undefined) return askOperator(lines.join(' ; '))
      return disabled.some(({ userId }) => userId === null)
        ? `Ask an admin to switch it on at ${pages.tools}`
        : `Switch it on at ${pages.tools}`
    },
    /** Adding balance to a wallet. */
    addBalance: (orgId: string) => advise(pages.billing, commands.creditWallet(orgId)),
    /** Raising the monthly cap of a key. */
    raiseCap: (keyId: string) => advise(pages.keys, commands.raiseCap(keyId)),
  }
}

/** The fields of a tool error that name the page of its remedy, for programs; empty without a dashboard. */
function createErrorFields(pages: Pages) {
  return {
    /** `scopes` are those that the account lacks. */
    reauthorize(account: ConnectedAccount, scopes: readonly string[] = []): { reauthorize_url?: string } {
      const page = pages.reauthorize(account)
      if (page === undefined) return {}
      const query = new URLSearchParams(scopes.map((scope): [string, string] => ['scope', scope])).toString()
      return { reauthorize_url: query === '' ? page : `${page}?${query}` }
    },
    addBalance: (): { top_up_url?: string } => (pages.billing === undefined ? {} : { top_up_url: pages.billing }),
  }
}

const ASK = 'Ask the operator to run: '

/** The advice of a message that a member reads, who cannot run the command. */
export function askOperator(command: string): string {
  return ASK + command
}

/**
 * Creates the function that words a message for callers as the operator's terminal shows it: with commands that lead to
 * the database of this deployment.
 */
export function operatorWording({
  commandPrefix,
  callerCommandPrefix,
}: {
  readonly commandPrefix: string
  readonly callerCommandPrefix: string
}): (message: string) => string {
  return message => message.replaceAll(ASK, 'Run: ').replaceAll(`${callerCommandPrefix} `, `${commandPrefix} `)
}

function accountCommands(line: CommandLine) {
  const addKey = (account: AccountTarget, connector: Connector) =>
    line('account', 'add', ...target(account, connector), '--api-key', '-')

  return {
    /** Makes an account usable again, with the connect method that created it. */
    reauthorize({ id, orgId, connector, authKind, grant, scope, userId }: ConnectedAccount): string {
      const slug = slugOf(connector)
      const mode = authKind === 'api_key' ? 'bearer' : (grant ?? 'oauth')
      const per = scope === 'private' ? 'member' : 'organization'
      if (slug !== undefined) return connectRemote(line, { orgId, slug, auth: { mode, per } }, userId)
      return authKind === 'api_key'
        ? line('account', 'add', '--account', id, '--api-key', '-')
        : line('account', 'connect', '--account', id)
    },
    /** Connects an account: by signing in at the provider, or with a key if there is no other way. */
    connect: (account: AccountTarget, connector: Connector) =>
      connector.auth.type === 'api_key'
        ? addKey(account, connector)
        : line('account', 'connect', ...target(account, connector)),
    /** Connects an account with a key from standard input. */
    addKey,
    /** Connects an account of an OAuth connector with existing tokens. */
    addTokens(account: AccountTarget, connector: Connector): string {
      const tokens =
        connector.auth.type === 'oauth1a' ? ['--token', '-', '--token-secret', '-'] : ['--access-token', '-']
      return line('account', 'add', ...target(account, connector), ...tokens)
    },
    /** Sets an organization's own OAuth app. */
    setOauthClient: (orgId: string, connectorId: string, clientId = 'CLIENT_ID') =>
      line(
        ...['oauth-client', 'set', '--org', orgId, '--connector', connectorId],
        ...['--client-id', clientId, '--client-secret', '-'],
      ),
    listAccounts: (orgId: string) => line('account', 'list', '--org', orgId),
    listConnectors: () => line('connector', 'list'),
    listOauthClients: (orgId: string) => line('oauth-client', 'list', '--org', orgId),
    /** Gives a remote connector its credential, or per member that of a member: by signing in, or with a pasted token. */
    connectRemote: (remote: AuthenticatedRemote, userId?: string) => connectRemote(line, remote, userId),
    /** Shows the tools of a hidden remote connector again. */
    showRemote: ({ orgId, slug }: Remote) => line('remote', 'show', slug, '--org', orgId),
  }
}

function organizationCommands(line: CommandLine) {
  return {
    /** Enables a capability: for one member if it is disabled only for them, else for all. */
    enable: (capability: string, { orgId, userId }: { orgId: string; userId: string | null }) =>
      line('capability', 'enable', capability, '--org', orgId, ...(userId === null ? [] : ['--user', userId])),
    resumeOrganization: (orgId: string) => line('org', 'resume', orgId),
    creditWallet: (orgId: string) => line('wallet', 'credit', '--org', orgId, '--usd', 'AMOUNT'),
    raiseCap: (keyId: string) => line('key', 'cap', keyId, '--usd', 'AMOUNT'),
    createKey: ({ orgId, userId, agentId }: { orgId: string; userId: string; agentId?: string | null }) =>
      line('key', 'create', '--org', orgId, '--user', userId, ...(agentId == null ? [] : ['--agent', agentId])),
    /** Creates the key that a member asked a tool for, and prints it. */
    claimKey: (token: string) => line('key', 'claim', '--token', token),
    createOrganization: () => line('org', 'create', '--name', 'NAME'),
    listOrganizations: () => line('org', 'list'),
    /** Creates a user as a member of an organization, for sign-in links. */
    createUser: (orgId: string, email: string) =>
      line('user', 'create', '--org', orgId, '--email', email, '--role', 'member'),
    /** For a user's ID or email. */
    signInLink: (user: string) => line('user', 'sign-in-link', '--user', user),
    listMembers: (orgId: string) => line('member', 'list', '--org', orgId),
    addMember: (orgId: string, userId: string, role: string) =>
      line('member', 'add', '--org', orgId, '--user', userId, '--role', role),
    setRole: (orgId: string, userId: string, role: string) =>
      line('member', 'role', '--org', orgId, '--user', userId, '--role', role),
    /** Adds a sign-in to a user; `move` takes it from a user without organizations. */
    linkSignIn: ({ userId, issuer, subject }: UserSignIn, { move }: { move: boolean }) =>
      line('user', 'link', '--user', userId, '--issuer', issuer, '--subject', subject, ...(move ? ['--move'] : [])),
    unlinkSignIn: ({ userId, issuer, subject }: UserSignIn) =>
      line('user', 'unlink', '--user', userId, '--issuer', issuer, '--subject', subject),
    createAgent: (orgId: string) => line('agent', 'create', '--org', orgId, '--owner', 'EMAIL', '--name', 'NAME'),
    /** Gives a sign-in to an agent; `move` takes it from a user without organizations. */
    linkAgent: ({ agentId, issuer, subject }: AgentSignIn, { move }: { move: boolean }) =>
      line('agent', 'link', agentId, '--issuer', issuer, '--subject', subject, ...(move ? ['--move'] : [])),
    unlinkAgent: ({ agentId, issuer, subject }: AgentSignIn) =>
      line('agent', 'unlink', agentId, '--issuer', issuer, '--subject', subject),
    assignAgent: (agentId: string) => line('agent', 'assign', agentId, '--owner', 'EMAIL'),
  }
}

function machineCommands(line: CommandLine) {
  return {
    migrate: () => line('migrate'),
    moveEmbedded: () => line('migrate', '--from-embedded'),
    auditLedger: () => line('billing', 'audit'),
  }
}

function connectRemote(line: CommandLine, { orgId, slug, auth }: AuthenticatedRemote, userId = 'EMAIL'): string {
  const member = auth.per === 'member' ? ['--user', userId] : []
  return line('remote', 'connect', slug, '--org', orgId, ...member, ...(auth.mode === 'oauth' ? [] : ['--token', '-']))
}

/** Returns the target options of a command. Required settings of a new account appear in capitals. */
function target({ caller: { orgId, userId }, accountId }: AccountTarget, { id, settings }: Connector): string[] {
  if (accountId !== undefined) return ['--account', accountId]
  const required = (settings?.required ?? []).flatMap(name => ['--setting', `${name}=${name.toUpperCase()}`])
  return ['--org', orgId, '--user', userId, '--connector', id, ...required]
}
