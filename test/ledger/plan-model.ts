/** A period of a subscription, numbered in days. */
interface ModelGrant {
  subscription: string
  start: number
  end: number
  amount: number
  unspent: number
  expired: number | null
}

/** A model of a wallet with grants in plain numbers: each capture uses the open grants at once. */
export function createPlanModel() {
  const grants: ModelGrant[] = []
  const holds = new Map<number, number>()
  let balance = 0
  const held = () => [...holds.values()].reduce((sum, amount) => sum + amount, 0)
  const open = () =>
    grants
      .filter(grant => grant.expired === null)
      .sort((a, b) => a.end - b.end || a.subscription.localeCompare(b.subscription) || a.start - b.start)

  function expire(now: number, replaced?: { subscription: string; start: number }): void {
    let pending = held()
    for (const grant of open()) {
      const share = Math.min(pending, grant.unspent)
      pending -= share
      const follows = replaced?.subscription === grant.subscription && grant.start < replaced.start
      if (grant.end > now && !follows) continue
      grant.expired = Math.max(0, Math.min(grant.unspent - share, balance - held()))
      balance -= grant.expired
    }
  }

  function grant(subscription: string, start: number, end: number, amount: number, now: number): boolean {
    if (end <= now) return false
    expire(now, { subscription, start })
    if (grants.some(known => known.subscription === subscription && known.start === start)) return false
    grants.push({ subscription, start, end, amount, unspent: amount, expired: null })
    balance += amount
    return true
  }

  return {
    grants,
    balance: () => balance,
    held,
    expire,
    grant,
    add(amount: number) {
      balance += amount
    },
    hold(number: number, amount: number): boolean {
      if (balance < 0 || balance - held() < amount) return false
      holds.set(number, amount)
      return true
    },
    settle(number: number, cost: number): void {
      if (!holds.delete(number)) return
      balance -= cost
      for (const grant of open()) {
        const taken = Math.min(cost, grant.unspent)
        grant.unspent -= taken
        cost -= taken
      }
    },
    /** Returns whether the wallet covers the fee without its credits of grants. */
    fee(subscription: string, start: number, end: number, amounts: { fee: number; included: number }, now: number) {
      const before = { balance, grants: structuredClone(grants) }
      expire(now, { subscription, start })
      const granted = open().reduce((sum, { unspent }) => sum + unspent, 0)
      if (balance < 0 || balance - Math.max(held(), granted) < amounts.fee) {
        balance = before.balance
        grants.splice(0, grants.length, ...before.grants)
        return false
      }
      balance -= amounts.fee
      grant(subscription, start, end, amounts.included, now)
      return true
    },
  }
}
