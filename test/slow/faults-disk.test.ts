import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startGateway } from './gateway-process.ts'
import { eventually } from './own-postgres.ts'

/** Makes a small file system; answers whether this user may. */
function mountSmallDisk(directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'none', directory], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const directory = mkdtempSync(join(tmpdir(), 'cgw-disk-'))
const mounted = mountSmallDisk(directory)
t.teardown(() => {
  if (mounted) execFileSync('umount', ['-l', directory])
  rmSync(directory, { recursive: true, force: true })
})

/** Writes a file until nothing more goes on the disk; answers how to make room again. */
function fill(directory: string): () => void {
  const path = join(directory, 'filler')
  const file = openSync(path, 'w')
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
  return () => rmSync(path)
}

t.test(
  'the disk of DATA_DIR is full (embedded): tool errors, and with room it works again',
  { skip: !mounted && 'needs the right to mount a file system' },
  async t => {
    const gateway = await startGateway(t, { DATA_DIR: directory, RATE_LIMIT_MAX: '1000000' })
    const key = await eventually(async () => gateway.key ?? Promise.reject(new Error('no key was printed')))
    const remember = (text: string) =>
      gateway.call(key, 'memory__remember', { memory: `${text} ${'x '.repeat(7_000)}` })
    t.match(await remember('Before.'), 'Before.')
    const makeRoom = fill(directory)
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
