import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { listedOutputSchema } from '../../lib/portable-schema/listed-output.ts'
import { type PortableSchema, portableSchema } from '../../lib/portable-schema/portable-schema.ts'
import { remoteCapability, wireName } from '../../schemas/remotes/names.ts'
import type { ServedTool } from './overrides.ts'
import { publishedMeta } from './published-meta.ts'
import type { Registration } from './registration.ts'
import type { PinnedTool } from './snapshot.ts'

/** The wire name of a pinned tool. */
export function remoteToolName({ slug }: Pick<Registration, 'slug'>, tool: Pick<PinnedTool, 'name'>): string {
  return wireName(remoteCapability(slug), tool.name)
}

/** A tool as it is listed. */
interface ListedTool {
  readonly entry: Tool
  /** The original names of renamed arguments. */
  readonly originals: PortableSchema['originals']
}

/**
 * The entry of a pinned tool in `tools/list`, with the portable form of its schema and the upstream's own description, marked as
 * such. It depends only on the snapshot and the registration's name, so that clients' prompt caches stay valid.
 */
export function listedTool(
  registration: Pick<Registration, 'slug' | 'name'>,
  tool: PinnedTool | ServedTool,
): ListedTool {
  const { title, outputSchema, annotations, meta } = tool
  const { schema, originals } = portableSchema(tool.inputSchema)
  const entry: Tool = {
    name: remoteToolName(registration, tool),
    ...(title !== undefined && { title }),
    description: describe(registration, tool),
    inputSchema: schema as Tool['inputSchema'],
    ...(outputSchema !== undefined && { outputSchema: listedOutputSchema(outputSchema) }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: publishedMeta(registration.slug, meta) }),
  }
  return { entry, originals }
}

/** The entry of a pinned tool in `tools/list`. */
export function toToolEntry(registration: Pick<Registration, 'slug' | 'name'>, tool: PinnedTool | ServedTool): Tool {
  return listedTool(registration, tool).entry
}

/** The added text is ASCII: one character beyond Latin 1 doubles the memory of the whole list. */
function describe({ name }: Pick<Registration, 'name'>, tool: PinnedTool | ServedTool): string {
  const { title, description, originalName } = tool
  const own = description?.trim()
  if (own === undefined || own === '')
    return `${title ?? originalName}: a tool of the registered upstream "${name}", without a description.`
  if ('describedByAdmin' in tool)
    return `${own}\n\n(Described by an admin; a tool of the registered upstream "${name}".)`
  return `${own}\n\n(Unverified description by the registered upstream "${name}".)`
}
