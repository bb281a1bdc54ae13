import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { auditLedger, defineLedgerAudit } from '../../../services/billing/audit/audit-ledger.ts'
import type { DifferenceKind } from '../../../services/billing/audit/checks.ts'
import { testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../../fixtures/directory.ts'
import { scrub, testClock } from '../../fixtures/fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { commands } from '../../fixtures/operator-commands.ts'

// Made once: most of the time of a test would be that of its database.
const { db } = await testDatabase(t)
const clock = testClock()
const hand = acrossOrgs(db)
const ids = testIds(clock)
const services = directoryServices(db, clock)
const { ledger, wallets } = services

/** An organization with a key, in whose ledger everything has happened: credit, hold, capture, overage, release, expiry. */
async function busy() {
  const [ada] = await directory(services).members('member')
  const { orgId, userId } = ada
  const { id: keyId } = await ada.key()
  const hold = async (amountMicros: number, by: string | null = keyId) => {
    const id = ids('hld')
    await ledger.hold({ orgId, id, userId, keyId: by, tool: 'test__fixed', amountMicros })
    return id
  }
  await wallets.credit({ orgId, amountMicros: 1_000, by: 'operator' })
  const [captured, over, free, released, expired] = [
    await hold(10),
    await hold(10),
    await hold(10, null),
    await hold(10),
    await hold(10),
  ]
  const pending = await hold(10)
  await ledger.capture(db, { orgId, id: captured }, 4)
  await ledger.capture(db, { orgId, id: over }, 13)
  await ledger.capture(db, { orgId, id: free }, 0)
  await ledger.release(db, { orgId, id: released })
  await sql`update holds set expires_at = now() where id = ${expired}`.execute(hand)
  await sql`select gateway_expire_holds(${orgId}, 10)`.execute(hand)
  return { orgId, keyId, captured, over, released, expired, pending, hold }
}

/** Runs a statement without the triggers that protect the ledger. */
async function byHand(...statements: RawBuilder<unknown>[]): Promise<void> {
  await hand.transaction().execute(async trx => {
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const statement of statements) await statement.execute(trx)
  })
}

t.test('a ledger with every kind of event has no differences, in any window size', async t => {
  const before = await auditLedger(db)
  await busy()
  await busy()
  for (const rows of [undefined, 1, 3]) {
    const audit = await auditLedger(db, rows === undefined ? {} : { rows })
    t.strictSame(audit, {
      organizations: before.organizations + 2,
      postings: before.postings + 8,
      holds: { pending: 2, captured: 6, released: 2, expired: 2 },
      reconciliations: 2,
      recounted: 0,
      found: 0,
      differences: [],
    })
  }
})

t.test('a reversal into another account than funding is a difference', async t => {
  const { orgId } = await busy()
  const id = ids('txn')
  t.equal(await ledger.reverse(db, { orgId, id, amountMicros: 5, description: 'Taken back' }), 5)
  t.same((await auditLedger(db)).differences, [])
  const swap = (account: string) =>
    byHand(sql`update ledger_entries set account = ${account} where posting_id = ${id} and account <> 'wallet'`)
  await swap('revenue')
  t.match((await auditLedger(db)).differences, [
    { org: orgId, kind: 'posting_accounts', what: /do not fit a reversal\.$/ },
  ])
  await swap('funding')
})

