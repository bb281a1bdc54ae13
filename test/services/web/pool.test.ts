import { join } from 'node:path'
import t from 'tap'
import { createPool } from '../../../services/web/pool.ts'
import { startWithoutLoaders } from '../../web-fixture.ts'

t.test('a process reads its modules, and neither other files nor the environment of the gateway', async t => {
  startWithoutLoaders()
  const entry = join(import.meta.dirname, 'pool-process.ts')
  const limits = { processes: 1, heapMb: 64, idleMs: 1_000, maxQueued: 1, maxQueuedEach: 1 }
  const pool = createPool({ entry, readable: [`${import.meta.dirname}/`], ...limits })
  t.teardown(() => pool.close())
  const secrets = t.testdir({ 'secrets.json': '{}' })
  const paths = [entry, join(secrets, 'secrets.json'), `/proc/${process.pid}/environ`, '/proc/self/environ']
  const answer = await pool.run(paths, { group: 'org_1', timeoutMs: 30_000 })
  t.same(answer, ['read', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})
