import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Id } from '../../schemas/ids.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import type { Media } from '../../services/media/create-media.ts'
import { MEDIA_DEADLINE_MS } from './generate.ts'
import { GenerationResult, generationResult } from './generation-result.ts'

/** `media__get`: returns a generation that was pending, or asks the provider to stop it. */
export function getGeneration(media: Media): AnyTool {
  return defineTool({
    name: 'media__get',
    title: 'Get generated media',
    description:
      'Get the files of a media__generate call that was pending, or stop it. A stopped generation may still succeed, ' +
      'and then costs what it costs. Members see their own generations. Free.',
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
