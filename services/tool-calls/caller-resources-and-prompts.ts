import { nested } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import type { Account } from '../accounts/account.ts'
import { noActiveOrg } from '../identity/caller.ts'
import type { CallerOffers, OfferRequest, OfferResult } from '../mcp/mcp-types.ts'
import type { ToolOutcome } from './call.ts'
import { CallSignal } from './call-signal.ts'
import type {
  OfferContext,
  OfferSurface,
  OfferSurfaces,
  UpstreamOfferResult,
} from './organization-resources-and-prompts.ts'
import type { Asking } from './surfaces.ts'

/** Creates what callers are offered besides tools. */
export interface Offers {
  of(options: CallerOffersOptions): CallerOffers
}

interface CallerOffersOptions extends Asking {
  /** What the client of a request calls itself. */
  clientName(meta: OfferRequest['meta']): string | undefined
  /** Calls a listener when the client disconnects, or at once if it already has. */
  onDisconnect(listener: () => void): void
  /** Called with the prompt, or the capability of the resource, for the log. */
  onCall(name: string): void
}

interface OffersOptions {
  surfaces: OfferSurfaces
  /** Called after every request. */
  finished(outcome: ToolOutcome): void
  /** Called with every unexpected error. */
  failed(error: unknown, name: string): void
}

/** Official clients time out after 60 s. */
const DEADLINE_MS = 50_000

export function createOffers({ surfaces, finished, failed }: OffersOptions): Offers {
  return {
    of({ identity, caller, narrowing, clientName, onDisconnect, onCall }) {
      // One request uses one surface, even if it asks twice.
      let surface: OfferSurface | Promise<OfferSurface> | undefined
      const ownSurface = () => {
        surface ??= surfaces.of({ identity, caller, narrowing })
        return surface
      }

      /** Records a request of what the caller does not have. Its name is any text of the caller. */
      function missed(kind: 'resource' | 'prompt', { meta }: OfferRequest): void {
        const who = { identity, caller, clientName: clientName(meta), accountId: null }
        const how = { outcome: 'not_found', durationMs: 0, costMicros: 0, failure: `There is no such ${kind}.` }
        finished({ tool: `unknown ${kind}`, ...who, ...how })
      }

      /** Runs a request, and turns its failure into an answer. */
      async function run(
        name: string,
        account: Account | undefined,
        { meta, trace }: OfferRequest,
        ask: (context: OfferContext) => Promise<UpstreamOfferResult>,
      ): Promise<OfferResult> {
        onCall(name)
        const started = performance.now()
        const signal = new CallSignal(onDisconnect, DEADLINE_MS)
        let answered: OfferResult
        try {
          if (caller === null) throw noActiveOrg()
          const answer = await signal.withTimeout(ask({ caller, identity, account, trace, signal: signal.abortSignal }))
          answered =
            'result' in answer ? { ...answer, outcome: 'ok' } : { ...answer, outcome: OUTCOMES[answer.refused] }
        } catch (thrown) {
          const error = toGatewayError(thrown)
          if (error.code === 'internal_error') failed(thrown, name)
          const { message, code, details } = error
          const data = { ...nested(error), ...details }
          answered = { refused: 'failed', message, data, outcome: code }
        } finally {
          signal.done()
        }
        finished({
          tool: name,
          identity,
          caller,
          clientName: clientName(meta),
          accountId: account?.id ?? null,
          outcome: answered.outcome,
          durationMs: performance.now() - started,
          costMicros: 0,
          failure: 'result' in answered ? undefined : answered.message,
        })
        return answered
      }

      return {
        capabilities() {
          const own = ownSurface()
          return own instanceof Promise ? own.then(({ capabilities }) => capabilities) : own.capabilities
        },

        list(kind) {
          const own = ownSurface()
          return own instanceof Promise ? own.then(({ lists }) => lists[kind]) : own.lists[kind]
        },

        async readResource(request) {
          const { uri } = request
          const { upstreams, accounts } = await ownSurface()
          const upstream = upstreams.find(({ serves }) => serves(uri))
          if (upstream === undefined) {
            missed('resource', request)
            return { refused: 'unknown', message: 'Resource not found', data: { uri }, outcome: 'not_found' }
          }
          const { capability } = upstream
          const ask = (context: OfferContext) => upstream.readResource(uri, context)
          const answered = await run(capability, accounts.get(capability), request, ask)
          return 'result' in answered ? answered : { ...answered, data: { ...answered.data, uri } }
        },

        async getPrompt(request) {
          const { name, arguments: args } = request
          const { upstreams, accounts } = await ownSurface()
          const upstream = upstreams.find(({ prompts }) => prompts.has(name))
          if (upstream === undefined) {
            missed('prompt', request)
            return { refused: 'unknown', message: `Prompt ${name} not found`, outcome: 'not_found' }
          }
          const ask = (context: OfferContext) => upstream.getPrompt(name, args, context)
          return run(name, accounts.get(upstream.capability), request, ask)
        },
      }
    },
  }
}

const OUTCOMES = { unknown: 'not_found', invalid: 'invalid_request' } as const
