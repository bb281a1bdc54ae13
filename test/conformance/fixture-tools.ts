import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'

/** A tool as the shared fixtures have it. */
export interface FixtureTool extends Tool {
  run(args: unknown): CallToolResult
}

/** The tools that the runner's scenarios call, without those that stand in the catalogue: the runner finds the product's own. */
export async function fixtureTools(module: URL): Promise<FixtureTool[]> {
  const { TOOLS } = (await import(module.href)) as { TOOLS: FixtureTool[] }
  return TOOLS.filter(({ name }) => !name.includes('__'))
}
