import { GatewayError } from '../../lib/errors/errors.ts'
import { DOLLAR, dollars } from '../../schemas/money.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { agentOf, keyIdOf } from '../../services/identity/identity.ts'
import type { Media } from '../../services/media/create-media.ts'
import { GENERATE } from '../../services/media/generation-work.ts'
import { isAtEnd } from '../../services/media/generations.ts'
import { estimateOf, priceAt } from '../../services/media/prices.ts'
import { usageIdOf } from '../../services/usage/usage-writer.ts'
import { createModelCheck, type GenerateArguments, generateSchema, ownArguments } from './generate-arguments.ts'
import { GenerationResult, generationResult } from './generation-result.ts'

/** The official clients give up at 60 s. */
export const MEDIA_DEADLINE_MS = 50_000
/** How long a call waits for its files. */
const ANSWER_AFTER_MS = 45_000

/** `media__generate`: makes images, videos and speech. */
export function generate(media: Media, { answerAfterMs = ANSWER_AFTER_MS } = {}): AnyTool {
  const { generations } = media
  const checkModel = createModelCheck(media.generating)

  /** The request, its price and its maximum cost. */
  function priced(args: GenerateArguments) {
    const model = media.generating.find(({ id }) => id === args.model)
    const price = model && priceAt(model, media.now())
    if (model === undefined || price === undefined)
      throw new GatewayError('bad_input', `The model ${args.model} is not available yet. Use a model of media__models.`)
    const { prompt, n = 1, images = [] } = args
    const asked = { args: ownArguments(model, args), prompt, n }
    const estimateMicros = estimateOf({ model, ...asked, files: images.length }, price)
    const maxMicros = args.max_cost_usd === undefined ? undefined : Math.round(args.max_cost_usd * DOLLAR)
    if (maxMicros !== undefined && estimateMicros > maxMicros)
      throw new GatewayError(
        'cost_limit',
        `The call can cost ${dollars(estimateMicros)}, which is more than max_cost_usd. Nothing was charged. Raise the limit, or ask for less.`,
      )
    const request = { ...asked, images, price, ...(maxMicros !== undefined && { maxMicros }) }
    return { request, estimateMicros }
  }

  return defineTool({
    name: GENERATE,
    title: 'Generate media',
    description:
      'Make an image, a video or speech from a prompt. Costs money: the price of the model (media__models). The result has ' +
      'links to the files, which expire after a day. If it takes longer than 45 seconds, the status is `pending`: call ' +
      'media__get with the id after `poll_after_s` seconds. A failed call costs nothing. Do not repeat a pending call.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    input: generateSchema(media.generating),
    output: GenerationResult,
    price: { heldBy: 'job', estimate: args => priced(args as GenerateArguments).estimateMicros },
    deadlineMs: MEDIA_DEADLINE_MS,
    refuse: (args, check) => check(args) ?? checkModel(args),

    async run(given, { caller, identity, origin, idempotencyDigest: digest, signal, reportCost }) {
      const args = given as GenerateArguments
      const { orgId, userId } = caller
      const started = await generations.start({
        ...{ orgId, userId, keyId: keyIdOf(identity), agentId: agentOf(identity)?.id ?? null },
        ...{ tool: GENERATE, digest, model: args.model, ...priced(args) },
      })
      const usageId = usageIdOf(started.id)
      // A repeated call was charged before.
      if (!started.repeated) reportCost(0, usageId)
      const generation = (await generations.wait(started, answerAfterMs, signal)) ?? started
      if (!isAtEnd(generation)) {
        // The client has disconnected and cannot learn the id.
        if (signal.aborted) await generations.cancel(started)
      } else if (generation.result !== null && 'code' in generation.result) {
        const { code, message, retryAfter, unsettled } = generation.result
        throw new GatewayError(code, message, {
          ...(retryAfter !== undefined && { retryAfter }),
          ...(unsettled !== undefined && { unsettled }),
        })
      }
      if (!started.repeated) reportCost(generation.costMicros ?? 0, usageId)
      return generationResult(generation, { media, origin, inline: args.inline === true })
    },
  })
}
