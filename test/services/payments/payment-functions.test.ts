import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { testDatabase } from '../../fixtures/database.ts'

/** An organization with an open payment of 10 dollars. */
async function stage(t: Test) {
  const { db } = await testDatabase(t)
  const hand = acrossOrgs(db)
  await sql`insert into organizations (id, name, created_at) values ('org_1', 'One', now())`.execute(hand)
  await pay('pay_1')

  async function pay(id: string, kind = 'topup'): Promise<void> {
    await sql`insert into payments (org_id, id, kind, provider, state, amount_micros, amount_cents, livemode)
      values ('org_1', ${id}, ${kind}, 'stripe', 'open', 10000000, 1000, false)`.execute(hand)
  }
  async function value(query: ReturnType<typeof sql<{ value: number | null }>>): Promise<number | null | undefined> {
    return (await query.execute(hand)).rows[0]?.value
  }
  return {
    hand,
    pay,
    settle: (id = 'pay_1', charged: number | null = 1190) =>
      value(sql`select gateway_settle_payment('org_1', ${id}, ${charged}, 'Top-up') as value`),
    reverse: (target: number | null, id = 'pay_1') =>
      value(sql`select gateway_settle_reversal('org_1', ${id}, ${target}) as value`),
    balance: () => value(sql`select balance_micros as value from wallets where org_id = 'org_1'`),
    postings: async () =>
      (
        await sql`select p.id, p.kind, e.account, e.amount_micros as amount from ledger_postings as p
          join ledger_entries as e on e.posting_id = p.id where p.payment_id = 'pay_1' order by p.id, e.account desc`.execute(
          hand,
        )
      ).rows,
  }
}

t.test('a payment is credited once, with the stored amount and not what was charged', async t => {
  const { hand, settle, postings } = await stage(t)
  t.equal(await settle(), 10_000_000)
  t.equal(await settle(), null)
  t.same(await postings(), [
    { id: 'pst_pay_1', kind: 'credit', account: 'wallet', amount: 10_000_000 },
    { id: 'pst_pay_1', kind: 'credit', account: 'funding', amount: -10_000_000 },
  ])
  const payment = await hand.selectFrom('payments').where('id', '=', 'pay_1').selectAll().executeTakeFirstOrThrow()
  t.match(payment, { state: 'paid', charged_cents: 1190, credited_at: Date, reversed_micros: 0 })
})

t.test(
  'a reversal posts the difference to its target, in both directions, and repeating it changes nothing',
  async t => {
    const { settle, reverse, balance, postings } = await stage(t)
    await settle()
    t.equal(await reverse(4_000_000), 4_000_000)
    t.equal(await reverse(4_000_000), 0)
    t.equal(await reverse(10_000_000), 6_000_000)
    t.equal(await reverse(1_000_000), -9_000_000)
    t.equal(await balance(), 9_000_000)
    t.same(
      (await postings()).filter(row => (row as { account: string }).account === 'wallet'),
      [
        { id: 'pst_pay_1', kind: 'credit', account: 'wallet', amount: 10_000_000 },
        { id: 'rev_pay_1_1', kind: 'reversal', account: 'wallet', amount: -4_000_000 },
        { id: 'rev_pay_1_2', kind: 'reversal', account: 'wallet', amount: -6_000_000 },
        { id: 'rev_pay_1_3', kind: 'reinstatement', account: 'wallet', amount: 9_000_000 },
      ],
    )
  },
)

t.test('a reversal after the credit was spent makes the wallet negative', async t => {
  const { hand, settle, reverse, balance } = await stage(t)
  await settle()
  await sql`select gateway_reverse('org_1', 'txn_spent', 8000000, 'Spent')`.execute(hand)
  await reverse(10_000_000)
  t.equal(await balance(), -8_000_000)
})

t.test('invalid targets and amounts change nothing', async t => {
  const { pay, settle, reverse, balance } = await stage(t)
  await t.rejects(reverse(1), { code: 'GW007' }, 'nothing was credited yet')
  t.equal(await reverse(0), 0)
  for (const charged of [null, 0, -1]) await t.rejects(settle('pay_1', charged), { code: 'GW007' })
  await settle()
  for (const target of [null, -1, 10_000_001]) await t.rejects(reverse(target), { code: 'GW007' })
  await t.rejects(settle('pay_2'), { code: 'GW008' })
  await t.rejects(reverse(0, 'pay_2'), { code: 'GW008' })
  await pay('pay_3', 'subscription_period')
  await t.rejects(settle('pay_3'), { code: 'GW008' }, 'a period is granted, not credited')
  t.equal(await balance(), 10_000_000)
})

t.test('an organization has at most one automatic top-up in flight', async t => {
  const { hand, pay } = await stage(t)
  await pay('pay_2', 'auto_topup')
  await t.rejects(pay('pay_3', 'auto_topup'), { code: '23505' })
  await sql`update payments set state = 'failed' where id = 'pay_2'`.execute(hand)
  await pay('pay_3', 'auto_topup')
})

t.test('no posting has a payment unless it credits, reverses or reinstates one', async t => {
  const { hand } = await stage(t)
  for (const kind of ['grant', 'grant_expiry', 'plan_fee', 'adjustment', 'capture'])
    await t.rejects(
      sql`insert into ledger_postings (org_id, id, kind, payment_id, hold_id, description)
        values ('org_1', 'txn_1', ${kind}, 'pay_1', ${kind === 'capture' ? 'hld_1' : null}, '')`.execute(hand),
      { code: '23514' },
    )
})
