import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { ServerInfo } from '../../mcp/tool-list.ts'
import { createUpstreamClient, type UpstreamClient } from './client.ts'
import { listPages, readToolResult } from './read-results.ts'
import { createRequests } from './requests.ts'
import type { MessageBounds } from './rpc-message.ts'
import type { Upstreams, UpstreamTarget } from './upstream.ts'

export interface UpstreamsOptions {
  egress: Pick<Egress, 'pool'>
  clock: Clock
  /** How this gateway introduces itself to upstreams. */
  serverInfo: ServerInfo
  log: Pick<Logger, 'warn'>
}

/** How many registrations have a client at a time. The next call to another one creates its client. */
const MAX_CLIENTS = 1_000
/** How long an upstream has to end its session: when its client is evicted, and when the process stops. */
const CLOSE_MS = 5_000
const SHUTDOWN_MS = 2_000

/** The bounds of a tool's result. */
const RESULT: MessageBounds = { levels: 64, elements: 100_000, letsProto: false }
const CALL = { bounds: RESULT, read: readToolResult }

/** Creates the client of all upstreams, for both protocol generations. */
export function createUpstreams({ egress, clock, serverInfo, log }: UpstreamsOptions): Upstreams {
  const requests = createRequests({ clientInfo: serverInfo })
  const leaving = new Set<Promise<void>>()
  const clients = new LRUCache<string, UpstreamClient>({ max: MAX_CLIENTS, dispose: release })

  function release(client: UpstreamClient): void {
    const left = client.end(CLOSE_MS).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  function clientOf(target: UpstreamTarget): UpstreamClient {
    const key = keyOf(target)
    const known = clients.get(key)
    if (known !== undefined && known.url === target.url) return known
    const client = createUpstreamClient(target, { egress, requests, clock, log })
    clients.set(key, client)
    return client
  }

  return {
    async listTools(target, credential, options) {
      const client = clientOf(target)
      return client.run(credential, options, (protocol, ask) =>
        listPages(client.host, async (cursor, pageOptions) => {
          const { value: page, size } = await ask(requests.listTools(protocol, cursor), pageOptions)
          return { page, size }
        }),
      )
    },

    async callTool(target, credential, call, options) {
      return clientOf(target).run(credential, options, async (protocol, ask) => {
        const { value } = await ask(requests.callTool(protocol, call), CALL)
        return value
      })
    },

    forget(target) {
      clients.delete(keyOf(target))
    },

    async close() {
      const last = Array.from(clients.values(), client => client.end(SHUTDOWN_MS))
      await Promise.all([...last, ...leaving])
    },
  }
}

function keyOf({ orgId, id }: Pick<UpstreamTarget, 'orgId' | 'id'>): string {
  return `${orgId} ${id}`
}
