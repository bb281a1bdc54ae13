import t from 'tap'
import { FairQueue } from '../../../lib/fair-queue.ts'
import { addressGroup } from '../../../lib/http/address-group.ts'
import { KeyLookups, type KeyRow } from '../../../services/identity/key-lookups.ts'
import fc from '../../fixtures/property.ts'

t.test('a queue serves its groups in turn and rejects items of the largest group', async t => {
  const line = new FairQueue<string>({ max: 6, maxEach: 4 })
  for (const item of ['a1', 'a2', 'a3', 'a4']) t.equal(line.push('a', item), undefined)
  t.equal(line.push('a', 'a5'), 'a5', 'its own part of the line is full')
  line.push('b', 'b1')
  line.push('b', 'b2')
  t.equal(line.push('c', 'c1'), 'a4', 'the line is full: the longest share gives way')
  t.equal(line.push('b', 'b3'), 'b3', 'not for one that is as long then')
  t.equal(line.size, 6)

  line.delete('b', 'b1')
  line.delete('b', 'b1')
  t.equal(line.size, 5)
  t.same(line.take(2), ['a1', 'b2'])
  t.same(line.take(10), ['c1', 'a2', 'a3'])
  t.equal(line.size, 0)
  t.same(line.take(1), [])
})

/** What happens to a line: an item comes, one gives up, or a batch is taken. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ push: fc.constantFrom('a', 'b', 'c', 'd') }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ take: fc.integer({ min: 1, max: 5 }) }) },
)

t.test('a queue never loses an item, stays within its bounds, and serves each group in turn', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), steps => {
      const [max, maxEach] = [8, 3]
      const line = new FairQueue<{ share: string; at: number }>({ max, maxEach })
      let standing: { share: string; at: number }[] = []
      const of = (share: string) => standing.filter(item => item.share === share)
      for (const [at, step] of steps.entries()) {
        if ('push' in step) {
          const item = { share: step.push, at }
          const lengths = [...'abcd'].map(share => of(share).length)
          const own = of(step.push).length
          const refused = line.push(step.push, item)
          standing = [...standing, item].filter(one => one !== refused)
          // A group that is smaller than another by two is never rejected, unless it has reached its own limit.
          if (refused === item && own < maxEach && Math.max(...lengths) > own + 1) throw new Error('the short one went')
          if (refused === undefined ? standing.length > max : own < maxEach && lengths.reduce((a, b) => a + b) < max)
            throw new Error('refused with places left, or none refused without')
        } else if ('leave' in step) {
          const item = standing[step.leave]
          if (item === undefined) continue
          line.delete(item.share, item)
          standing = standing.filter(one => one !== item)
        } else {
          const taken = line.take(step.take)
          if (taken.length !== Math.min(step.take, standing.length)) throw new Error('a place in the batch was left')
          for (const share of new Set(standing.map(item => item.share))) {
            const [mine, others] = [
              taken.filter(item => item.share === share),
              taken.filter(item => item.share !== share),
            ]
            if (mine.some((item, i) => item !== of(share)[i])) throw new Error('out of order')
            // One that still has items waiting got as many as any other, but for the one turn that was cut off.
            const most = Math.max(
              0,
              ...Map.groupBy(others, item => item.share)
                .values()
                .map(items => items.length),
            )
            if (of(share).length > mine.length && most > mine.length + 1) throw new Error('passed over')
          }
          standing = standing.filter(item => !taken.includes(item))
        }
        if (line.size !== standing.length || [...'abcd'].some(share => of(share).length > maxEach))
          throw new Error('out of bounds')
      }
    }),
    { numRuns: 500 },
  )
})

interface Batch {
  hashes: string[]
  answer(): void
}

/** Lookups whose database answers only on request. Batches are numbered from 0. */
function heldUp(options: { maxWaiting?: number } = {}) {
  const batches: PromiseWithResolvers<Batch>[] = []
  const nth = (i: number) => {
    batches[i] ??= Promise.withResolvers<Batch>()
    return batches[i]
  }
  let asked = 0
  const lookups = new KeyLookups<KeyRow>({
    find: hashes =>
      new Promise(resolve => {
        const rows = hashes.filter(hash => hash.startsWith('good')).map(hash => ({ hash }))
        nth(asked++).resolve({ hashes, answer: () => resolve(rows) })
      }),
    ...options,
  })
  return { lookups, batch: (i: number) => nth(i).promise }
}

t.test('a flood fills only its own group, and callers from other addresses get into the next batch', async t => {
  const { lookups, batch } = heldUp()
  const flood = Array.from({ length: 1_000 }, (_, i) => lookups.find([`random ${i}`], '192.0.2.1'))
  const refused = Promise.allSettled(flood)
  t.equal(lookups.waiting, 200, 'the group is bounded')
  const first = await batch(0)
  const good = lookups.find(['good'], '192.0.2.2')
  first.answer()
  const second = await batch(1)
  t.ok(second.hashes.includes('good'))
  second.answer()
  t.same(await good, { hash: 'good' })
  const third = await batch(2)
  third.answer()
  const outcomes = await refused
  t.equal(outcomes.filter(one => one.status === 'rejected' && one.reason.code === 'overloaded').length, 800)
  t.equal(outcomes.filter(one => one.status === 'fulfilled' && one.value === undefined).length, 200)
})

t.test('if floods fill the whole queue, the largest group makes room for callers without an item', async t => {
  const { lookups, batch } = heldUp({ maxWaiting: 500 })
  const flood = [1, 2, 3].flatMap(host =>
    Array.from({ length: 200 }, (_, i) => lookups.find([`random ${host} ${i}`], `192.0.2.${host}`)),
  )
  const outcomes = Promise.allSettled(flood)
  t.equal(lookups.waiting, 500)
  const good = lookups.find(['good'], '192.0.2.9')
  t.equal(lookups.waiting, 500)
  const first = await batch(0)
  t.ok(first.hashes.includes('good'), 'and is in the first batch')
  first.answer()
  t.same(await good, { hash: 'good' })
  for (let i = 1; i < 5; i++) (await batch(i)).answer()
  t.equal((await outcomes).filter(({ status }) => status === 'rejected').length, 101)
})

t.test('5,000 addresses leave no state behind', async t => {
  const { lookups, batch } = heldUp({ maxWaiting: 100 })
  let refused = 0
  const all = Array.from({ length: 5_000 }, async (_, i) => {
    const share = addressGroup(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`)
    await lookups.find([`random ${i}`], share).catch(() => refused++)
  })
  t.equal(lookups.waiting, 100)
  const only = await batch(0)
  only.answer()
  await Promise.all(all)
  t.equal(refused, 4_900)
  t.equal(lookups.waiting, 0)
})
