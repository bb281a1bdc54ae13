/** A key's captures in a month: the first day as a text, the amount as a decimal number. */
interface Spending {
  key: string
  month: string
  spent: string
}

/** Sums over postings: exact, in micro-dollars. */
export interface Sums {
  postings: number
  /** Of the wallet, revenue, funding and promotion, and of the wallet without overages and refunds. */
  readonly amounts: bigint[]
  add(more: { postings: number; amounts: readonly string[] }): void
  /** Adds to a key's spending. Returns the name of its sum. */
  spend(spending: Spending): string
  /** The sums of all keys. */
  spending(): Iterable<Spending & { name: string }>
  /** Adds other sums to a copy of these. */
  plus(other: Sums): Sums
}

export function createSums(): Sums {
  const keys = new Map<string, { key: string; month: string; spent: bigint }>()
  const sums: Sums = {
    postings: 0,
    amounts: [0n, 0n, 0n, 0n, 0n],
    add({ postings, amounts }) {
      sums.postings += postings
      for (const [index, amount] of amounts.entries())
        sums.amounts[index] = (sums.amounts[index] ?? 0n) + BigInt(amount)
    },
    spend({ key, month, spent }) {
      const name = `${key} ${month}`
      const known = keys.get(name)
      if (known === undefined) keys.set(name, { key, month, spent: BigInt(spent) })
      else known.spent += BigInt(spent)
      return name
    },
    *spending() {
      for (const [name, { key, month, spent }] of keys) yield { name, key, month, spent: String(spent) }
    },
    plus(other) {
      const both = createSums()
      for (const { postings, amounts, spending } of [sums, other]) {
        both.add({ postings, amounts: amounts.map(String) })
        for (const { name: _, ...spent } of spending()) both.spend(spent)
      }
      return both
    },
  }
  return sums
}

/** Whether two sums are of equal amounts and as many postings. */
export function sameSums(one: Sums, other: Sums): boolean {
  return one.postings === other.postings && one.amounts.every((amount, index) => amount === other.amounts[index])
}
