import { Type } from '@sinclair/typebox'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { fromDist } from './from-dist.ts'

/** The numbers of tools that the three organizations of the benchmark see. */
export const SIZES = [10, 100, 500] as const
export type Size = (typeof SIZES)[number]
/** The owner of a request's key: a member who sees this many tools, has connected accounts, or has registered upstreams. */
export type Holder = Size | 'connected' | 'registered'

/** The called tool. It does almost nothing, so that the benchmark measures the path to it. */
export const CALLED = 'bench0__tool_000'
export const CALL_TEXT = 'nothing much'

/** The disabled capabilities of an organization of this size. The built-in families are disabled for all. */
export function hiddenCapabilities(size: Size): string[] {
  return ['files', 'manage', 'memory', 'social', 'web', ...SIZES.filter(other => other > size).map(capabilityOf)]
}

/** Makes 500 tools of about 560 bytes on the wire, in three capabilities, so that an organization can see 10, 100 or all. */
export async function benchTools(): Promise<AnyTool[]> {
  const { defineTool } = await fromDist<typeof import('../../services/definitions/define-tool.ts')>(
    'services/definitions/define-tool.js',
  )
  return Array.from({ length: 500 }, (_, i) => {
    const size = SIZES.find(size => i < size) ?? 500
    return defineTool({
      name: `${capabilityOf(size)}__tool_${String(i).padStart(3, '0')}`,
      title: `Bench tool ${i}`,
      description: 'Answers with the text it was given. '.repeat(3).trim(),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      input: Type.Object(
        {
          text: Type.String({ maxLength: 1000, description: 'The text that the tool returns.' }),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Accepted but not used.' })),
        },
        { additionalProperties: false },
      ),
      run: async ({ text }) => ({ content: [{ type: 'text', text }] }),
    })
  })
}

function capabilityOf(size: Size): string {
  return `bench${SIZES.indexOf(size)}`
}
