import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { ServerInfo } from '../../mcp/tool-list.ts'
import { createPeer, type Peer } from './client.ts'
import { listPages } from './list-pages.ts'
import { createRequests } from './requests.ts'
import type { MessageBounds } from './rpc-message.ts'
import { readToolResult } from './tool-result.ts'
import type { Upstreams, UpstreamTarget } from './upstream.ts'

export interface UpstreamsOptions {
  egress: Pick<Egress, 'pool'>
  clock: Clock
  /** How upstreams are told who asks. */
  serverInfo: ServerInfo
  log: Pick<Logger, 'warn'>
}

/** Registrations that are held something for at a time; of the others the next call begins anew. */
const MAX_PEERS = 1_000
/** How long an upstream has to end its session, when it is let go and when the process ends. */
const LAST_WORDS_MS = 5_000
const LAST_WORDS_AT_THE_END_MS = 2_000

/** Of a tool's result. */
const RESULT: MessageBounds = { levels: 64, elements: 100_000, letsProto: false }
const CALL = { bounds: RESULT, read: readToolResult }

/** The client of all upstreams, in both eras. */
export function createUpstreams({ egress, clock, serverInfo, log }: UpstreamsOptions): Upstreams {
  const requests = createRequests({ clientInfo: serverInfo })
  const leaving = new Set<Promise<void>>()
  const peers = new LRUCache<string, Peer>({ max: MAX_PEERS, dispose: letGo })

  function letGo(peer: Peer): void {
    const left = peer.end(LAST_WORDS_MS).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  function peerOf(target: UpstreamTarget): Peer {
    const key = keyOf(target)
    const known = peers.get(key)
    if (known !== undefined && known.url === target.url) return known
    const peer = createPeer(target, { egress, requests, clock, log })
    peers.set(key, peer)
    return peer
  }

  return {
    async listTools(target, credential, options) {
      const peer = peerOf(target)
      return peer.carry(credential, options, (terms, ask) =>
        listPages(peer.host, async (cursor, asking) => {
          const { value: page, size } = await ask(requests.listTools(terms, cursor), asking)
          return { page, size }
        }),
      )
    },

    async callTool(target, credential, call, options) {
      return peerOf(target).carry(credential, options, async (terms, ask) => {
        const { value } = await ask(requests.callTool(terms, call), CALL)
        return value
      })
    },

    forget(target) {
      peers.delete(keyOf(target))
    },

    async close() {
      const last = Array.from(peers.values(), peer => peer.end(LAST_WORDS_AT_THE_END_MS))
      await Promise.all([...last, ...leaving])
    },
  }
}

function keyOf({ orgId, id }: Pick<UpstreamTarget, 'orgId' | 'id'>): string {
  return `${orgId} ${id}`
}