t.test('each difference is found and named, only for its organization', async t => {
  type Busy = Awaited<ReturnType<typeof busy>>
  const cases: Record<DifferenceKind, { make: (org: Busy) => RawBuilder<unknown>[]; what: (org: Busy) => string[] }> = {
    wallet_balance: {
      make: ({ orgId }) => [sql`update wallets set balance_micros = balance_micros + 5 where org_id = ${orgId}`],
      what: () => ['The balance of the wallet is 988, but its entries sum to 983.'],
    },
    wallet_held: {
      make: ({ orgId }) => [sql`update wallets set held_micros = 3 where org_id = ${orgId}`],
      what: () => ['The wallet holds 3, but its pending holds sum to 10.'],
    },
    wallet_missing: {
      make: ({ orgId, pending }) => [
        sql`delete from wallets where org_id = ${orgId}`,
        sql`delete from holds where id = ${pending}`,
        sql`update key_months set held_micros = 0 where org_id = ${orgId}`,
      ],
      what: () => [
        'The organization has no wallet; its entries sum to 983. Create one with that balance: a credit would start at 0.',
      ],
    },
    wallet_overdrawn: {
      make: ({ orgId, pending, keyId }) => [
        sql`update holds set amount_micros = 990 where id = ${pending}`,
        sql`update wallets set held_micros = 990 where org_id = ${orgId}`,
        sql`update key_months set held_micros = 990 where org_id = ${orgId} and key_id = ${keyId}`,
      ],
      what: () => [
        'Without overages and taken back payments the wallet has 986, less than the 990 of its pending holds.',
      ],
    },
    payment_credit: {
      make: ({ orgId }) => [
        addPayment(orgId),
        sql`update payments set state = 'paid', charged_cents = 1, credited_at = now() where org_id = ${orgId}`,
      ],
      what: ({ orgId }) => [`Payment pay_${orgId} of 10000 is credited, but the ledger has credits of 0 for it.`],
    },
    payment_reversed: {
      make: ({ orgId }) => [
        addPayment(orgId),
        sql`select gateway_settle_payment(${orgId}, ${`pay_${orgId}`}, 1, 'Top-up')`,
        sql`select gateway_settle_reversal(${orgId}, ${`pay_${orgId}`}, 7)`,
        sql`update payments set reversed_micros = 5 where org_id = ${orgId}`,
      ],
      what: ({ orgId }) => [`Payment pay_${orgId} counts 5 as taken back, but the ledger has 7.`],
    },
    plan_grant: {
      make: ({ orgId }) => [...addGrant(orgId), sql`update plan_grants set amount_micros = 9 where org_id = ${orgId}`],
      what: ({ orgId }) => [`Grant pln_${orgId}_0 is of 9, but the ledger has grants of 7 for it.`],
    },
    plan_grant_expired: {
      make: ({ orgId }) => [
        ...addGrant(orgId),
        sql`select gateway_expire_grants(${orgId}, '2200-01-01', null, null)`,
        sql`update plan_grants set expired_micros = 3 where org_id = ${orgId}`,
      ],
      what: ({ orgId }) => [`Of grant pln_${orgId}_0, 3 has expired, but the ledger has 0.`],
    },
    key_spent: {
      make: ({ orgId }) => [sql`update key_months set spent_micros = 1 where org_id = ${orgId}`],
      what: ({ keyId }) => [`Key ${keyId} counts 1 as spent in ${month}, but its captures sum to 17.`],
    },
    key_held: {
      make: ({ orgId }) => [sql`update key_months set held_micros = 11 where org_id = ${orgId}`],
      what: ({ keyId }) => [`Key ${keyId} counts 11 as held in ${month}, but its pending holds sum to 10.`],
    },
    hold_captured: {
      make: ({ captured, over }) => [
        sql`update holds set cost_micros = 5 where id = ${captured}`,
        sql`update holds set cost_micros = 12 where id = ${over}`,
      ],
      what: ({ captured, over }) => [
        `Hold ${captured} of 10 cost 5. Its capture is 4 and its overage 0, which should be 5 and 0.`,
        `Hold ${over} of 10 cost 12. Its capture is 10 and its overage 3, which should be 10 and 2.`,
      ],
    },
    hold_expired: {
      make: ({ expired }) => [sql`delete from reconciliations where hold_id = ${expired}`],
      what: ({ expired }) => [`Hold ${expired} of 10 has expired without a reconciliation.`],
    },
    hold_overdue: {
      make: ({ pending }) => [
        sql`update holds set expires_at = timestamptz '2026-01-31 23:59:59+00' where id = ${pending}`,
      ],
      what: ({ pending }) => [
        `Hold ${pending} of 10 should have expired at 2026-01-31T23:59:59Z, but is still pending. The job billing.expire-holds does not run.`,
      ],
    },
    reconciliation_hold: {
      make: ({ orgId, released, captured }) => [
        sql`insert into reconciliations (org_id, hold_id, reason, user_id, tool, held_micros) values
          (${orgId}, ${released}, 'expired', '', '', 10), (${orgId}, ${captured}, 'invalid_cost', '', '', 10),
          (${orgId}, ${`${released}0`}, 'expired', '', '', 10)`,
      ],
      what: ({ released, captured }) => [
        `A reconciliation (expired) belongs to hold ${released}, which is released instead of expired.`,
        `A reconciliation (invalid_cost) belongs to hold ${captured}, which is captured instead of released.`,
        `A reconciliation (expired) belongs to hold ${released}0, which is missing instead of expired.`,
      ],
    },
    posting_unbalanced: {
      make: ({ captured }) => [
        sql`update ledger_entries set amount_micros = 3 where posting_id = ${cap(captured)} and account = 'revenue'`,
      ],
      what: ({ captured }) => [`Posting ${cap(captured)} has 2 entries, which sum to -1 instead of zero.`],
    },
    posting_accounts: {
      make: ({ captured }) => [
        sql`update ledger_entries set account = 'funding' where posting_id = ${cap(captured)} and account = 'revenue'`,
      ],
      what: ({ captured }) => [
        `Posting ${cap(captured)} has 2 entries. The accounts or signs of 1 of them do not fit a capture.`,
      ],
    },
    entry_without_posting: {
      make: ({ orgId }) => [
        sql`insert into ledger_entries (org_id, posting_id, account, amount_micros)
          values (${orgId}, ${`txn_of_${orgId}`}, 'revenue', 2)`,
      ],
      what: ({ orgId }) => [
        `An entry of 2 in revenue belongs to posting txn_of_${orgId}, which its organization does not have.`,
      ],
    },
    credit_reversed: {
      make: ({ orgId, captured }) => [
        sql`select gateway_credit(${orgId}, ${`txn_c_${orgId}`}, 7, 'Credit')`,
        sql`select gateway_reverse_credit(${orgId}, ${`txn_r_${orgId}`}, ${`txn_c_${orgId}`}, 7, 'Back', null)`,
        sql`update ledger_postings set reverses = ${cap(captured)} where id = ${`txn_r_${orgId}`}`,
      ],
      what: ({ orgId, captured }) => [
        `Posting txn_r_${orgId} takes back credit ${cap(captured)} of 0, of which 7 is taken back in all.`,
      ],
    },
    checkpoint_sums: {
      make: ({ orgId }) => [
        sql`insert into ledger_checkpoints values (${orgId}, '2999-01-01', 4, 982, 17, -1000, 0, 986)`,
      ],
      what: () => [
        'The checkpoint of 2999-01-01 00:00:00+00 has 4 postings, 982 in the wallet, but the ledger has 4 postings, 983 in the wallet before it.',
      ],
    },
    posting_hold: {
      make: ({ captured }) => [sql`update holds set state = 'released', cost_micros = null where id = ${captured}`],
      what: ({ captured }) => [`Posting ${cap(captured)} charges for hold ${captured}, which is released.`],
    },
  }
  for (const [kind, { make, what }] of Object.entries(cases)) {
    await t.test(kind, async t => {
      const org = await busy()
      await byHand(...make(org))
      const { found, differences } = await auditLedger(db, { full: true })
      const own = what(org).map(text => ({ org: org.orgId, kind, what: text }))
      t.same(new Set(differences), new Set(own))
      t.equal(found, own.length)
      await forget(org.orgId)
    })
  }
})

