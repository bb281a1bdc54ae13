import type { Test } from 'tap'
import { brokenRules } from '../fixtures/provider-rules.ts'
import type { RemoteMember } from '../fixtures/remote-journey.ts'
import { comparable, type Oracle } from './oracle.ts'
import type { SPECIMEN_CALLS } from './specimen-tools.ts'

interface UpstreamTool {
  name: string
  title?: string
  description?: string
  inputSchema: object
  outputSchema?: object
}

/**
 * Checks that a member gets the same from a registered server as the official client gets directly: every tool with its schemas
 * and descriptions, and the results of calls.
 */
export async function passesThrough(
  t: Test,
  { owner, slug, oracle, calls, rejected = [] }: PassedThrough,
): Promise<void> {
  const direct = (await oracle.listTools()) as UpstreamTool[]
  const { remote } = await owner.read(slug)
  t.same(
    remote.set_aside?.map(tool => tool.original_name),
    rejected,
    'nothing else is rejected',
  )
  const published = direct.filter(({ name }) => !rejected.includes(name))
  const wireName = new Map(remote.tools.map(tool => [tool.original_name, tool.name]))
  t.same([...wireName.keys()].sort(), published.map(({ name }) => name).sort(), 'every tool is published')
  const listed = new Map((await owner.tools(slug)).map(tool => [tool.name, tool]))
  for (const { name, description, inputSchema, outputSchema } of published) {
    const tool = listed.get(wireName.get(name) ?? '')
    const record = remote.tools.find(({ original_name }) => original_name === name)
    t.same([record?.input_schema, record?.output_schema], [inputSchema, outputSchema], `${name} has its schemas`)
    t.same(brokenRules(tool?.inputSchema), [], `${name} is listed in a form that all model providers take`)
    t.same(tool?.outputSchema === undefined, outputSchema === undefined)
    const words = `${tool?.description}`
    t.ok(words.startsWith(description ?? name) && words.includes('registered upstream'), `${name} has its description`)
  }
  for (const { name, arguments: args } of calls) {
    const through = await owner.call(wireName.get(name) ?? name, args)
    t.same(
      comparable(through),
      withUris(slug, comparable(await oracle.callTool({ name, arguments: args }))),
      `${name} answers the same`,
    )
  }
}

/** A result with the URIs under which the gateway serves its resources. */
function withUris(slug: string, result: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(result.content)) return result
  const uriOf = (uri: string) => `cgw+org://${slug}/${encodeURIComponent(uri)}`
  const content = result.content.map(block => {
    if (block.type === 'resource_link') return { ...block, uri: uriOf(block.uri) }
    if (block.type !== 'resource') return block
    return { ...block, resource: { ...block.resource, uri: uriOf(block.resource.uri) } }
  })
  return { ...result, content }
}

interface PassedThrough {
  owner: RemoteMember
  slug: string
  oracle: Oracle
  calls: typeof SPECIMEN_CALLS
  /** The server's tools that are rejected. */
  rejected?: string[]
}
