import { createSecretKey, randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { createAudit } from '../lib/audit/audit.ts'
import type { KeyRing, NamedKey } from '../lib/configuration/key-ring.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import { acrossOrgs, forOrg } from '../lib/database/tenant.ts'
import type { Egress } from '../lib/egress/egress.ts'
import { createVault } from '../lib/vault/vault.ts'
import type { Logger } from '../schemas/log.ts'
import type { Clock } from '../schemas/time.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import type { Credential, IssuedCredential } from '../services/credentials/credential.ts'
import { createGrants, type Grants, type GrantsOptions, type Sent } from '../services/credentials/grants.ts'
import { createOauthClients } from '../services/credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../services/credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../services/definitions/define-connector.ts'
import { newsHeard, silent, testDatabase } from './database.ts'
import { directory, directoryServices, testIds } from './directory.ts'
import { egressOf } from './egress-fixture.ts'
import { testClock } from './fixture.ts'
import { commands } from './operator-commands.ts'
import { rotatingConnector, type TokenServer, type TokenServerOptions, tokenServer } from './token-server.ts'

/** Creates vault keys with these IDs. */
export function vaultKeys<const Ids extends readonly [string, ...string[]]>(
  ...ids: Ids
): { [I in keyof Ids]: NamedKey } {
  return ids.map(id => ({ id, key: createSecretKey(randomBytes(32)) })) as { [I in keyof Ids]: NamedKey }
}

/** The app of the rotating connector. The test provider accepts any secret. */
export const platformApp = { id: 'app.1', secret: randomBytes(12).toString('hex') }

interface ProcessOptions {
  database: Pick<OpenDatabase, 'db' | 'events'>
  clock: Clock
  egress: Egress
  ring: KeyRing
  log?: Logger
  own?: Partial<GrantsOptions>
}

/** The grants service of one process. */
export function grantProcess({ database, clock, egress, ring, log = silent, own = {} }: ProcessOptions) {
  const { db, events } = database
  const vault = createVault(ring)
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const accounts = createAccounts({ db, clock, ids, audit, commands, enqueueRevocation: async () => {} })
  const platform = new Map([['rotor', platformApp]])
  const clients = createOauthClients({ db, events, clock, vault, audit, commands, platform })
  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const { markNeedsReauth, markConnected } = accounts
  const options = {
    db,
    events,
    clock,
    log,
    vault,
    clients,
    commands,
    tokenEndpoint,
    markNeedsReauth,
    markConnected,
    enqueueRevocation: async () => {},
    owner: 'test:1',
    ...own,
  }
  return { vault, audit, accounts, clients, tokenEndpoint, grants: createGrants(options) }
}

interface GrantFixtureOptions extends TokenServerOptions {
  ring?: KeyRing
  /** A database that other fixtures share; a separate one if absent. */
  database?: OpenDatabase
}

interface AccountDetails {
  alias?: string
  settings?: Record<string, string>
}

/** Credentials of one member's accounts, with a provider that rotates them. */
export async function grantFixture(t: Test, options: GrantFixtureOptions = {}) {
  const database = options.database ?? (await testDatabase(t))
  const { db } = database
  const clock = testClock(Date.now())
  const server = await tokenServer(t, options)
  const egress = egressOf(t)
  const ring = options.ring ?? vaultKeys('one')
  const people = directory(directoryServices(db, clock))
  const [member] = await people.members('owner')
  const connector = rotatingConnector(server.origin)
  const process = (own: Partial<GrantsOptions> = {}, log?: Logger) =>
    grantProcess({ database, clock, egress, ring, own, ...(log && { log }) })
  const first = process()
  const allOrgs = acrossOrgs(db)

  return {
    ...first,
    database,
    db,
    allOrgs,
    clock,
    server,
    egress,
    ring,
    people,
    member,
    connector,
    /** Another process on the same database. */
    process,

    /** Adds an account with an issued credential; by default a rotating token of an hour. */
    async account({ alias = 'work', settings = {}, ...details }: Partial<IssuedCredential> & AccountDetails = {}) {
      const credential: Credential = details.credential ?? {
        v: 1,
        kind: 'oauth2',
        ...server.grant(),
        expiresAt: clock.now() + 3_600_000,
      }
      const issued: IssuedCredential = {
        grantedScopes: null,
        client: { id: platformApp.id, source: 'platform' },
        ...details,
        credential,
      }
      const account = await forOrg(db, member.orgId).transaction(async org => {
        const account = await first.accounts.insert(org, {
          connector: connector.id,
          userId: member.userId,
          scope: 'private',
          alias,
          identity: 'ada',
          identityKey: alias,
          authKind: credential.kind,
          keyVerified: null,
          settings,
          grantedScopes: null,
          by: 'operator',
        })
        await first.grants.store(org, account, issued)
        return account
      })
      await newsHeard(database)
      return account
    },

    /** Returns the row of an account's credential. */
    row: (id: string) =>
      allOrgs.selectFrom('account_credentials').where('account_id', '=', id).selectAll().executeTakeFirstOrThrow(),
    statusOf: async (id: string) =>
      (await allOrgs.selectFrom('accounts').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status,
  }
}

/** Calls the provider's API with the given credential. */
export function callApi({ origin }: Pick<TokenServer, 'origin'>) {
  return async (credential: Credential): Promise<Sent<string>> => {
    const token = credential.kind === 'oauth2' ? credential.accessToken : credential.kind
    const { status } = await fetch(`${origin}/api`, { headers: { authorization: `Bearer ${token}` } })
    return { answer: token, unauthorized: status === 401 }
  }
}

/** Returns the token that a call was answered with, or the code of its error. */
export async function outcomeOf(
  grants: Grants,
  account: Parameters<Grants['send']>[0],
  connector: ConnectorDefinition,
  server: Pick<TokenServer, 'origin'>,
): Promise<string> {
  try {
    return await grants.send(account, connector, callApi(server))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}
