import type { AnyTool } from '../../services/definitions/define-tool.ts'
import type { Media } from '../../services/media/create-media.ts'
import { generate } from './generate.ts'
import { getGeneration } from './get.ts'
import { listModels } from './models.ts'
import { understand } from './understand.ts'

/** Creates the tools that a configured provider serves; none without one. */
export function mediaTools(media: Media): AnyTool[] {
  return [
    ...(media.generates || media.understands ? [listModels(media)] : []),
    ...(media.generates ? [generate(media), getGeneration(media)] : []),
    ...(media.understands ? [understand(media)] : []),
  ]
}
