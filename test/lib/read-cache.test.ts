import t from 'tap'
import { DatabaseTimeout } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import { testClock } from '../fixtures/fixture.ts'

const outage = () => Promise.reject(new DatabaseTimeout('frozen'))

t.test('an entry is fresh for ten seconds, and concurrent callers share one read', async t => {
  const clock = testClock()
  const cache = new ReadCache<string>({ clock, max: 10 })
  let reads = 0
  const load = async () => `read ${++reads}`
  t.same(await Promise.all([cache.read('a', load), cache.read('a', load)]), ['read 1', 'read 1'])
  clock.advance(9_999)
  t.equal(cache.fresh('a'), 'read 1')
  clock.advance(1)
  t.equal(cache.fresh('a'), undefined)
  t.equal(await cache.read('a', load), 'read 2')
})

t.test('an entry is usable for ten minutes while the database is unavailable, but not for other failures', async t => {
  const clock = testClock()
  const cache = new ReadCache<string>({ clock, max: 10, outlasts: error => error === 'flood' })
  await cache.read('a', async () => 'known')
  clock.advance(10_000)
  t.equal(await cache.read('a', outage), 'known')
  t.equal(cache.fresh('a'), 'known', 'and the database is not asked again for a second')
  clock.advance(1_000)
  await t.rejects(
    cache.read('a', () => Promise.reject(new TypeError('a defect'))),
    { message: 'a defect' },
  )
  t.equal(await cache.read('a', () => Promise.reject('flood')), 'known', 'but what its owner says it outlasts')
  clock.advance(10 * 60_000 - 11_001)
  t.equal(await cache.read('a', outage), 'known')
  clock.advance(1)
  await t.rejects(cache.read('a', outage), { name: 'DatabaseTimeout' })
  await t.rejects(cache.read('b', outage), { name: 'DatabaseTimeout' }, 'what was never read is not known')
})

t.test('a read from before a change serves its waiting callers and is not cached', async t => {
  for (const change of ['drop', 'recheck', 'recheckAll'] as const) {
    const missing: string[] = []
    const cache = new ReadCache<string>({ clock: testClock(), max: 10, onMissing: key => void missing.push(key) })
    const old = Promise.withResolvers<string | undefined>()
    const waiting = cache.read('a', () => old.promise)
    if (change === 'drop') cache.drop(() => true)
    else cache[change]('a')
    t.equal(await cache.read('a', async () => 'new'), 'new', 'who comes after it does not wait for what was before')
    old.resolve('old')
    t.equal(await waiting, 'old')
    t.equal(cache.fresh('a'), 'new', change)

    const none = Promise.withResolvers<undefined>()
    const absent = cache.read('b', () => none.promise)
    if (change === 'drop') cache.drop(() => true)
    else cache[change]('b')
    none.resolve(undefined)
    await absent
    t.same(missing, [], 'nor is that there was nothing')
  }
})

t.test('a read from before a recheck is cached only for an outage, and never replaces a newer one', async t => {
  const cache = new ReadCache<string>({ clock: testClock(), max: 10 })
  for (const key of ['a', 'b']) {
    const old = Promise.withResolvers<string>()
    const waiting = cache.read(key, () => old.promise)
    cache.recheck(key)
    if (key === 'b') await cache.read(key, async () => 'new')
    old.resolve('old')
    await waiting
  }
  t.equal(cache.fresh('a'), undefined)
  t.equal(await cache.read('a', outage), 'old')
  t.equal(cache.fresh('b'), 'new')
})

t.test('a change removes the entries it concerns, or makes them be read again', async t => {
  const clock = testClock()
  const cache = new ReadCache<string>({ clock, max: 10 })
  for (const key of ['a', 'b']) await cache.read(key, async () => key)
  cache.drop(value => value === 'a')
  t.notOk(cache.has('a'))
  await t.rejects(cache.read('a', outage), { name: 'DatabaseTimeout' }, 'what was dropped is not usable')
  cache.recheck('b')
  t.equal(cache.fresh('b'), undefined)
  t.equal(await cache.read('b', outage), 'b')
})
