import type { Logger } from '../../schemas/log.ts'
import type { Engine, Listening } from './engine.ts'

const TOPICS = [
  'surface',
  'api_key',
  'agent',
  'membership',
  'active_organization',
  'account_credential',
  'oauth_client',
] as const

/**
 * What changed: an organization's tool surface, a key, an agent, a membership, a user's choice of an organization, an
 * account's credential, an organization's OAuth client.
 */
export type EventTopic = (typeof TOPICS)[number]

export interface DatabaseEvent {
  topic: EventTopic
  /** Of a choice, the organization that was chosen. */
  orgId: string
  /**
   * The key, the agent, the account, the client's connector, or the user's id for memberships and choices; null for
   * several at once, and for surfaces.
   */
  id: string | null
}

/** Changes as the database tells them, from every process and from hands in psql. They hasten, they are no guarantee. */
export interface DatabaseEvents {
  /** Hears one topic; answers how to stop. */
  on(topic: EventTopic, listener: (event: DatabaseEvent) => void): () => void
  /** Called when events may have been missed: whoever caches by events drops what it has. Answers how to stop. */
  onReset(listener: () => void): () => void
}

export interface OpenEvents extends DatabaseEvents {
  close(): Promise<void>
}

/** Listens on the engine. An event that cannot be read, and a listener that throws, are logged and nothing more. */
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
      log.warn({ payload }, 'an unknown database event was ignored')
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

/** Reads a payload of the triggers; a topic of a newer version is undefined. */
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
