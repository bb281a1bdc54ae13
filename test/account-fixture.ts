import { createAudit } from '../lib/audit/audit.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import { acrossOrgs, forOrg } from '../lib/database/tenant.ts'
import type { NewAccount, RemovedAccount } from '../services/accounts/account-writes.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import {
  type ConnectorAuth,
  type ConnectorDefinition,
  defineConnector,
} from '../services/definitions/define-connector.ts'
import { httpTool, pick } from '../services/definitions/http-tool.ts'
import { directory, directoryServices, type TestMember, testIds } from './directory.ts'
import { testClock } from './fixture.ts'
import { commands } from './operator-commands.ts'

/** OAuth 2 of an unreachable provider, with these scopes. */
export const oauth2 = {
  type: 'oauth2',
  authorizationUrl: 'https://id.shop.test/authorize',
  tokenUrl: 'https://id.shop.test/token',
  pkce: 'required',
  clientAuth: 'basic',
  scopes: { read: 'Read orders.' },
} as const satisfies ConnectorAuth

export const keyOnly = {
  type: 'api_key',
  apiKey: { header: 'x-key', probe: false, hint: 'A key of the console.' },
} as const satisfies ConnectorAuth

/** Defines a connector with one tool, `<id>__list`. */
export function sampleConnector(id: string, auth: ConnectorAuth, details: Partial<ConnectorDefinition> = {}) {
  const scopes = auth.type === 'oauth2' && auth.scopes !== undefined ? Object.keys(auth.scopes) : []
  return defineConnector({
    id,
    name: `The ${id}`,
    category: 'business',
    description: `Reads what the ${id} has.`,
    icon: { monogram: 'S', color: '#333333' },
    baseUrl: `https://${id}.test`,
    auth,
    identity: { request: { url: '/me' }, label: '{/login}' },
    tools: [
      httpTool({
        operation: 'list',
        title: 'List',
        description: 'Lists.',
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        input: {},
        scopes,
        request: { method: 'GET', path: '/list' },
        result: pick('', ['id']),
      }),
    ],
    ...details,
  })
}

/** The result of connecting to `shop`, by default. */
interface Connect extends Partial<Omit<NewAccount, 'userId' | 'by'>> {
  client?: { id: string; source: 'platform' | 'org' }
}

/** The accounts service on a database that other fixtures may share. It records the enqueued revocations. */
export function accountFixture(database: OpenDatabase) {
  const { db } = database
  const clock = testClock()
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const revoked: RemovedAccount[] = []
  const changed: string[] = []
  const services = directoryServices(db, clock)
  const accounts = createAccounts({
    commands,
    db,
    clock,
    ids,
    audit,
    async enqueueRevocation(_org, removed) {
      revoked.push(removed)
    },
    changed: orgId => changed.push(orgId),
  })

  return {
    ...services,
    database,
    db,
    clock,
    audit,
    accounts,
    revoked,
    changed,
    directory: directory(services),
    /** Connects an account of a member: stores the account and its credential together. */
    connect({ orgId, userId }: TestMember, { client, ...details }: Connect = {}) {
      clock.advance(1)
      return forOrg(db, orgId).transaction(async org => {
        const account = await accounts.insert(org, {
          connector: 'shop',
          userId,
          scope: 'private',
          alias: 'work',
          identity: 'ada@shop.test',
          identityKey: 'ada',
          authKind: 'oauth2',
          keyVerified: null,
          settings: { site: 'eu' },
          grantedScopes: ['read'],
          by: { userId, orgId },
          ...details,
        })
        await org
          .insertInto('account_credentials', {
            account_id: account.id,
            sealed: `sealed of ${account.id}`,
            key_id: 'test',
            client_id: client?.id ?? null,
            client_source: client?.source ?? null,
            updated_at: new Date(clock.now()),
          })
          .execute()
        return account
      })
    },
    /** Returns the audit rows of one target. Rows of the same time have no order. */
    async auditOf(target: string) {
      const rows = await acrossOrgs(db).selectFrom('audit').where('target', '=', target).selectAll().execute()
      return rows.map(({ action, user_id }) => `${action} by ${user_id}`).sort()
    },
    /** Returns the accounts of an organization that have a credential. */
    credentials: (orgId: string) =>
      acrossOrgs(db).selectFrom('account_credentials').where('org_id', '=', orgId).select('account_id').execute(),
  }
}
