import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import type { Test } from 'tap'
import { developmentSecrets } from '../lib/configuration/development-secrets.ts'
import { parsePeppers, parseVaultKeys } from '../lib/configuration/key-ring.ts'
import type { MoveSettings } from '../lib/configuration/move.ts'
import { type OpenDatabase, openDatabase } from '../lib/database/open-database.ts'
import type { Database } from '../lib/database/tables.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { createVault } from '../lib/vault/vault.ts'
import { type ConnectorDefinition, defineConnector } from '../services/definitions/define-connector.ts'
import { httpTool, pick } from '../services/definitions/http-tool.ts'
import { reads } from '../tools/connectors/annotations.ts'
import { build } from './build.ts'
import { silent, testDataDir } from './database.ts'
import { callerOfApp } from './journey-fixture.ts'
import { keyProvider } from './key-provider.ts'
import { keyConnector } from './sample-connectors.ts'
import { testSettings } from './settings.ts'

/** Text with every kind of character that a text form could change. */
const ODD_TEXT = `"'\\ \\\\x41 {a,"b"} (c) \t\r\n\u0001\u007f\u2028 é e\u0301 ﬃ \u{1f600} \uffff \u200f NULL \\N $1 %`

/** A filled data directory of a development gateway that was stopped. */
interface FilledSource {
  dataDir: string
  /** Open until the end of the test. */
  database: OpenDatabase
  connector: ConnectorDefinition
  orgId: string
  /** The owner, who also has an agent. */
  userId: string
  /** A key of the owner. It works only in development. */
  key: string
  artifact: { id: string; content: string }
  /** A signed URL of the artifact, as the stopped gateway issued it. */
  artifactUrl: string
}

/** A development gateway with rows in every table, made through its services where that is possible. Stopped at the end. */
export async function filledSource(t: Test): Promise<FilledSource> {
  const dataDir = await testDataDir(t)
  const secrets = developmentSecrets.readOrMake(dataDir)
  // It stays open: opening it takes a second.
  const database = await openDatabase({ dataDir, log: silent })
  t.teardown(() => database.close())
  const provider = await keyProvider(t)
  provider.people.set('key-of-ada', { id: 1, login: 'ada' })
  provider.sites.push({ id: 's1', url: 'https://one.example' })
  const connector = defineConnector({
    ...keyConnector('vaulted', provider.origin, { probe: true }),
    tools: [
      httpTool({
        operation: 'list_sites',
        title: 'List sites',
        description: 'Lists sites.',
        annotations: reads,
        input: {},
        request: { method: 'GET', path: '/sites' },
        result: pick('', ['id']),
      }),
    ],
  })
  const vaultKeys = parseVaultKeys(secrets.VAULT_KEYS)
  let filled: FilledSource | undefined
  await t.test('fill the source', async t => {
    const settings = { dataDir, vaultKeys, peppers: parsePeppers(secrets.API_KEY_PEPPERS) }
    const kept = { ...database, close: async () => {} }
    const built = await build(t, { settings, database: kept, connectors: [connector] })
    const { services, directory } = built
    const { organizations, keys, connecting, artifacts, wallets } = services
    const by = 'operator'
    const { id: orgId } = await organizations.create({ name: ODD_TEXT.replaceAll(/[\p{Cc}\u2028\u200f]/gu, ''), by })
    const subject = { issuer: 'https://id.example', subject: 'ada' }
    const { id: userId } = await organizations.createUser({
      orgId,
      email: 'ada@example.test',
      role: 'owner',
      by,
      subject,
    })
    const agent = await services.agents.create({ orgId, ownerId: userId, name: 'Helper', by })
    const { key } = await keys.create({ orgId, userId, name: 'laptop', by })
    // A millisecond later, so that the keys have an order.
    built.clock.advance(1)
    await keys.create({ orgId, userId, agentId: agent.id, by })
    const revoked = await keys.create({ orgId, userId, by })
    await keys.revoke(revoked.id, { by })
    await directory.members('owner')
    await wallets.credit({ orgId, amountMicros: 2_000_000, by })

    const { call } = callerOfApp(built, { 'x-api-key': key })
    await call('memory__remember', { memory: `The demo is on Friday. ${ODD_TEXT}` }, { 'idempotency-key': 'once' })
    await call('memory__remember', { memory: 'Alles Gute zum Geburtstag, 東京', scope: 'shared' })
    await connecting.add({
      caller: { orgId, userId, role: 'owner' },
      connector: 'vaulted',
      scope: 'private',
      by,
      credential: { kind: 'api_key', key: 'key-of-ada' },
      probe: true,
    } as Parameters<typeof connecting.add>[0])
    const content = 'A file of a tool.\n'.repeat(10_000)
    const body = Readable.from([Buffer.from(content)])
    const artifact = await artifacts.create({ orgId, userId, name: 'report.txt', body })
    await services.assertionKeys()
    await services.usage.flush()

    const seal = createVault(vaultKeys).seal
    await fillByHand(acrossOrgs(database.db), { orgId, userId, agentId: agent.id, seal })
    const artifactUrl = artifacts.urlOf(artifact, 'http://localhost')
    filled = { dataDir, database, connector, orgId, userId, key, artifact: { id: artifact.id, content }, artifactUrl }
  })
  if (filled === undefined) throw new Error('The source was not filled')
  return filled
}

