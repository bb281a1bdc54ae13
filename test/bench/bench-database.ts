import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** The data of a gateway under test: its own directory, and a database if there is a server. */
export interface Home {
  env: Record<string, string>
  remove(): Promise<void>
}

/** Creates an empty home on the PostgreSQL server of this URL, or with an embedded database. */
export async function makeHome(server: string | undefined): Promise<Home> {
  const directory = await mkdtemp(join(tmpdir(), 'connector-gateway-bench-'))
  const database = server === undefined ? undefined : await createDatabase(server)
  return {
    env: {
      GATEWAY_ENV: 'development',
      HOST: '127.0.0.1',
      DASHBOARD: 'off',
      DATA_DIR: directory,
      DATABASE_URL: database?.url ?? '',
      DATABASE_DIRECT_URL: '',
      REDIS_URL: '',
      RATE_LIMIT_MAX: '1000000000',
    },
    async remove() {
      await database?.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Creates an empty database on this server. */
export async function createDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `cgw_bench_${randomUUID().slice(0, 8)}`
  await onServer(server, `create database ${name} template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
