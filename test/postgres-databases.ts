import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { empty, type Reuse, reuseOf, type Session } from './reusable-database.ts'

/** A copy of the template on a server. */
interface Copy {
  server: string
  name: string
  reuse: Reuse
}

// The real timers, even if a test replaces the clock.
const { setTimeout, clearTimeout } = globalThis

/** Unused copies of this process, each identical to the template until a timer drops it. */
const idle = new Map<Copy, NodeJS.Timeout>()

/** How long a copy waits for the next test. While it waits, its timer keeps the process running. */
const PATIENCE_MS = 300

/**
 * A database identical to the template, used by only one test. `giveBack` empties it for the next test, because creating
 * and dropping one takes a second. If more than rows changed, it is dropped.
 */
export async function postgresDatabase(server: string, template: () => Promise<string>) {
  const copy = takeIdle(server) ?? (await makeCopy(server, await template()))
  return { url: databaseUrl(server, copy.name), giveBack: () => takeBack(copy) }
}

function takeIdle(server: string): Copy | undefined {
  for (const [copy, timer] of idle) {
    if (copy.server !== server) continue
    clearTimeout(timer)
    idle.delete(copy)
    return copy
  }
  return undefined
}

async function makeCopy(server: string, template: string): Promise<Copy> {
  const name = `cgw_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await onServer(server, client => client.query(`create database ${name} template ${template}`))
  return {
    server,
    name,
    reuse: await onServer(databaseUrl(server, name), client => reuseOf(session(client), 'shared')),
  }
}

/** Connections that a test left open must not see the next test's rows. */
const DISCONNECT = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

async function takeBack(copy: Copy): Promise<void> {
  try {
    const same = await onServer(databaseUrl(copy.server, copy.name), async client => {
      await client.query(DISCONNECT)
      return empty(session(client), copy.reuse)
    })
    if (same) {
      const giveUp = () => {
        idle.delete(copy)
        void drop(copy)
      }
      idle.set(copy, setTimeout(giveUp, PATIENCE_MS))
      return
    }
  } catch {
    // It may be changed so much that it cannot be emptied.
  }
  await drop(copy)
}

async function drop({ server, name }: Copy): Promise<void> {
  await onServer(server, client => client.query(`drop database if exists ${name} with (force)`))
}

function session(client: pg.Client): Session {
  return { query: sql => client.query(sql), exec: sql => client.query(sql) }
}

export async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
