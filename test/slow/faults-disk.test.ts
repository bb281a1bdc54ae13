import { statfsSync } from 'node:fs'
import t from 'tap'
import { eventually } from '../fixtures/until.ts'
import { startGateway } from './gateway-process.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const disk = mountSmallDisk(t, '192m')

t.test(
  'the disk of DATA_DIR is full (embedded): tools answer errors, and work again when there is space',
  { skip: disk === undefined && 'needs the permission to mount a file system' },
  async t => {
    const { directory, fill } = disk as SmallDisk
    const gateway = await startGateway(t, { DATA_DIR: directory, RATE_LIMIT_MAX: '1000000' })
    const key = await eventually(async () => gateway.key ?? Promise.reject(new Error('no key was printed')))
    const remember = (text: string) =>
      gateway.call(key, 'memory__remember', { memory: `${text} ${'x '.repeat(7_000)}` })
    t.match(await remember('Before.'), 'Before.')
    const makeRoom = fill()
    t.equal(statfsSync(directory).bavail, 0)

    let answer = ''
    for (let i = 0; i < 2_000 && !answer.includes('"isError":true'); i++) answer = await remember(`Number ${i}.`)
    t.match(answer, '"isError":true')
    t.match(answer, 'platform_db_unavailable')
    t.equal((await fetch(`${gateway.url}/health`)).status, 200)

    makeRoom()
    await eventually(async () => {
      if (!(await remember('After.')).includes('After.')) throw new Error('still full')
    })
    t.match(await gateway.call(key, 'memory__search_memory', { query: 'before' }), 'Before.')
    t.equal((await gateway.stop('SIGTERM')).code, 0)
  },
)
