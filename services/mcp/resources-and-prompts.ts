import { after } from '../../lib/process/event-loop.ts'
import type { RpcRequest } from '../../schemas/tools/mcp.ts'
import type { Headers } from './headers.ts'
import { errorAnswer, RPC_ERRORS, resultAnswer } from './json-rpc.ts'
import type { Answer, McpDeps, OfferCapabilities, Offered, OfferRequest, OfferResult } from './mcp-types.ts'
import { validateName } from './modern-headers.ts'
import { CACHE_TTL_MS, type ProtocolGeneration, SERVER_INFO_KEY } from './protocol.ts'
import { clientOf } from './read-tool-request.ts'

/** The lists besides `tools/list`: what must be announced for them, and the member of their results. */
const LISTS: Readonly<Record<string, { capability: keyof OfferCapabilities; kind: Offered }>> = {
  'resources/list': { capability: 'resources', kind: 'resources' },
  'resources/templates/list': { capability: 'resources', kind: 'resourceTemplates' },
  'prompts/list': { capability: 'prompts', kind: 'prompts' },
}

/** Answers the methods for resources and prompts; undefined for every other method. */
export function answerOffers(
  generation: ProtocolGeneration,
  headers: Headers,
  request: RpcRequest,
  { offers, serverInfo }: McpDeps,
): Answer | Promise<Answer> | undefined {
  const { id, method, params } = request
  if (offers === undefined) return undefined
  const complete = (result: object, caching?: object) =>
    generation === 'legacy' ? result : { resultType: 'complete', ...result, ...caching, ...signed(result) }
  const signed = ({ _meta }: { _meta?: object }) => ({ _meta: { ..._meta, [SERVER_INFO_KEY]: serverInfo } })

  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined
  if (list !== undefined)
    return ifAnnounced(list.capability, () =>
      after(offers.list(list.kind), json => {
        const rest = JSON.stringify(complete({}, { ttlMs: CACHE_TTL_MS, cacheScope: 'private' }))
        // The list is already JSON.
        return resultAnswer(id, `{${JSON.stringify(list.kind)}:${json}${rest === '{}' ? '' : `,${rest.slice(1, -1)}`}}`)
      }),
    )

  switch (method) {
    case 'resources/read':
      return ifAnnounced('resources', () =>
        named('uri', 'resources/list', (uri, from) => offers.readResource({ uri, ...from })),
      )
    case 'prompts/get':
      return ifAnnounced('prompts', () =>
        named('name', 'prompts/list', (name, from) =>
          offers.getPrompt({ name, arguments: params?.arguments, ...from }),
        ),
      )
    default:
      return undefined
  }

  function ifAnnounced(capability: keyof OfferCapabilities, answer: () => Answer | Promise<Answer>) {
    return after(offers?.capabilities() ?? {}, announced =>
      announced[capability] === undefined ? methodNotFound() : answer(),
    )
  }

  function methodNotFound(): Answer {
    return errorAnswer(generation === 'modern' ? 404 : 200, id, RPC_ERRORS.methodNotFound, 'Method not found')
  }

  /** Answers a request that one of its parameters names. A modern request repeats it in a header. */
  function named(
    key: 'uri' | 'name',
    shownBy: string,
    ask: (name: string, from: OfferRequest) => OfferResult | Promise<OfferResult>,
  ): Answer | Promise<Answer> {
    const name = params?.[key]
    if (typeof name !== 'string')
      return errorAnswer(
        200,
        id,
        RPC_ERRORS.invalidParams,
        `Invalid params: ${method} needs a ${key}, the string that ${shownBy} shows.`,
      )
    const misnamed = generation === 'modern' ? validateName(headers, name) : undefined
    if (misnamed !== undefined) return errorAnswer(400, id, misnamed.error, misnamed.message, misnamed.data)
    const meta = params?._meta
    const { trace } = clientOf(generation, meta, {})
    return after(ask(name, { meta, trace }), answered => {
      if ('result' in answered) {
        const { ttlMs } = answered
        const caching = ttlMs === undefined ? undefined : { ttlMs, cacheScope: 'private' }
        return resultAnswer(id, JSON.stringify(complete(answered.result, caching)), answered.outcome)
      }
      const { message, data, outcome } = answered
      // Before 2026-07-28, an unknown resource had a code of its own.
      const unknown = key === 'uri' && generation === 'legacy' ? RPC_ERRORS.resourceNotFound : RPC_ERRORS.invalidParams
      const { code } = answered.refused === 'failed' ? RPC_ERRORS.internalError : unknown
      return errorAnswer(200, id, { code, outcome }, message, data)
    })
  }
}

/** What to announce besides tools; nothing if there are no offers. */
export function announcedOffers({ offers }: McpDeps): OfferCapabilities | Promise<OfferCapabilities> {
  return offers?.capabilities() ?? {}
}
