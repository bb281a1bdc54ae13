import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { AnyTool } from '../../tools/define-tool.ts'

/** A tool as the shared fixtures have it. */
interface FixtureTool extends Tool {
  run(args: unknown): CallToolResult
}

/**
 * The tools that the runner's scenarios call, as one more family. What stands in the catalogue already is left out:
 * the runner finds the product's own.
 */
export async function fixtureFamily(module: URL): Promise<AnyTool[]> {
  const { TOOLS } = (await import(module.href)) as { TOOLS: FixtureTool[] }
  return TOOLS.filter(({ name }) => !name.includes('__')).map(({ run, ...entry }) => ({
    entry,
    capability: 'conformance',
    gate: undefined,
    organization: 'required',
    refuse: () => undefined,
    run: async args => run(args),
  }))
}
