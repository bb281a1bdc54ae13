import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Type } from '@sinclair/typebox'
import { type AnyTool, defineTool, type ToolContext } from '../services/definitions/define-tool.ts'
import type { ToolResult } from '../services/mcp/contract.ts'

/** The provider behind the tools. */
export interface MeteredProvider {
  /** Does the work of a call. A thrown error fails the call. */
  work(name: string, context: ToolContext): Promise<Work>
}

/** The outcome of the work. */
export interface Work {
  /** The cost in micro-dollars, or any other value, because a provider may report anything. */
  cost?: unknown
  /** The tool's result, if it is not the default one. */
  result?: ToolResult
}

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }
const open = { additionalProperties: false }

/** In micro-dollars: the price of `test__fixed`, of a unit of `test__by_argument`, and the hold of `test__afterwards`. */
export const PRICES = { fixed: 1_000, unit: 250, ceiling: 5_000 } as const

/**
 * A family of three metered tools: a fixed price, one by argument, and a cost that is known only afterwards, whose estimate
 * is `ceiling`.
 */
export function meteredTools(provider: MeteredProvider, ceiling: number = PRICES.ceiling): AnyTool[] {
  const done = async (name: string, context: ToolContext) => {
    const { cost, result = { content: [{ type: 'text', text: `${name} has run` }] } } = await provider.work(
      name,
      context,
    )
    return { cost, result: result as CallToolResult }
  }
  return [
    defineTool({
      name: 'test__fixed',
      title: 'A fixed price',
      description: 'Costs the same each time.',
      annotations,
      input: Type.Object({ note: Type.Optional(Type.String()) }, open),
      price: { estimate: () => PRICES.fixed },
      run: async (_args, context) => (await done('fixed', context)).result,
    }),
    defineTool({
      name: 'test__by_argument',
      title: 'A price by argument',
      description: 'Has a price per unit; free without units.',
      annotations,
      input: Type.Object({ units: Type.Integer({ minimum: 0, maximum: 100 }) }, open),
      price: { estimate: ({ units }) => units * PRICES.unit },
      run: async (_args, context) => (await done('by_argument', context)).result,
    }),
    defineTool({
      name: 'test__afterwards',
      title: 'A cost known afterwards',
      description: 'Costs what the provider reports at the end, which may be more than the hold.',
      annotations: { ...annotations, readOnlyHint: true },
      input: Type.Object({}, open),
      price: { estimate: () => ceiling },
      async run(_args, context) {
        const { cost, result } = await done('afterwards', context)
        if (cost !== undefined) context.reportCost(cost as number)
        return result
      },
    }),
  ]
}
