import pg from 'pg'
import { type HoldDatabase, openHoldDatabase } from './hold-database.ts'
import { CLIENTS } from './holds.ts'
import { median } from './measure.ts'

/** The connections that listen for changes, one of each process. */
export const LISTENERS = 20

/** Refreshed tokens that are stored per second. */
export interface Refreshes {
  version: string
  synchronousCommit: string
  /** With a notification for each of them, as before migration 0018. */
  notifying: number
  quiet: number
  /** The median of the ratios of the rounds. */
  ratio: number
}

/**
 * Measures how many refreshed tokens a server stores per second while processes listen, with and without a notification.
 * Both alternate, on the same rows of a new database.
 */
export async function measureRefreshes(
  server: string,
  { rounds, milliseconds }: { rounds: number; milliseconds: number },
): Promise<Refreshes> {
  const database = await openHoldDatabase(server, CLIENTS)
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listen(database)))
  try {
    const orgId = await addAccounts(database)
    const rates: { notifying: number; quiet: number }[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const [notifying, quiet] = [await rateOf(true), await rateOf(false)]
      if (round > 0) rates.push({ notifying, quiet })
    }
    return {
      ...(await database.settings()),
      notifying: median(rates.map(({ notifying }) => notifying)),
      quiet: median(rates.map(({ quiet }) => quiet)),
      ratio: median(rates.map(({ notifying, quiet }) => quiet / notifying)),
    }

    async function rateOf(notifies: boolean): Promise<number> {
      await database.pool.query(`alter table account_credentials ${notifies ? 'enable' : 'disable'} trigger notified`)
      const started = performance.now()
      let count = 0
      const repeat = async (client: number) => {
        for (; performance.now() - started < milliseconds; count++)
          await database.pool.query({ name: 'refresh', text: REFRESH, values: [orgId, `acc_${client}`, SEALED] })
      }
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => repeat(client)))
      return (count * 1_000) / (performance.now() - started)
    }
  } finally {
    await Promise.all(listeners.map(listener => listener.end()))
    await database.remove()
  }
}

/** Like a sealed token. */
const SEALED = 'x'.repeat(600)
const REFRESH = `update account_credentials
  set sealed = $3, version = version + 1, expires_at = now() + interval '1 hour', updated_at = now(),
    refresh_owner = null, refresh_until = null, refresh_failures = 0, retry_at = null, refused_at = null
  where org_id = $1 and account_id = $2 and refused_at is null`

async function listen({ pool }: HoldDatabase): Promise<pg.Client> {
  const listener = new pg.Client(pool.options)
  await listener.connect()
  await listener.query('listen gateway_events')
  return listener
}

/** Adds an account per client, and the trigger of migration 0002, which notified of every update. */
async function addAccounts({ pool, addPayer }: HoldDatabase): Promise<string> {
  const { orgId, userId } = await addPayer()
  await pool.query(
    `insert into accounts (org_id, id, connector, user_id, scope, alias, identity, identity_key, auth_kind, status, settings, created_at, updated_at)
      select $1, 'acc_' || n, 'bench', $2, 'private', n::text, '', '', 'oauth2', 'connected', '{}', now(), now()
      from generate_series(0, $3 - 1) as n`,
    [orgId, userId, CLIENTS],
  )
  await pool.query(
    `insert into account_credentials (org_id, account_id, sealed, key_id, updated_at)
      select org_id, id, $2, 'bench', now() from accounts where org_id = $1`,
    [orgId, SEALED],
  )
  await pool.query(`create trigger notified after update on account_credentials referencing new table as changed
    for each statement execute function gateway_notify('account_credential', 'account_id')`)
  return orgId
}