t.test('a credit creates a missing wallet without postings', async t => {
  const { id: orgId } = await directory(services).org()
  await byHand(sql`delete from wallets where org_id = ${orgId}`)
  const what = 'The organization has no wallet; its entries sum to 0. A credit creates one.'
  t.match((await auditLedger(db)).differences, [{ org: orgId, kind: 'wallet_missing', what }])
  await wallets.credit({ orgId, amountMicros: 5, by: 'operator' })
  t.same((await auditLedger(db)).differences, [])
})

t.test('rows past their retention are not reported as missing', async t => {
  const { orgId, expired, captured } = await busy()
  await byHand(
    sql`delete from holds where org_id = ${orgId} and state <> 'pending'`,
    sql`update key_months set month = month - interval '14 months', held_micros = 0 where org_id = ${orgId}`,
    sql`update holds set key_id = null where org_id = ${orgId}`,
    sql`update ledger_postings set at = at - interval '400 days', month = month - interval '14 months' where org_id = ${orgId}`,
    sql`update reconciliations set at = at - interval '400 days' where org_id = ${orgId}`,
  )
  t.same((await auditLedger(db)).differences, [])
  await byHand(
    sql`update ledger_postings set at = now() where id = ${cap(captured)}`,
    sql`update reconciliations set at = now() where hold_id = ${expired}`,
  )
  const { differences } = await auditLedger(db)
  t.same(new Set(differences.map(({ kind }) => kind)), new Set(['posting_hold', 'reconciliation_hold']))
  await forget(orgId)
})