/** Rows that only a job, another provider or a crash makes, with values at the limits of their types. */
async function fillByHand(
  db: Kysely<Database>,
  {
    orgId,
    userId,
    agentId,
    seal,
  }: { orgId: string; userId: string; agentId: string; seal: ReturnType<typeof createVault>['seal'] },
): Promise<void> {
  const client = seal({ table: 'oauth_clients', column: 'sealed', orgId, id: 'hub' }, 'client secret')
  const attempt = seal({ table: 'connect_attempts', column: 'sealed', orgId, id: 'state1', of: userId }, '{}')
  const statements = [
    sql`insert into active_organizations values (${userId}, '', ${orgId}, '2026-01-02 03:04:05.678901+00')`,
    sql`insert into invitations (org_id, id, email, email_key, role, token_hash, invited_by, created_at, expires_at)
      values (${orgId}, 'inv_1', 'Eve@x', 'eve@x', 'admin', 'hash', ${userId}, now(), now() + interval '7 days')`,
    sql`insert into agent_sign_ins (org_id, id, agent_id, issuer, subject, created_at)
      values (${orgId}, 'asi_1', ${agentId}, 'https://id.example', 'robot', now())`,
    sql`insert into key_claims (org_id, id, user_id, token_hash, request, created_at, expires_at)
      values (${orgId}, 'clm_1', ${userId}, 'hash', '{"create": {}}', now(), now() + interval '10 minutes')`,
    sql`insert into generations (org_id, id, user_id, hold_id, model, state, request, operation, estimate_micros)
      values (${orgId}, 'gen_1', ${userId}, 'hld_1', 'veo-3.1', 'running', '{}', '{"name": "\\u0000"}', 3200000)`,
    sql`insert into dashboard_sessions (id, user_id, cookie_hash, token_hash, user_agent, issuer, subject, created_at, used_at, expires_at)
      values ('ses_1', ${userId}, 'cookie', 'token', 'Browser', 'https://id.example', 'ada', now(), now(), now() + interval '7 days')`,
    sql`insert into sign_in_links (token_hash, user_id, created_at, expires_at)
      values ('hash', ${userId}, now(), now() + interval '10 minutes')`,
    sql`insert into issuer_records (kind, id_hash, payload, grant_id, expires_at)
      values ('RefreshToken', 'hash', '{"kind": "RefreshToken"}', 'grant', now() + interval '90 days')`,
    sql`insert into pending_sign_ins (id, browser_hash, sealed, key_id, expires_at)
      values ('state', 'browser', ${attempt.sealed}, ${attempt.keyId}, now() + interval '10 minutes')`,
    sql`insert into web_pages (org_id, id, url, view, page, bytes, fetched_at, expires_at)
      values (${orgId}, 'pag_1', 'https://example.com/', 'article', ${ODD_TEXT}, 10, now(), now() + interval '15 minutes')`,
    sql`insert into capability_settings (org_id, capability, enabled, updated_at)
      values (${orgId}, 'github', false, '0001-01-01 00:00:00+00')`,
    sql`insert into remote_connectors (org_id, id, slug, name, upstream_url, auth_mode, oauth, created_by, created_at)
      values (${orgId}, 'rem_1', 'wiki', 'Wiki', 'https://wiki.example/mcp', 'oauth', '{"a": 1.50}', ${userId}, now())`,
    sql`insert into remote_snapshots (org_id, id, remote_id, fetched_at, hash, tools, set_aside)
      select ${orgId}, 'snp_' || i, 'rem_1', now(), 'hash', '[{"n": 12345678901234567890.123456789, "s": "\\u2028"}]', '[]'
      from generate_series(1, 11) as i`,
    sql`insert into oauth_clients (org_id, connector, client_id, sealed, key_id, created_at)
      values (${orgId}, 'hub', 'client', ${client.sealed}, ${client.keyId}, now())`,
    sql`insert into connect_attempts (org_id, id, user_id, connector, sealed, key_id, expires_at)
      values (${orgId}, 'state1', ${userId}, 'hub', ${attempt.sealed}, ${attempt.keyId}, now() + interval '10 minutes')`,
    sql`update account_credentials set refresh_owner = 'host:1', refresh_until = now() + interval '1 minute'`,
    sql`insert into usage (org_id, id, at, user_id, agent_id, tool, outcome, duration_ms, cost_micros)
      values (${orgId}, 'use_big', 'infinity', ${userId}, ${agentId}, 'test__big', 'ok', 2147483647, 9223372036854775807)`,
    sql`insert into usage (org_id, id, at, user_id, tool, outcome, duration_ms, cost_micros)
      select ${orgId}, 'use_' || i, now() - i * interval '1 microsecond', ${userId}, 'test__many', 'ok', i, i
      from generate_series(1, 603) as i`,
    sql`insert into usage_days values (${orgId}, '2026-02-28', ${userId}, null, null, 'memory', 'remember', null, 2, 1, 3, 4)`,
    sql`insert into usage_rolled values (${orgId}, '2026-03-01', now(), null)`,
    sql`insert into idempotency (org_id, holder, tool, key, arguments_hash, state, lease_until, created_at)
      values (${orgId}, ${userId}, 'test__run', ${ODD_TEXT}, 'hash', 'running', now() + interval '90 seconds', now())`,
    sql`insert into jobs (id, kind, payload, run_at, attempts, last_error, created_at)
      values ('job_1', 'revoke', '{"a": [null, true, ""]}', now(), 3, ${ODD_TEXT}, now())`,
    sql`insert into jobs (id, kind, payload, run_at, dedupe, created_at)
      values ('every:retention.usage', 'retention.usage', '{}', now(), 'every:retention.usage', now())`,
    sql`insert into customers (org_id, livemode, billing_profile) values (${orgId}, false, '{"name": "A\\u2028B"}')`,
    sql`insert into payments (org_id, id, kind, provider, amount_micros, amount_cents, livemode) values
      (${orgId}, 'pay_1', 'topup', 'stripe', 5000000, 500, false), (${orgId}, 'pay_2', 'topup', 'stripe', 70000, 7, true)`,
    sql`insert into payments (org_id, id, kind, provider, amount_micros, amount_cents, livemode)
      values (${orgId}, 'pay_3', 'topup', 'built_in', 30000, 3, false)`,
    sql`select gateway_settle_payment(${orgId}, 'pay_3', 3, 'Top-up')`,
    sql`select gateway_settle_payment(${orgId}, 'pay_1', 595, 'Top-up'), gateway_settle_reversal(${orgId}, 'pay_1', 5)`,
    sql`insert into payment_reconciliations (org_id, payment_id, reason, detail) values (${orgId}, 'pay_2', 'subtotal', '{}')`,
    sql`insert into stripe_events (id, type, object_id, livemode) values ('evt_1', 'refund.failed', null, true)`,
    sql`insert into subscriptions (org_id, id, provider, plan_id, price_micros, included_micros, livemode, status,
      period_start, period_end, created_at, checked_at) values
      (${orgId}, 'pln_1', 'stripe', 'pro', 20000000, 20000000, true, 'active', now(), now() + interval '1 month', now(), now()),
      (${orgId}, 'pln_2', 'built_in', 'pro', 20000000, 20000000, false, 'active', now(), now() + interval '1 month', now(), now())`,
    sql`insert into ledger_checkpoints (org_id, through, postings, wallet_micros, revenue_micros, funding_micros, promotion_micros, covered_micros)
      values (${orgId}, '2020-01-01', 0, 0, 0, 0, 0, 0)`,
    sql`insert into ledger_checkpoint_keys (org_id, key_id, month, spent_micros) values (${orgId}, 'key_x', '2020-01-01', 0)`,
    sql`select gateway_grant(${orgId}, 'pln_1', now(), now() + interval '1 month', 7, 'Pro', now())`,
    sql`select gateway_grant(${orgId}, 'pln_2', now(), now() + interval '1 month', 50000000, 'Pro', now())`,
  ]
  for (const statement of statements) await statement.execute(db)

  // 303 captures, more entries than one batch, and a hold in each other state. One expired two hours ago, which no gateway noticed.
  const hold = (id: string) =>
    sql`select gateway_hold(${orgId}, ${id}, ${userId}, 'key_x', 'test__paid', 100, 0, interval '15 minutes')`.execute(
      db,
    )
  for (const id of ['hld_over', 'hld_free', 'hld_expired', 'hld_due', 'hld_pending']) await hold(id)
  await sql`select gateway_hold(${orgId}, 'hld_' || i, ${userId}, null, 'test__paid', 100, 0, interval '1 hour'),
    gateway_capture(${orgId}, 'hld_' || i, 7) from generate_series(1, 303) as i`.execute(db)
  await sql`select gateway_capture(${orgId}, 'hld_over', 250), gateway_release(${orgId}, 'hld_free')`.execute(db)
  await sql`update holds set expires_at = now() - interval '2 hours' where id = 'hld_expired'`.execute(db)
  await sql`select gateway_expire_holds(${orgId}, 10)`.execute(db)
  await sql`update holds set expires_at = now() - interval '2 hours' where id = 'hld_due'`.execute(db)
}

/** The settings of a move from a directory. The URL is only a name: tests open the target themselves. */
export function moveSettings(dataDir: string, overrides: Partial<MoveSettings> = {}): MoveSettings {
  const secrets = developmentSecrets.readOrMake(dataDir)
  const embedded = {
    vaultKeys: parseVaultKeys(secrets.VAULT_KEYS),
    peppers: parsePeppers(secrets.API_KEY_PEPPERS),
  }
  const url = 'postgres://gateway:secretive@db.example:5432/gateway'
  return {
    ...testSettings({ environment: 'production', dataDir, database: { url, directUrl: url }, ...embedded }),
    embedded,
    secretsToSet: () => [],
    ...overrides,
  }
}
