import t from 'tap'
import { createIdSource } from '../../lib/id-source.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import { testClock } from '../fixtures/fixture.ts'

t.test('IDs of one moment are all different, also from different sources', async t => {
  const clock = testClock()
  const ids = [createIdSource(clock), createIdSource(clock)].flatMap(newId =>
    // More than one draw of random bytes serves.
    Array.from({ length: 600 }, () => newId('mem')),
  )
  t.equal(new Set(ids).size, ids.length)
  t.ok(ids.every(id => isId('mem', id)))
})

t.test('IDs sort by creation time', async t => {
  const clock = testClock()
  const newId = createIdSource(clock)
  const ids = Array.from({ length: 600 }, () => {
    clock.advance(1)
    return newId('mem')
  })
  t.same(ids.toSorted(), ids)
})
