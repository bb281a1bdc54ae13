import t from 'tap'
import { toolNotFound } from '../../../services/tool-calls/refusals.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'

/** The text blocks of the answer to a name, for a caller with these tools. */
function blocks(name: string, names: readonly string[]): string[] {
  const { content, isError } = toolNotFound(name, new Map(names.map(name => [name, {}])))
  if (isError !== true) throw new TypeError('Not an error')
  return content.map(block => (block.type === 'text' ? block.text : ''))
}

const EXPLAIN = 'manage__explain_tool'
const NAMES = [
  'github__list_issues',
  'github__search_issues',
  EXPLAIN,
  'memory__remember',
  'memory__search_memory',
  'org__every__echo',
  'org__every__get-sum',
  'org__other__deep__echo',
]
const ALWAYS = `tools/list returns all tools that you can call. ${EXPLAIN} says why a tool cannot be called.`

t.test('the answer to an unknown name suggests similar names of the caller’s list', async t => {
  const cases = [
    ['echo', 'org__every__echo, org__other__deep__echo'],
    ['every__echo', 'org__every__echo, org__other__deep__echo'],
    ['get_sum', 'org__every__get-sum'],
    ['remember', 'memory__remember'],
    ['mcp__remember', 'memory__remember'],
    ['github__list_isues', 'github__list_issues'],
    ['list_isues', 'github__list_issues'],
    ['Memory__Remember', 'memory__remember'],
  ] as const
  for (const [name, similar] of cases)
    t.same(blocks(name, NAMES), [`Tool ${name} not found`, `Similar names in your list: ${similar}. ${ALWAYS}`], name)
  t.same(blocks('github__zzzz_qqqq', NAMES), ['Tool github__zzzz_qqqq not found', ALWAYS])
  t.same(blocks('', NAMES), ['Tool  not found', ALWAYS])
})

t.test('a hint names only tools of the caller’s list, and at most three', async t => {
  t.same(blocks('remember', ['memory__forget']), [
    'Tool remember not found',
    'tools/list returns all tools that you can call.',
  ])
  const many = Array.from({ length: 2_500 }, (_, i) => `org__upstream-${i % 10}__list_items_${i}__read`)
  const [, hint = ''] = blocks('read', many)
  t.match(hint, /^Similar names in your list: (?:\S+, ){2}\S+\. tools\/list/)
})

t.test('a hint takes bounded time for long lists and long names', async t => {
  const many = Array.from(
    { length: 2_500 },
    (_, i) => `org__upstream-${i % 10}__${'list_items_of_a_long_name_'.repeat(2)}${i}`,
  )
  for (const name of [
    'list_itens_of_a_long_name_list_items_of_a_long_name_77',
    'x__'.repeat(300_000),
    'é'.repeat(1_000_000),
  ]) {
    blocks(name, many)
    // Without a bound, the distances to all names take seconds.
    t.ok((await cpuMs(() => blocks(name, many))) < 500)
  }
})
