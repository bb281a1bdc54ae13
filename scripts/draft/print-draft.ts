import { dirname, relative } from 'node:path/posix'
import type { ToolDraft } from './draft-tool.ts'
import { calledIn, print } from './expression.ts'

/** The modules from which a connector imports what a draft calls. */
const MODULES: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['services/definitions/arguments.ts', ['flag', 'integer', 'list', 'members', 'named', 'oneOf', 'optional', 'text']],
  ['services/definitions/file-argument.ts', ['FileNameArgument', 'fileArgument']],
  ['services/definitions/http-tool.ts', ['done', 'file', 'text as plainText']],
  ['services/definitions/tool.ts', ['tool']],
  ['tools/connectors/shared-arguments.ts', ['pageSize', 'pageStart']],
]
const CONSTANTS = new Set(['FileNameArgument', 'pageStart'])

/**
 * Prints drafts as the source of a file of a connector: `into` is its path from the root of the project. Formatting it is
 * left to the formatter.
 */
export function printDrafts(drafts: readonly ToolDraft[], into: string): string {
  const called = new Set(['tool', ...calledIn(drafts).map(name => name.split('.')[0] ?? '')])
  const imports = MODULES.flatMap(([path, names]) => {
    const used = names.filter(name => called.has(name.split(' as ').at(-1) ?? ''))
    return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${relative(dirname(into), path)}'`]
  })
  if (called.has('Type')) imports.unshift("import { Type } from '@sinclair/typebox'")
  const tools = drafts.map(({ head, parts }) => `tool(${print(head, CONSTANTS)}, ${print(parts, CONSTANTS)}),`)
  const list = `/** TODO: the tools of this topic. */\nexport const tools = [\n${tools.join('\n\n')}\n]`
  return `${imports.join('\n')}\n\n${list}\n`
}
