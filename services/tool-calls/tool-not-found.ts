import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { similarNames } from '../../lib/similar-names.ts'

/** How many names of the caller's list the answer suggests. */
const MAX_NAMES = 3
const EXPLAIN = 'manage__explain_tool'

/**
 * The result for an unknown or disabled tool. It depends only on the name and on the caller's own list, so that it does
 * not reveal which other tools exist.
 */
export function toolNotFound(name: string, tools: ReadonlyMap<string, unknown>): CallToolResult {
  const similar = namesLike(name, [...tools.keys()])
  const hints = [
    ...(similar.length === 0 ? [] : [`Similar names in your list: ${similar.join(', ')}.`]),
    'tools/list has all tools that you can call.',
    ...(tools.has(EXPLAIN) ? [`${EXPLAIN} says why a tool cannot be called.`] : []),
  ]
  return {
    content: [
      { type: 'text', text: `Tool ${name} not found` },
      { type: 'text', text: hints.join(' ') },
    ],
    isError: true,
  }
}

/** Longer names are no mistakes of a name, and would make the search slow. */
const MAX_LENGTH = 128

/** The names of a list that a wrong name may mean: first those that differ only in their capability. */
function namesLike(wrong: string, names: readonly string[]): string[] {
  const operation = wrong.length > MAX_LENGTH ? '' : operationOf(wrong)
  if (operation === '') return []
  const ending = `__${operation}`.toLowerCase()
  const found = new Set(names.filter(name => name.toLowerCase().endsWith(ending)))
  const searches = operation === wrong ? [byOperation, byName] : [byName, byOperation]
  for (const search of searches) if (found.size < MAX_NAMES) for (const name of search()) found.add(name)
  return [...found].slice(0, MAX_NAMES)

  function byName(): string[] {
    return similarNames(wrong, names, MAX_NAMES)
  }

  function byOperation(): string[] {
    const withOperation = Map.groupBy(names, operationOf)
    return similarNames(operation, withOperation.keys(), MAX_NAMES).flatMap(found => withOperation.get(found) ?? [])
  }
}

/** The part of a name after its capability (`memory`, `org__<slug>`); the whole name if it has none. */
function operationOf(name: string): string {
  const parts = name.split('__')
  return parts.slice(Math.min(parts[0] === 'org' ? 2 : 1, parts.length - 1)).join('__')
}
