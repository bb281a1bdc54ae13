import type { DatabaseEvents } from '../../lib/database/events.ts'
import { type AccountKey, keyOf } from './credential-rows.ts'

/** A subscription to changes of one account's credential. */
interface Subscription {
  /** Resolves at the next change, after `ms` milliseconds, or immediately if a change came since it last resolved. */
  nextChange(ms: number): Promise<void>
  stop(): void
}

/** Changes of credentials, made by this process or another. They only shorten waits; delivery is not guaranteed. */
export interface CredentialChanges {
  subscribe(account: AccountKey): Subscription
}

export function createCredentialChanges(events: DatabaseEvents): CredentialChanges {
  const subscribers = new Map<string, Set<() => void>>()
  const notify = (key: string) => {
    for (const changed of subscribers.get(key) ?? []) changed()
  }
  const notifyAll = () => {
    for (const key of subscribers.keys()) notify(key)
  }
  events.on('account_credential', ({ orgId, id }) => (id === null ? notifyAll() : notify(keyOf({ id, orgId }))))
  events.onReset(notifyAll)

  return {
    subscribe(account) {
      const key = keyOf(account)
      const here = subscribers.get(key) ?? new Set()
      subscribers.set(key, here)
      let pending = false
      let wait = Promise.withResolvers<void>()
      const changed = () => {
        pending = true
        wait.resolve()
      }
      here.add(changed)
      return {
        async nextChange(ms) {
          const timer = setTimeout(wait.resolve, ms)
          if (!pending) await wait.promise
          clearTimeout(timer)
          pending = false
          wait = Promise.withResolvers()
        },
        stop() {
          here.delete(changed)
          if (here.size === 0) subscribers.delete(key)
        },
      }
    },
  }
}
