import { sql } from 'kysely'
import t from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { auditLedger } from '../../../services/billing/audit/audit-ledger.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directory, directoryServices } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'

const { db } = await testDatabase(t)
const hand = acrossOrgs(db)
const services = directoryServices(db, testClock())
const { wallets, ledger, reverseCredit } = services
const by = 'operator' as const

async function credited(amountMicros: number, reference?: string) {
  const [ada] = await directory(services).members('owner')
  const { orgId, userId } = ada
  const { id } = await wallets.credit({ orgId, amountMicros, by, ...(reference !== undefined && { reference }) })
  const take = (amountMicros?: number, reference?: string) =>
    reverseCredit({ posting: id, amountMicros, reference, by })
  const audited = async (action: string) => {
    const rows = hand.selectFrom('audit').where('org_id', '=', orgId).where('action', '=', action).selectAll()
    return (await rows.execute()).map(({ target, detail }) => ({ target, ...(detail as object) }))
  }
  const balance = async () => (await wallets.balance(orgId)).balanceMicros
  return { ada, orgId, userId, id, take, audited, balance }
}

t.test('a credit with a reference is made once, by any number of concurrent repetitions', async t => {
  const { orgId, id, audited, balance } = await credited(700, 'invoice 7')
  const again = { orgId, amountMicros: 700, reference: 'invoice 7', by }
  t.match(await wallets.credit(again), { id, balanceMicros: 700, repeated: true })
  const many = await Promise.all(Array.from({ length: 10 }, () => wallets.credit({ ...again, reference: 'invoice 8' })))
  t.equal(new Set(many.map(({ id }) => id)).size, 1)
  t.equal(await balance(), 1_400)
  t.match(await audited('wallet.credit'), [{ target: id, reference: 'invoice 7' }, { reference: 'invoice 8' }])
  t.equal((await audited('wallet.credit')).length, 2)
  await t.rejects(wallets.credit({ ...again, amountMicros: 701 }), {
    code: 'invalid_request',
    message: `This reference belongs to ${id}, which has another amount or kind. Use a new reference.`,
  })
  for (const reference of ['', ' ', 'a\nb', 'x'.repeat(201), 'a\u200bb'])
    await t.rejects(wallets.credit({ ...again, reference }), { code: 'invalid_request', message: /^reference must be/ })
  const other = await credited(5, 'invoice 7')
  t.not(other.id, id, 'a reference belongs to its organization')
  t.equal(await balance(), 1_400)
})

t.test('a credit is taken back in parts, at most what is left of it', async t => {
  const { orgId, id, take, audited, balance } = await credited(1_000)
  const first = await take(300)
  t.match(first, { orgId, takenMicros: 300, remainingMicros: 700 })
  await t.rejects(take(701), {
    code: 'invalid_request',
    message: `Only $0.0007 is left of ${id}. Take back at most that.`,
  })
  t.match(await take(), { takenMicros: 700, remainingMicros: 0 })
  for (const amount of [undefined, 1])
    await t.rejects(take(amount), {
      code: 'invalid_request',
      message: `Nothing is left of ${id}: all of it was taken back.`,
    })
  t.equal(await balance(), 0)
  t.match(await audited('wallet.reverse'), [{ target: first.id, amountMicros: 300 }, { amountMicros: 700 }])
})

t.test('no wallet becomes negative, and what is held for running calls stays', async t => {
  const { orgId, userId, take, balance } = await credited(1_000)
  const hold = { orgId, id: `hld_${orgId}` }
  await ledger.hold({ ...hold, userId, keyId: null, tool: 'a__b', amountMicros: 900 })
  t.match(await take(), { takenMicros: 100, remainingMicros: 900 })
  await t.rejects(take(1), { code: 'invalid_request', message: /no available balance/ })
  await ledger.capture(db, hold, 950)
  t.equal(await balance(), -50)
  await t.rejects(take(), { message: /no available balance/ })
  await wallets.credit({ orgId, amountMicros: 60, by })
  t.match(await take(), { takenMicros: 10, remainingMicros: 890 })
  t.equal(await balance(), 0)
})

t.test('a repeated reversal with its reference answers the first one', async t => {
  const { orgId, take, balance, audited } = await credited(1_000)
  const first = await take(300, 'typo')
  t.match(await take(300, 'typo'), { ...first, remainingMicros: 700, repeated: true })
  await t.rejects(take(299, 'typo'), { code: 'invalid_request', message: /belongs to/ })
  await t.rejects(wallets.credit({ orgId, amountMicros: 300, reference: 'typo', by }), { message: /belongs to/ })
  t.equal(await balance(), 700)
  t.equal((await audited('wallet.reverse')).length, 1)
})

t.test('concurrent reversals take back the credit once', async t => {
  const { take, balance } = await credited(1_000)
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => take(400)))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
  t.equal(await balance(), 200)
})

t.test('only credits of the operator are taken back', async t => {
  const { orgId, ada, take } = await credited(1_000)
  const { id } = await take(1)
  await sql`insert into payments (org_id, id, kind, provider, amount_micros, amount_cents, livemode)
    values (${orgId}, ${`pay_${orgId}`}, 'topup', 'stripe', 10000, 1, false)`.execute(hand)
  await sql`select gateway_settle_payment(${orgId}, ${`pay_${orgId}`}, 1, 'Top-up')`.execute(hand)
  for (const posting of [id, `pst_pay_${orgId}`, 'txn_none'])
    await t.rejects(reverseCredit({ posting, amountMicros: 1, reference: undefined, by }), {
      code: 'not_found',
      message: /^There is no credit/,
    })
  const [eve] = await directory(services).members('owner')
  t.ok(ada)
  const foreign = { posting: (await credited(9)).id, amountMicros: 1, reference: undefined, by: eve }
  await t.rejects(reverseCredit(foreign), { code: 'invalid_request', message: /There is no organization/ })
})

t.test('the audit finds no difference in all of that', async t => {
  t.same((await auditLedger(db, { full: true })).differences, [])
})
