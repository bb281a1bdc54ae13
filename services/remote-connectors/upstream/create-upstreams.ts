import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import { RPC_ERRORS } from '../../mcp/json-rpc.ts'
import type { ServerInfo } from '../../mcp/tool-list.ts'
import { createUpstreamClient, type SendRequest, type UpstreamClient } from './client.ts'
import { type ListMember, listPages, readContents, readPrompt, readToolResult } from './read-results.ts'
import { createRequests, type ListMethod } from './requests.ts'
import type { MessageBounds } from './rpc-message.ts'
import {
  type Listed,
  type Protocol,
  UpstreamError,
  type UpstreamFailure,
  type Upstreams,
  type UpstreamTarget,
} from './upstream.ts'

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
const PROMPT = { bounds: RESULT, read: readPrompt }

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

  function everyPage(host: string, list: ListOf, protocol: Protocol, ask: SendRequest): Promise<unknown[]> {
    return listPages(host, list.member, async (cursor, pageOptions) => {
      const { value: page, size } = await ask(requests.list(list.method, protocol, cursor), pageOptions)
      return { page, size }
    })
  }

  return {
    async listTools(target, credential, options) {
      const client = clientOf(target)
      return client.run(credential, options, (protocol, ask) => everyPage(client.host, TOOLS, protocol, ask))
    },

    async listOffers(target, credential, options) {
      const client = clientOf(target)
      return client.run(credential, options, async (protocol, ask) => {
        const { capabilities, instructions } = protocol.server
        const announces = (capability: ListOf['capability']) => isJsonObject(capabilities[capability])
        const listed = async (list: ListOf): Promise<Listed> => {
          if (!announces(list.capability)) return { items: [] }
          try {
            return { items: await everyPage(client.host, list, protocol, ask) }
          } catch (error) {
            return faultOf(error)
          }
        }
        return {
          announced: { resources: announces('resources'), prompts: announces('prompts') },
          instructions,
          resources: await listed(RESOURCES),
          resourceTemplates: await listed(TEMPLATES),
          prompts: await listed(PROMPTS),
        }
      })
    },

    async callTool(target, credential, call, options) {
      return clientOf(target).run(credential, options, async (protocol, ask) => {
        const { value } = await ask(requests.callTool(protocol, call), CALL)
        return value
      })
    },

    async readResource(target, credential, read, options) {
      return clientOf(target).run(credential, options, async (protocol, ask) => {
        const { value } = await ask(requests.readResource(protocol, read), {
          bounds: RESULT,
          read: result => readContents(result, read.uri),
        })
        return value
      })
    },

    async getPrompt(target, credential, prompt, options) {
      return clientOf(target).run(credential, options, async (protocol, ask) => {
        const { value } = await ask(requests.getPrompt(protocol, prompt), PROMPT)
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

/** A list of an upstream: the capability that announces it, its method, and the member of its pages. */
interface ListOf {
  readonly capability: 'tools' | 'resources' | 'prompts'
  readonly method: ListMethod
  readonly member: ListMember
}

const TOOLS: ListOf = { capability: 'tools', method: 'tools/list', member: 'tools' }
const RESOURCES: ListOf = { capability: 'resources', method: 'resources/list', member: 'resources' }
const PROMPTS: ListOf = { capability: 'prompts', method: 'prompts/list', member: 'prompts' }
const TEMPLATES: ListOf = {
  capability: 'resources',
  method: 'resources/templates/list',
  member: 'resourceTemplates',
}

const OF_ONE_LIST: readonly UpstreamFailure[] = ['rpc', 'malformed', 'too_large', 'status']

/** Why a list is missing. Rethrows an error that concerns the whole upstream. */
function faultOf(error: unknown): Listed {
  if (!(error instanceof UpstreamError) || !OF_ONE_LIST.includes(error.kind)) throw error
  // Servers announce resources without having templates.
  return error.rpcCode === RPC_ERRORS.methodNotFound.code ? { items: [] } : { fault: error.message }
}

function keyOf({ orgId, id }: Pick<UpstreamTarget, 'orgId' | 'id'>): string {
  return `${orgId} ${id}`
}
