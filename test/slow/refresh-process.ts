import { createSecretKey } from 'node:crypto'
import { openDatabase } from '../../lib/database/open-database.ts'
import { parseAllowList } from '../../lib/egress/allow-list.ts'
import { createEgress } from '../../lib/egress/create-egress.ts'
import type { Account } from '../../services/accounts/account.ts'
import { createVaultRotation } from '../../services/vault-rotation.ts'
import { silent } from '../fixtures/database.ts'
import { grantProcess, outcomeOf } from '../fixtures/grant-fixture.ts'
import { rotatingConnector } from '../fixtures/token-server.ts'

/** The first message to the process. */
export interface Start {
  url: string
  origin: string
  /** The vault's keys, base64; the first seals. */
  keys: { id: string; key: string }[]
  /** How far its clock is ahead of this machine's, in milliseconds. */
  aheadMs: number
  leaseMs?: number
}

/** An order to the process: make calls at the same time and report how each ended, or reseal all values with its first key. */
export type Order = { calls: number; account: Account } | { rotate: true }

process.once('message', async ({ url, origin, keys, aheadMs, leaseMs }: Start) => {
  const database = await openDatabase({ postgres: { url, maxConnections: 5 }, dataDir: '', log: silent })
  const clock = { now: () => Date.now() + aheadMs }
  const [first, ...rest] = keys.map(({ id, key }) => ({ id, key: createSecretKey(Buffer.from(key, 'base64')) }))
  if (first === undefined) throw new Error('no key')
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  const own = { owner: `test:${process.pid}`, ...(leaseMs !== undefined && { leaseMs }) }
  const { grants, vault } = grantProcess({ database, clock, egress, ring: [first, ...rest], own })
  const connector = rotatingConnector(origin)
  process.on('message', async (order: Order) => {
    if ('rotate' in order) {
      process.send?.(await createVaultRotation({ db: database.db, vault, log: silent }).rotate())
    } else {
      const calls = Array.from({ length: order.calls }, () => outcomeOf(grants, order.account, connector, { origin }))
      process.send?.(await Promise.all(calls))
    }
  })
  process.send?.('ready')
})
