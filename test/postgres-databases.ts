import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { empty, idleCopies, type Reuse, reuseOf, type Session } from './reusable-database.ts'

/** A copy of the template on a server. */
interface Copy {
  server: string
  name: string
  reuse: Reuse
}

const copies = idleCopies(drop)

/**
 * A database identical to the template, used by only one test. `giveBack` empties it for the next test, because creating
 * and dropping one takes a second. If more than rows changed, it is dropped.
 */
export async function postgresDatabase(server: string, template: () => Promise<string>) {
  const copy = copies.take(copy => copy.server === server) ?? (await makeCopy(server, await template()))
  return { url: databaseUrl(server, copy.name), giveBack: () => takeBack(copy) }
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

function takeBack(copy: Copy): Promise<void> {
  return copies.giveBack(copy, () =>
    onServer(databaseUrl(copy.server, copy.name), async client => {
      await client.query(DISCONNECT)
      return empty(session(client), copy.reuse)
    }),
  )
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