t.test('the audit runs once a day and logs a line without differences, an error with them', async t => {
  const { log, lines } = memoryLog()
  const jobs = createJobs({ db, clock, ids, log, scrub, owner: 'test' })
  defineLedgerAudit(jobs, { db, commands })
  await jobs.runDue()
  const org = await busy()
  await byHand(sql`update wallets set balance_micros = 1 where org_id = ${org.orgId}`)
  clock.advance(24 * 3_600_000)
  t.equal(await jobs.runDue(), 1)
  const [well, wrong] = lines.map(line => JSON.parse(line)).filter(({ msg }) => /^audited the ledger/.test(msg))
  t.match(well, { level: 30, found: 0, organizations: Number, postings: Number, holds: { pending: Number } })
  t.match(wrong, { level: 50, found: 1, differences: [{ org: org.orgId, kind: 'wallet_balance' }] })
  await forget(org.orgId)

  const aborted = new AbortController()
  aborted.abort(new Error('stopping'))
  await t.rejects(auditLedger(db, { signal: aborted.signal }), { message: 'stopping' })
})

t.test(
  'money that moves during an audit is not a difference',
  testDatabaseUrl === undefined ? { skip: 'the embedded database has one session: nothing moves meanwhile' } : {},
  async t => {
    const { orgId, hold } = await busy()
    for (let audits = 0; audits < 10; audits++) {
      let moving = true
      // Bounded, because each move makes the next audit longer: on a busy machine the audits would not end.
      const mover = async () => {
        for (let moves = 0; moving && moves < 20; moves++) {
          const id = await hold(2)
          await ledger.capture(db, { orgId, id }, 3)
          await wallets.credit({ orgId, amountMicros: 3, by: 'operator' })
        }
      }
      const movers = Promise.all([mover(), mover(), mover()])
      t.same((await auditLedger(db, { rows: 7 })).differences, [])
      moving = false
      await movers
    }
    t.same((await auditLedger(db)).differences, [])
  },
)

const month = new Date().toISOString().slice(0, 7)
const cap = (holdId: string) => holdId.replace(/^hld/, 'cap')

const addPayment = (orgId: string) =>
  sql`insert into payments (org_id, id, kind, provider, amount_micros, amount_cents, livemode)
    values (${orgId}, ${`pay_${orgId}`}, 'topup', 'stripe', 10000, 1, false)`

/** A plan with a grant of 7. */
const addGrant = (orgId: string) => [
  sql`insert into subscriptions (org_id, id, provider, plan_id, price_micros, included_micros, livemode, status, created_at,
      checked_at) values (${orgId}, ${`pln_${orgId}`}, 'wallet', 'pro', 9, 7, false, 'canceled', now(), now())`,
  sql`select gateway_grant(${orgId}, ${`pln_${orgId}`}, to_timestamp(0), '2100-01-01', 7, 'Pro', now())`,
]

/** Takes an organization's money away without a trace, so that what is wrong with it is found once. */
async function forget(orgId: string): Promise<void> {
  const tables = [
    'ledger_checkpoints',
    'ledger_entries',
    'ledger_postings',
    'holds',
    'key_months',
    'reconciliations',
    'plan_grants',
    'subscriptions',
    'wallets',
    'payments',
  ]
  await byHand(
    ...tables.map(table => sql`delete from ${sql.table(table)} where org_id = ${orgId}`),
    sql`insert into wallets (org_id) values (${orgId})`,
  )
}
