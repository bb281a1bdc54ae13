import { createIdSource } from '../../lib/id-source.ts'
import { createLedger, type HoldName } from '../../services/billing/ledger.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { type HoldDatabase, openHoldDatabase, type Payer } from './hold-database.ts'
import { median } from './measure.ts'

/** The number of concurrent clients, each with its own connection. */
export const CLIENTS = 32

/** One line of the table: medians over the rounds. */
interface HoldLine {
  title: string
  wallets: number
  perSecond: number
  /** The rate divided by that of the bare update on the same number of wallets in the same round. */
  ratio: number
  /** The minimum ratio; undefined without a target. */
  atLeast: number | undefined
}

export interface Holds {
  /** The server's version and its `synchronous_commit`. */
  version: string
  synchronousCommit: string
  lines: readonly HoldLine[]
}

export interface HoldOptions {
  rounds: number
  /** The duration of one round of one subject. */
  milliseconds: number
}

/** Measures all subjects in turn, round after round, on a new database on this server. */
export async function measureHolds(server: string, { rounds, milliseconds }: HoldOptions): Promise<Holds> {
  const database = await openHoldDatabase(server, CLIENTS)
  try {
    const groups = [await groupOn(database, 1), await groupOn(database, CLIENTS)]
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const { step, rates } of groups.flatMap(({ subjects }) => subjects)) {
        const rate = await rateOf(step, milliseconds)
        if (round > 0) rates.push(rate)
      }
    }
    await database.check()
    return { ...(await database.settings()), lines: groups.flatMap(linesOf) }
  } finally {
    await database.remove()
  }
}

/** The step that each client repeats, and the steps per second of all clients in each round. */
interface HoldSubject {
  title: string
  atLeast?: number
  step(client: number): Promise<unknown>
  rates: number[]
}

/** All subjects on the same number of wallets, with the bare update first. */
interface Group {
  wallets: number
  subjects: readonly [HoldSubject, ...HoldSubject[]]
}

async function groupOn({ pool, db, addPayer }: HoldDatabase, wallets: number): Promise<Group> {
  const addPayers = () => Promise.all(Array.from({ length: wallets }, addPayer))
  // The bare update has its own wallets, because its held amounts have no holds.
  const [bare, payers] = [await addPayers(), await addPayers()]
  const of = (all: readonly Payer[], client: number) => all[client % wallets] as Payer

  const newId = createIdSource({ now: Date.now })
  const ledger = createLedger({ db, thresholdMicros: 0, commands })
  const hold = async (client: number, by: 'user' | 'key'): Promise<HoldName> => {
    const { orgId, userId, keyId } = of(payers, client)
    const id = newId('hld')
    await ledger.hold({ orgId, id, userId, keyId: by === 'key' ? keyId : null, tool: 'bench__call', amountMicros: 1 })
    return { orgId, id }
  }
  const capture = async (client: number, by: 'user' | 'key') => ledger.capture(db, await hold(client, by), 1)

  const target = wallets === 1 ? { atLeast: 0.5 } : {}
  return {
    wallets,
    subjects: [
      { title: 'bare guarded `UPDATE`', step: client => pool.query(BARE, [of(bare, client).orgId, 1]), rates: [] },
      { title: 'hold of a user', ...target, step: client => hold(client, 'user'), rates: [] },
      { title: 'hold of a key with a cap', ...target, step: client => hold(client, 'key'), rates: [] },
      { title: 'hold and capture, of a user', step: client => capture(client, 'user'), rates: [] },
      { title: 'hold and capture, of a key with a cap', step: client => capture(client, 'key'), rates: [] },
    ],
  }
}

/** The minimum of a hold: no row, no state, no cap. */
const BARE =
  'update wallets set held_micros = held_micros + $2 where org_id = $1 and balance_micros - held_micros >= $2'

/** Repeats a step on every client until the time is over. Returns the steps per second. */
async function rateOf(step: (client: number) => Promise<unknown>, milliseconds: number): Promise<number> {
  const started = performance.now()
  let count = 0
  const repeat = async (client: number) => {
    for (; performance.now() - started < milliseconds; count++) await step(client)
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => repeat(client)))
  return (count * 1000) / (performance.now() - started)
}

function linesOf({ wallets, subjects }: Group): HoldLine[] {
  const [bare] = subjects
  return subjects.map(({ title, atLeast, rates }) => ({
    title,
    wallets,
    perSecond: median(rates),
    ratio: median(rates.map((rate, round) => rate / (bare.rates[round] ?? Number.NaN))),
    atLeast,
  }))
}
