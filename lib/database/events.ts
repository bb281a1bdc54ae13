import type { Logger } from '../../schemas/gateway/log.ts'
import type { Engine, Listening } from './engine.ts'

const TOPICS = [
  'surface',
  'api_key',
  'agent',
  'membership',
  'active_organization',
  'account_credential',
  'oauth_client',
  'user',
] as const

/**
 * What changed: an organization's tool surface, a key, an agent, a membership, a user's choice of an organization, an
 * account's credential, an organization's OAuth client, or the sign-ins of a user.
 */
export type EventTopic = (typeof TOPICS)[number]

export interface DatabaseEvent {
  topic: EventTopic
  /** For a user's choice: the chosen organization; empty for the sign-ins of a user. */
  orgId: string
  /**
   * The ID of the key, agent or account, the client's connector, or the user's ID for memberships, choices and sign-ins;
   * null for several at once, and for surfaces.
   */
  id: string | null
}

/**
 * Change events from the database, caused by any process or by manual SQL. They only speed things up and are not
 * guaranteed.
 */
export interface DatabaseEvents {
  /** Subscribes to one topic. Returns the unsubscribe function. */
  on(topic: EventTopic, listener: (event: DatabaseEvent) => void): () => void
  /** Subscribes to possible gaps, after which cached values must be rechecked. Returns the unsubscribe function. */
  onReset(listener: () => void): () => void
}

interface OpenEvents extends DatabaseEvents {
  close(): Promise<void>
}

/** Listens on the engine. An unreadable event and a listener that throws are only logged. */
export async function openEvents(engine: Engine, log: Logger): Promise<OpenEvents> {
  const listeners = new Map<EventTopic, Set<(event: DatabaseEvent) => void>>(TOPICS.map(topic => [topic, new Set()]))
  const resets = new Set<() => void>()

  function guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      log.error({ err: error }, 'a listener of database events failed')
    }
  }

  function reset(): void {
    for (const listener of [...resets]) guarded(listener)
  }

  function deliver(payload: string): void {
    const event = parseEvent(payload)
    if (event === 'reset') {
      reset()
    } else if (event === undefined) {
      log.warn({ payload }, 'ignored an unknown database event')
    } else {
      for (const listener of [...(listeners.get(event.topic) ?? [])]) guarded(() => listener(event))
    }
  }

  const listening: Listening = await engine.listen('gateway_events', deliver, reset)

  return {
    on(topic, listener) {
      listeners.get(topic)?.add(listener)
      return () => listeners.get(topic)?.delete(listener)
    },
    onReset(listener) {
      resets.add(listener)
      return () => resets.delete(listener)
    },
    close: () => listening.close(),
  }
}

/** Parses a payload of the triggers; undefined for a topic of a newer version. */
function parseEvent(payload: string): DatabaseEvent | 'reset' | undefined {
  let value: unknown
  try {
    value = JSON.parse(payload)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { topic, org_id, id } = value as Record<string, unknown>
  if (topic === 'reset') return 'reset'
  const known = TOPICS.find(name => name === topic)
  if (known === undefined || typeof org_id !== 'string') return undefined
  return { topic: known, orgId: org_id, id: typeof id === 'string' ? id : null }
}
