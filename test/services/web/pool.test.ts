import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPool } from '../../../services/web/pool.ts'
import { startWithoutLoaders } from '../../fixtures/web-fixture.ts'

const entry = join(import.meta.dirname, 'pool-process.ts')
const limits = { processes: 1, heapMb: 64, memoryMb: 300, idleMs: 1_000, maxQueued: 1, maxQueuedEach: 1 }

t.test('a process reads its modules, and neither other files nor the environment of the gateway', async t => {
  startWithoutLoaders()
  const pool = createPool({ entry, readable: [`${import.meta.dirname}/`], ...limits })
  t.teardown(() => pool.close())
  const secrets = t.testdir({ 'secrets.json': '{}' })
  const paths = [entry, join(secrets, 'secrets.json'), `/proc/${process.pid}/environ`, '/proc/self/environ']
  const answer = await pool.run(paths, { group: 'org_1', timeoutMs: 30_000 })
  t.same(answer, ['read', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

const skip = !existsSync('/proc/self/status') && 'Only Linux says how much memory another process has.'

t.test(
  'a process that takes up too much memory outside of its heap is ended, and the next task has another',
  {
    skip,
  },
  async t => {
    startWithoutLoaders()
    const pool = createPool({ entry, readable: [`${import.meta.dirname}/`], ...limits })
    t.teardown(() => pool.close())
    const hold = (mb: number) => pool.run(mb, { group: 'org_1', timeoutMs: 30_000 })
    t.equal(await hold(50), 50)
    await t.rejects(hold(500), { name: 'PoolError', reason: 'crashed' })
    t.equal(await hold(50), 50)
  },
)
