import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'

/** A tool of the shared fixtures. */
export interface FixtureTool extends Tool {
  run(args: unknown): CallToolResult
}

/** The tools that the runner's scenarios call, except tools of the catalog, because the runner finds the product's own. */
export async function fixtureTools(module: URL): Promise<FixtureTool[]> {
  const { TOOLS } = (await import(module.href)) as { TOOLS: FixtureTool[] }
  return TOOLS.filter(({ name }) => !name.includes('__'))
}
