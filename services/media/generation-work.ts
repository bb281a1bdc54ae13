import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { MOST_MICROS } from '../../schemas/billing/money.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { MediaKind, MediaModel } from '../../schemas/tools/media.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { JobHolds } from '../billing/job-holds.ts'
import { writeJobCharge } from '../usage/usage-writer.ts'
import { type GenerationAdapter, MediaFailure, type MediaOutput } from './adapter.ts'
import type { Generation, GenerationName, GenerationResult, GenerationRows } from './generation-rows.ts'
import type { UseInputs } from './inputs.ts'
import { costOf } from './prices.ts'

interface GenerationWorkOptions {
  rows: GenerationRows
  holds: JobHolds
  artifacts: Pick<Artifacts, 'create' | 'requireStorage'>
  log: Pick<Logger, 'warn' | 'error'>
  /** The model and its adapter; undefined if they are no longer configured. */
  served(modelId: string): { model: MediaModel; adapter: GenerationAdapter } | undefined
  useInputs: UseInputs
  /** Called with the generation after its end. */
  ended(name: GenerationName): void
}

/** The tool that starts generations. */
export const GENERATE = 'media__generate'
/**
 * The space that a result needs at most, in bytes, which an organization must have left before the request. A larger result,
 * and concurrent ones, exceed the quota, because the provider charges for them: 4K images as PNG, speech of 5,000 characters
 * as WAV, 10 seconds of 4K video.
 */
const RESULT_BYTES: Partial<Record<MediaKind, number>> = {
  image: 32 * 1024 ** 2,
  speech: 32 * 1024 ** 2,
  video: 512 * 1024 ** 2,
}
/** How often a process that works on a generation says so. */
const RENEW_MS = 10_000

