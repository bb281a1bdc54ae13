import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './fixtures/free-port.ts'
import { serverPrograms, serverUser } from './fixtures/postgres-programs.ts'
import { eventually } from './fixtures/until.ts'

const LIMIT_MS = 60_000
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Fast, and safe only for data that no one needs after the run. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500']

/**
 * The script that runs the server in its folder. Its input is open as long as the run lives. Then it stops the server and
 * removes the folder, also after Ctrl+C, because nothing else frees that memory.
 */
const SERVE = '"$@" >log 2>&1 & cat >/dev/null; kill -INT $!; wait; cd / && rm -rf "$0"'

/**
 * Starts a PostgreSQL server for one run of the tests, in a temporary directory. Returns undefined if this machine has
 * no programs for it. The server ends with `stop`, and with this process in any case.
 */
export async function runPostgres(): Promise<{ url: string; stop: () => Promise<void> } | undefined> {
  const programs = serverPrograms()
  const user = serverUser()
  if (programs === undefined || user === undefined) return undefined
  const directory = mkdtempSync(join(folder(), 'connector-gateway-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const cluster = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '-E', 'UTF8']
  execFileSync(join(programs, 'initdb'), cluster, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = String(await freePort())
  const server = ['-D', data, '-k', '', '-h', '127.0.0.1', '-p', port, ...SETTINGS.flatMap(setting => ['-c', setting])]
  const shell = spawn('sh', ['-c', SERVE, directory, join(programs, 'postgres'), ...server], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'inherit'],
    // Ctrl+C is for the tests. The server ends after them.
    detached: true,
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await eventually(async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect().finally(() => client.end().catch(() => {}))
  }, LIMIT_MS)
  return {
    url,
    async stop() {
      const end = once(shell, 'exit')
      shell.stdin.end()
      await end
    },
  }
}

/** Memory if there is enough of it, because databases are made and removed all the time. */
function folder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
