import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { serverPrograms, serverUser } from '../fixtures/postgres-programs.ts'
import { eventually } from '../fixtures/until.ts'

const run = promisify(execFile)

/** A PostgreSQL server for one test, which can be frozen, stopped and promoted. */
export interface OwnPostgres {
  /** The URL of its database `postgres`. */
  readonly url: string
  query(sql: string): Promise<pg.QueryResult>
  /** Sends SIGSTOP to the server and all its backends: connections stay open but get no answers. */
  freeze(): void
  thaw(): void
  /** Sends SIGQUIT: the server ends at once, as in a crash. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts a standby of this server. */
  standby(): Promise<OwnPostgres>
  /** Promotes the standby to a primary that accepts writes. */
  promote(): Promise<void>
}

const bin = serverPrograms()
const user = bin === undefined ? undefined : serverUser()

/** Why no server can start on this machine; false if one can. */
export const withoutOwnPostgres: string | false =
  bin === undefined
    ? 'needs the server binaries of PostgreSQL (initdb, postgres)'
    : user === undefined
      ? 'PostgreSQL does not run as root, and there is no user postgres'
      : false

/** Creates an empty cluster on a free port and removes it after the test. */
export async function ownPostgres(t: Test): Promise<OwnPostgres> {
  return server(t, directory =>
    run(
      program('initdb'),
      ['-D', directory, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
      {
        ...user,
        cwd: tmpdir(),
      },
    ),
  )
}

async function server(t: Test, prepare: (directory: string) => Promise<unknown>): Promise<OwnPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-postgres-'))
  if (user?.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running: ChildProcess | undefined

  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.query(sql)
    } finally {
      await client.end()
    }
  }
  const signal = (name: NodeJS.Signals) => {
    if (running?.pid === undefined) return
    // The postmaster first, so that it starts no new backends.
    process.kill(running.pid, name)
    for (const pid of childrenOf(running.pid)) signalTo(pid, name)
  }
  const stop = async () => {
    if (running === undefined || running.exitCode !== null) return
    const gone = once(running, 'exit')
    signal('SIGCONT')
    running.kill('SIGQUIT')
    await gone
  }
  const start = async () => {
    const settings = Object.entries({ listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync: 'off' })
    running = spawn(
      program('postgres'),
      ['-D', directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...user,
        cwd: directory,
        stdio: 'ignore',
      },
    )
    await eventually(() => query('select 1'))
  }

  t.teardown(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  await prepare(directory)
  await start()

  return {
    url,
    query,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop,
    start,
    standby: () =>
      server(t, directory =>
        run(program('pg_basebackup'), ['-d', url, '-D', directory, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
          ...user,
          cwd: tmpdir(),
        }),
      ),
    async promote() {
      await query('select pg_promote()')
    },
  }
}

function program(name: string): string {
  return join(bin ?? '', name)
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid ? [child ?? 0] : []))
}

/** Signals a process, which may have ended already. */
function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
