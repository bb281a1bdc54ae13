import { Type } from '@sinclair/typebox'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { fromDist } from './from-dist.ts'

/** How many tools the three organizations of the bench see. */
export const SIZES = [10, 100, 500] as const
export type Size = (typeof SIZES)[number]
/** Whose key a request carries: of who sees so many tools, has connected accounts, or upstreams that are registered. */
export type Holder = Size | 'connected' | 'registered'

/** The tool that is called: it does nothing much, so that what is measured is the way to it. */
export const CALLED = 'bench0__tool_000'
export const CALL_TEXT = 'nothing much'

/** The capabilities that an organization of this size does not see; the built-in families are off for all. */
export function hiddenCapabilities(size: Size): string[] {
  return ['memory', 'manage', ...SIZES.filter(other => other > size).map(capabilityOf)]
}

/** 500 tools of some 560 bytes each on the wire, in three capabilities, so that 10, 100 or all can be seen. */
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
          text: Type.String({ maxLength: 1000, description: 'What the tool answers with.' }),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Taken and not used.' })),
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
