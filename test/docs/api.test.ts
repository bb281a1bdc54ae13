import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Envelope, ERRORS, errorRow } from '../../lib/errors/errors.ts'
import { RPC_ERRORS } from '../../services/mcp/json-rpc.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../services/mcp/protocol.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
const openapi = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))

/** What the page calls an envelope. */
const ENVELOPES: Record<Envelope, string> = {
  nested: 'nested',
  'rate-limit': 'rate limit',
  'flat-code-first': 'flat',
  'flat-message-first': 'message first',
  oauth: 'OAuth',
  'by-group': 'by route',
  tool: 'tool',
}

/** The rows below a heading, up to the next one: their cells, without the head of each table. */
function rows(heading: string): string[][] {
  const section = page.split(/^#+ /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  const lines = section.split('\n')
  const isRow = (line: string | undefined) => line?.startsWith('|') === true
  return lines
    .filter((line, at) => isRow(line) && !line.startsWith('|-') && !lines[at + 1]?.startsWith('|-'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim().replaceAll('`', '')),
    )
}

/** Each once, in one order. */
function set(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}

const codes = Object.keys(ERRORS).map(key => {
  const code = key as keyof typeof ERRORS
  const { status, type, envelope, wire = code } = errorRow(code)
  return { status, type, envelope: ENVELOPES[envelope], code: wire }
})

t.test('docs/api.md lists every HTTP error code with its status and envelope, and no other', async t => {
  const documented = rows('HTTP error codes').map(([status, code, envelope]) => `${status} ${code} ${envelope}`)
  const known = codes.filter(({ envelope }) => envelope !== 'tool')
  t.same(set(documented), set(known.map(({ status, code, envelope }) => `${status} ${code} ${envelope}`)))
})

t.test('docs/api.md lists every code that only tools answer, and each code of tools with its type', async t => {
  const documented = rows('Tool errors').filter(cells => cells.length === 4)
  const known = new Map(Object.keys(ERRORS).map(code => [code, errorRow(code as keyof typeof ERRORS)]))
  const onlyTools = [...known].filter(([, { envelope }]) => envelope === 'tool').map(([code]) => code)
  t.same(
    onlyTools.filter(code => !documented.some(([name]) => name === code)),
    [],
  )
  for (const [code = '', type] of documented) t.equal(known.get(code)?.type, type, code)
})

t.test('docs/api.md says the cause of every error', async t => {
  const all = ['HTTP error codes', 'JSON-RPC error codes', 'Tool errors'].flatMap(rows)
  t.same(
    all.filter(cells => cells.includes('')),
    [],
  )
})

t.test('docs/api.md lists every JSON-RPC error code, and no other', async t => {
  const documented = rows('JSON-RPC error codes').map(([code, status]) => `${code} ${status}`)
  const transport = Object.keys(ERRORS).flatMap(key => {
    const { rpc, status } = errorRow(key as keyof typeof ERRORS)
    return rpc === undefined ? [] : [`${rpc} ${status}`]
  })
  for (const one of set(transport)) t.ok(documented.includes(one), one)
  const known = [...transport, ...Object.values(RPC_ERRORS).map(({ code }) => `${code}`)].map(
    one => one.split(' ')[0] ?? '',
  )
  t.same(set(documented.map(one => one.split(' ')[0] ?? '')), set(known))
})

t.test('docs/api.md lists every route of docs/openapi.json, and no other', async t => {
  const documented = rows('Basics')
    .filter(([method]) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method ?? ''))
    .map(([method, path]) => `${method} ${path}`)
  const served = Object.entries<object>(openapi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  t.same(set(documented), set(served))
  for (const route of documented)
    t.ok(page.includes(`| \`${route}`) || page.includes(`\n## ${route}\n`), `${route} is explained`)
})

t.test('docs/api.md lists the MCP versions that are served', async t => {
  const versions = rows('POST /mcp').flatMap(([, versions = '']) => versions.split(', '))
  t.same(versions, SUPPORTED_PROTOCOL_VERSIONS)
})
