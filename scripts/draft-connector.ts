import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { JSON_SCHEMA, load } from 'js-yaml'
import { pageSize, pageStart } from '../tools/connectors/shared-arguments.ts'
import { readDescription } from './draft/description.ts'
import { compileDraft, draftTool } from './draft/draft-tool.ts'
import { printDrafts } from './draft/print-draft.ts'

// Drafts tools from a provider's API description: `npm run -s connector:draft -- <file> <operation>…`. An operation is its
// operationId, or its method and path. Without operations, the description's are listed. `--into` names the file that will
// have the tools, to which the imports are relative.

const ROOT = join(import.meta.dirname, '..')

try {
  const options = { into: { type: 'string', default: 'tools/connectors/draft/tools.ts' } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const [file, ...operations] = positionals
  process.stdout.write(draftOf(file, operations, values.into))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function draftOf(file: string | undefined, operations: readonly string[], into: string): string {
  if (file === undefined)
    throw new TypeError(
      'Name a file with an API description (JSON or YAML), then operations: issues/list, "GET /issues"',
    )
  const text = readFileSync(file, 'utf8')
  const description = readDescription(file.endsWith('.json') ? JSON.parse(text) : load(text, { schema: JSON_SCHEMA }))
  if (operations.length === 0) return `${description.operations.join('\n')}\n`
  const drafts = operations.map(operation => draftTool(description, operation))
  for (const draft of drafts) compileDraft(draft, { pageSize, pageStart })
  const biome = join(ROOT, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${into}`], {
    cwd: ROOT,
    input: printDrafts(drafts, into),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}