/** The steps of a generation. None of them throws, except for an unavailable database. */
export function createGenerationWork(options: GenerationWorkOptions) {
  const { rows, holds, artifacts, log, served, useInputs, ended } = options
  const holdOf = ({ orgId, holdId }: Generation) => ({ orgId, id: holdId })

  /** Keeps the lease while the work runs. */
  async function leased<T>(generation: Generation, work: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      rows.renewLease(generation).catch(error => log.warn({ err: error }, 'cannot renew the lease of a generation'))
    }, RENEW_MS)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
    }
  }

  async function fail(generation: Generation, failure: Extract<GenerationResult, { code: unknown }>): Promise<void> {
    await holds.release(holdOf(generation), org =>
      rows.end(org, generation, { costMicros: null, result: failure, keepsKey: failure.unsettled === true }),
    )
    ended(generation)
  }

  /** Stores the files and charges for them. Files that were stored before a failure expire like any others. */
  async function complete(generation: Generation, model: MediaModel, output: MediaOutput, signal: AbortSignal) {
    const { orgId, userId, request } = generation
    if (request === null) return
    const stored = []
    for (const { name, open } of output.files)
      stored.push(await artifacts.create({ orgId, userId, name, body: await open(signal), signal, paid: true }))
    const { images, price, maxMicros = MOST_MICROS, ...asked } = request
    const usage = { results: stored.length, usage: output.usage }
    const cost = Math.min(costOf({ model, ...asked, files: images.length }, price, usage), maxMicros)
    const result = {
      artifacts: stored.map(({ id, mediaType, bytes, expiresAt }) => ({
        id,
        media_type: mediaType,
        bytes,
        expires_at: expiresAt.toISOString(),
      })),
      warnings: output.warnings ?? [],
    }
    await holds.complete(holdOf(generation), cost, async (org, costMicros) => {
      await rows.end(org, generation, { costMicros, result, keepsKey: true })
      const { userId, keyId, agentId, createdAt: at } = generation
      await writeJobCharge(org, { workId: generation.id, at, userId, keyId, agentId, tool: GENERATE, costMicros })
    })
    ended(generation)
  }

  /** Submits a new generation, once: if its outcome remains unknown, it fails. */
  async function submit(generation: Generation, signal: AbortSignal): Promise<void> {
    const { orgId, request } = generation
    const found = served(generation.model)
    if (found === undefined || request === null) return fail(generation, GONE)
    const { model, adapter } = found
    let submitted = false
    await leased(generation, async () => {
      try {
        const { images, price: _, ...asked } = request
        const started = await useInputs(generation, images, signal, async inputs => {
          // A provider charges for a result that cannot be stored.
          await artifacts.requireStorage(generation.orgId, asked.n * (RESULT_BYTES[model.kind] ?? 0))
          if (!(await rows.submitting(generation))) return undefined
          submitted = true
          return adapter.start({ model, ...asked, files: inputs.length, inputs, orgId }, signal)
        })
        if (started === undefined) return
        if ('operation' in started) await rows.running(generation, started.operation)
        else await complete(generation, model, started.output, signal)
      } catch (error) {
        await failWith(generation, error, submitted)
      }
    })
  }

  async function failWith(generation: Generation, error: unknown, submitted: boolean): Promise<void> {
    if (error instanceof MediaFailure) {
      const { code, message, retryAfter } = error
      return fail(generation, { code, message, retryAfter })
    }
    if (error instanceof GatewayError) return fail(generation, { code: error.code, message: error.message })
    const { id, model } = generation
    if (submitted && !(error instanceof EgressError && !error.sent)) {
      log.error(
        { err: error, generation: id, model },
        'the outcome of a submitted generation is unknown: it is not repeated',
      )
      return fail(generation, UNKNOWN_OUTCOME)
    }
    if (!(error instanceof EgressError))
      log.error({ err: error, generation: id, model }, 'a generation failed unexpectedly')
    return fail(generation, {
      code: 'provider_failed',
      message: 'The provider cannot be reached now. Nothing was charged. Retry later.',
    })
  }

  /** Asks for the result once. Returns whether the generation is at its end. */
  async function poll(generation: Generation, signal: AbortSignal): Promise<boolean> {
    const { orgId, id, request, operation } = generation
    const found = served(generation.model)
    if (found?.adapter.status === undefined || request === null) {
      await fail(generation, GONE)
      return true
    }
    const { model, adapter } = found
    const { images, price: _, ...asked } = request
    const known = { model, ...asked, files: images.length, orgId }
    return leased(generation, async () => {
      try {
        if (generation.cancelRequested) await adapter.cancel?.(operation, known, signal).catch(() => {})
        const output = await adapter.status?.(operation, known, signal)
        if (output === undefined) return false
        await complete(generation, model, output, signal)
        return true
      } catch (error) {
        // With a full disk, the provider still has the result.
        const isFinal =
          error instanceof MediaFailure
            ? !error.transient
            : error instanceof GatewayError && error.code !== 'internal_error'
        if (!isFinal) {
          if (!signal.aborted)
            log.warn({ err: error, generation: id, model: model.id }, 'cannot ask for a generation; trying again')
          return false
        }
        await failWith(generation, error, false)
        return true
      }
    })
  }

  return {
    submit,
    poll,
    /** Ends a generation whose process died before it had an operation. */
    async abandon(generation: Generation): Promise<void> {
      if (generation.state === 'created') return fail(generation, NOT_STARTED)
      const { id, model } = generation
      log.error({ generation: id, model }, 'a process ended while it submitted a generation: it is not repeated')
      return fail(generation, UNKNOWN_OUTCOME)
    },
    /** Ends a generation that takes too long. */
    expire: (generation: Generation) => fail(generation, TOO_LONG),
    /** Releases the hold of a generation that failed, if its process died before. */
    releaseHold: (generation: Generation) => holds.release(holdOf(generation)),
    renewHold: (generation: Generation) => holds.renew(holdOf(generation)),
  }
}

export type GenerationWork = ReturnType<typeof createGenerationWork>

const GONE = {
  code: 'provider_failed',
  message: 'This gateway no longer serves the model. Nothing was charged. Use a model from media__models.',
} as const

const NOT_STARTED = {
  code: 'provider_failed',
  message: 'The gateway was restarted before it sent the request. Nothing was charged. Retry.',
} as const

const TOO_LONG = {
  code: 'provider_failed',
  message: 'The provider did not finish in time. Nothing was charged. Retry, or use another model.',
} as const

const UNKNOWN_OUTCOME = {
  code: 'provider_failed',
  message:
    'The connection to the provider was lost after the request was sent, so its result is unknown. Nothing was charged. Repeat the request with a new idempotency key if you want to.',
  unsettled: true,
} as const
