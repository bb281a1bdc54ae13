import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { DOLLAR, dollars } from '../../schemas/billing/money.ts'
import { Id } from '../../schemas/primitives/ids.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { agentOf, keyIdOf } from '../../services/identity/identity.ts'
import type { Media } from '../../services/media/create-media.ts'
import type { Generation } from '../../services/media/generation-rows.ts'
import { GENERATE } from '../../services/media/generation-work.ts'
import { isAtEnd } from '../../services/media/generations.ts'
import { estimateOf, priceAt } from '../../services/media/prices.ts'
import { usageIdOf } from '../../services/usage/usage-writer.ts'
import { createModelCheck, type GenerateArguments, generateSchema, ownArguments } from './generate-arguments.ts'

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
      throw new GatewayError(
        'bad_input',
        `The model ${args.model} is not available yet. Use a model from media__models.`,
      )
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
      'Generate an image, a video or speech from a prompt. Paid: media__models lists the prices. Returns links to ' +
      'the files, which expire after a day. If it takes longer than 45 seconds, the status is `pending`: call ' +
      'media__get with the id after `poll_after_s` seconds. Failed calls are free. Do not repeat a pending call.',
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
        orgId,
        userId,
        keyId: keyIdOf(identity),
        agentId: agentOf(identity)?.id ?? null,
        tool: GENERATE,
        digest,
        model: args.model,
        ...priced(args),
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

/** `media__get`: returns a generation that was pending, or asks the provider to stop it. */
export function getGeneration(media: Media): AnyTool {
  return defineTool({
    name: 'media__get',
    title: 'Get generated media',
    description:
      'Get the result of a pending media__generate call, or cancel it. A canceled generation may still succeed and ' +
      'is then charged. Members see their own generations. Free.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input: Type.Object(
      {
        id: { ...Id('gen'), description: 'The id of the pending result: gen_…' },
        wait_s: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 45, description: 'How many seconds to wait for the files. Default: 0.' }),
        ),
        inline: Type.Optional(
          Type.Boolean({ description: 'Also return images and audio in the result, up to 1 MB together.' }),
        ),
        cancel: Type.Optional(Type.Boolean({ description: 'Ask the provider to stop.' })),
      },
      { additionalProperties: false },
    ),
    output: GenerationResult,
    deadlineMs: MEDIA_DEADLINE_MS,

    async run({ id, wait_s = 0, inline = false, cancel = false }, { caller, origin, signal }) {
      const name = { orgId: caller.orgId, id }
      const found = await media.generations.wait(name, 0, signal)
      // Another member's prompt made it: identical to an unknown one.
      if (found === undefined || found.userId !== caller.userId)
        throw new GatewayError('not_found', `There is no generation ${id}. It may be older than 7 days.`)
      if (cancel) await media.generations.cancel(name)
      const generation = wait_s === 0 ? found : ((await media.generations.wait(name, wait_s * 1_000, signal)) ?? found)
      return generationResult(generation, { media, origin, inline })
    },
  })
}

/** The state of a generation. */
const GenerationResult = Type.Object({
  status: StringEnum(['done', 'pending', 'failed']),
  id: Type.String(),
  model: Type.String(),
  artifacts: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String(),
        media_type: Type.String(),
        bytes: Type.Integer(),
        expires_at: Type.String(),
      }),
    ),
  ),
  cost_usd: Type.Optional(Type.Number()),
  warnings: Type.Optional(Type.Array(Type.String())),
  poll_after_s: Type.Optional(Type.Integer()),
  /** In dollars. */
  estimate: Type.Optional(Type.Number()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})

/** The maximum size of the files in a result. */
const MAX_INLINE_BYTES = 1024 * 1024

interface ResultOptions {
  media: Pick<Media, 'artifacts' | 'generating'>
  origin: string
  /** Whether images and audio are part of the result. */
  inline: boolean
}

/** Converts a generation to the result of a tool. */
async function generationResult(generation: Generation, options: ResultOptions): Promise<CallToolResult> {
  const { id, orgId, model, state, result, costMicros, estimateMicros } = generation
  const named = { id, model }
  if (state === 'failed' && result !== null && 'code' in result)
    return structured({
      status: 'failed',
      ...named,
      cost_usd: 0,
      error: { code: result.code, message: result.message },
    })
  if (state !== 'done' || result === null || 'code' in result) {
    const isVideo = options.media.generating.find(({ id }) => id === model)?.kind === 'video'
    return structured({
      status: 'pending',
      ...named,
      poll_after_s: isVideo ? 15 : 5,
      estimate: estimateMicros / DOLLAR,
    })
  }
  const artifacts = result.artifacts.map(({ id, ...rest }) => ({
    id,
    url: options.media.artifacts.urlOf({ id, orgId, expiresAt: new Date(rest.expires_at) }, options.origin),
    ...rest,
  }))
  const inline = options.inline ? await inlineBlocks(result.artifacts, options) : { blocks: [], warnings: [] }
  const answer = structured({
    status: 'done',
    ...named,
    artifacts,
    cost_usd: (costMicros ?? 0) / DOLLAR,
    warnings: [...result.warnings, ...inline.warnings],
  })
  return { ...answer, content: [...answer.content, ...inline.blocks] }
}

type Stored = { id: string; media_type: string; bytes: number }

async function inlineBlocks(files: readonly Stored[], { media }: ResultOptions) {
  const warnings: string[] = []
  const blocks: CallToolResult['content'] = []
  let left = MAX_INLINE_BYTES
  for (const { id, media_type: mimeType, bytes } of files) {
    const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined
    const body = type === undefined || bytes > left ? undefined : await media.artifacts.read({ id })
    if (type === undefined || body === undefined) {
      warnings.push(
        `${id} is not inline: ${type === undefined ? 'only images and audio can be' : 'it is too large'}. Use its url.`,
      )
      continue
    }
    left -= bytes
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    blocks.push({ type, mimeType, data: Buffer.concat(chunks).toString('base64') })
  }
  return { blocks, warnings }
}
