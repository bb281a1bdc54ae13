import t from 'tap'
import { firstPeriod, nextPeriod } from '../../../services/payments/plans/subscription.ts'
import fc from '../../fixtures/property.ts'

const text = ({ start, end }: { start: Date; end: Date }) => `${start.toISOString()} ${end.toISOString()}`

t.test('months that begin on the 31st begin on the last day of shorter months, and on the 31st again', t => {
  const anchor = new Date('2027-12-31T22:30:00.500Z')
  let period = firstPeriod(anchor)
  const starts: string[] = []
  for (let month = 0; month < 5; month++) {
    starts.push(period.start.toISOString().slice(0, 10))
    period = nextPeriod(anchor, period.end, period.end)
  }
  t.same(starts, ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
  t.equal(period.start.toISOString(), '2028-05-31T22:30:00.500Z')
  t.end()
})

t.test('months that passed unused are skipped', t => {
  const anchor = new Date('2027-01-10T00:00:00Z')
  const next = nextPeriod(anchor, new Date('2027-02-10T00:00:00Z'), new Date('2027-06-20T00:00:00Z'))
  t.equal(text(next), '2027-06-10T00:00:00.000Z 2027-07-10T00:00:00.000Z')
  t.end()
})

t.test('periods follow one another without gap or overlap, and contain the time of their renewal', async t => {
  const time = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  const late = fc.nat({ max: 100 * 86_400_000 })
  const property = fc.property(time, fc.array(late, { minLength: 1, maxLength: 20 }), (anchor, lates) => {
    let period = firstPeriod(anchor)
    for (const ms of lates) {
      const now = new Date(period.end.getTime() + ms)
      const next = nextPeriod(anchor, period.end, now)
      const days = (next.end.getTime() - next.start.getTime()) / 86_400_000
      const follows = next.start >= period.end && next.start <= now && now < next.end
      if (!follows || days < 28 || days > 31) throw new Error(`${text(period)} at ${now.toISOString()}: ${text(next)}`)
      period = next
    }
  })
  fc.assert(property, { numRuns: 500 })
  t.pass()
})
