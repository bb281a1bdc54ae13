import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Type } from '@sinclair/typebox'
import { DOLLAR } from '../../schemas/money.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { structured } from '../../services/definitions/define-tool.ts'
import type { Media } from '../../services/media/create-media.ts'
import type { Generation } from '../../services/media/generation-rows.ts'

/** The state of a generation. */
export const GenerationResult = Type.Object({
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
export async function generationResult(generation: Generation, options: ResultOptions): Promise<CallToolResult> {
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
      ...{ status: 'pending', ...named, poll_after_s: isVideo ? 15 : 5, estimate: estimateMicros / DOLLAR },
    })
  }
  const artifacts = result.artifacts.map(({ id, ...rest }) => ({
    id,
    url: options.media.artifacts.urlOf({ id, orgId, expiresAt: new Date(rest.expires_at) }, options.origin),
    ...rest,
  }))
  const inline = options.inline ? await inlineBlocks(result.artifacts, options) : { blocks: [], warnings: [] }
  const answer = structured({
    ...{ status: 'done', ...named, artifacts, cost_usd: (costMicros ?? 0) / DOLLAR },
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
