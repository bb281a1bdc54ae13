import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JSON_SCHEMA, load } from 'js-yaml'
import t from 'tap'
import { readDescription } from '../../scripts/draft/description.ts'
import { compileDraft, draftTool } from '../../scripts/draft/draft-tool.ts'
import { compileTool } from '../../services/connectors/engine/compile-tool.ts'
import { github } from '../../tools/connectors/github/connector.ts'
import { pageSize, pageStart } from '../../tools/connectors/shared-arguments.ts'
import { skipped, VENDOR_APIS } from '../connectors/vendor-documents.ts'

const DRAFTS_PER_DOCUMENT = 20
/** These describe the others, and GraphQL has no operations by path. */
const OTHERS = ['auth-facts.json', 'manifest.json']

/** Chooses operations at random, but the same ones in every run. */
function chosen(operations: readonly string[], seed: string): readonly string[] {
  let state = [...seed].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7)
  const keyed = operations.map(operation => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { operation, key: state }
  })
  const sorted = keyed.sort((a, b) => a.key - b.key)
  return sorted.slice(0, DRAFTS_PER_DOCUMENT).map(({ operation }) => operation)
}

t.test('drafts of operations of every description compile', { skip: skipped }, async t => {
  const files = readdirSync(VENDOR_APIS).filter(name => /\.(json|yaml)$/.test(name) && !OTHERS.includes(name))
  let drafts = 0
  let paged = 0
  let kept = 0
  for (const file of files) {
    const text = readFileSync(join(VENDOR_APIS, file), 'utf8')
    const description = readDescription(file.endsWith('.json') ? JSON.parse(text) : load(text, { schema: JSON_SCHEMA }))
    const failures = chosen(description.operations, file).flatMap(operation => {
      try {
        const tool = compileDraft(draftTool(description, operation), { pageSize, pageStart })
        compileTool({ ...github, tools: [tool] }, tool)
        drafts++
        if (tool.pagination !== undefined) paged++
        if (tool.result.kind === 'pick' && tool.result.fields.length > 0) kept++
        return []
      } catch (error) {
        return [`${operation}: ${error}`]
      }
    })
    t.same(failures, [], file)
  }
  t.ok(
    drafts > 0 && paged > drafts / 20 && kept > drafts / 2,
    `${drafts} drafts, ${paged} paged, ${kept} with kept fields`,
  )
})
