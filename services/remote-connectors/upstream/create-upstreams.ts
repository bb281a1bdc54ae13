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
  /** How upstreams are told who asks. */
  serverInfo: ServerInfo
  log: Pick<Logger, 'warn'>
}

/** Registrations that are held something for at a time; of the others the next call begins anew. */
const MAX_CLIENTS = 1_000
/** How long an upstream has to end its session, when it is let go and when the process ends. */
const CLOSE_MS = 5_000
const SHUTDOWN_MS = 2_000

/** Of a tool's result. */
const RESULT: MessageBounds = { levels: 64, elements: 100_000, letsProto: false }
const CALL = { bounds: RESULT, read: readToolResult }

/** The client of all upstreams, in both eras. */
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
      return client.carry(credential, options, (protocol, ask) =>
        listPages(client.host, async (cursor, pageOptions) => {
          const { value: page, size } = await ask(requests.listTools(protocol, cursor), pageOptions)
          return { page, size }
        }),
      )
    },

    async callTool(target, credential, call, options) {
      return clientOf(target).carry(credential, options, async (protocol, ask) => {
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
