import t from 'tap'
import { wrongAnswers } from '../fixtures/interleaved-calls.ts'
import { remoteJourney } from '../fixtures/remote-journey.ts'

t.test('2,000 calls of two organizations to one upstream with the same id each get their own answer', async t => {
  t.same(await wrongAnswers(t, { team: (await remoteJourney(t)).team, calls: 2000 }), [])
})
