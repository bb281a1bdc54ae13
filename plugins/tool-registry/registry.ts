import { hash } from 'node:crypto'
import type { AnyTool } from '../../tools/define-tool.ts'

/** A tool with what surfaces need of it at every build: made once. */
export interface RegisteredTool {
  readonly tool: AnyTool
  /** The wire entry as JSON. */
  readonly json: string
  /** Digest of the wire entry, by which equal surfaces recognise each other. */
  readonly digest: string
}

/** Every tool this process serves, sorted by name, so that a client's prompt cache holds. */
export interface Registry {
  readonly tools: readonly RegisteredTool[]
  /** Whether a name is that of a family or of a tool. */
  isCapability(name: string): boolean
}

/** Throws a TypeError when two tools share a name. */
export function createRegistry(tools: readonly AnyTool[]): Registry {
  const sorted = tools.toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  for (const [i, tool] of sorted.entries())
    if (sorted[i + 1]?.entry.name === tool.entry.name) throw new TypeError(`Two tools are named ${tool.entry.name}`)
  const names = new Set(sorted.flatMap(tool => [tool.capability, tool.entry.name]))
  return {
    tools: sorted.map(tool => {
      const json = JSON.stringify(tool.entry)
      return { tool, json, digest: hash('sha256', json, 'base64url') }
    }),
    isCapability: name => names.has(name),
  }
}
