import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'

/** A call of a specimen tool, as the server received it. */
interface SpecimenCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The headers of the HTTP request, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** A call of `slow`, which waits until the test releases it. */
interface SlowCall {
  /** Aborts when the caller aborts, if the server notices. */
  readonly signal: AbortSignal
  release(): void
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAABErAAABAAgAZGF0YQAAAAA='

const object = (properties: Record<string, object> = {}, required: string[] = []) => ({
  type: 'object' as const,
  properties,
  ...(required.length > 0 && { required }),
})

const TOOLS: readonly Tool[] = [
  { name: 'echo', description: 'Answers with its arguments.', inputSchema: object() },
  { name: 'headers', description: 'Answers with the headers and _meta of the request.', inputSchema: object() },
  {
    name: 'text',
    title: 'Text',
    description: 'One text.',
    inputSchema: object({ text: { type: 'string' } }, ['text']),
  },
  {
    name: 'every_content',
    description: 'A block of each type.',
    inputSchema: object(),
    annotations: { title: 'Every content', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'structured',
    description: 'Structured content.',
    inputSchema: object({ city: { type: 'string' } }, ['city']),
    outputSchema: object({ city: { type: 'string' }, degrees: { type: 'number' } }, ['city', 'degrees']),
  },
  { name: 'with_meta', description: 'A result with _meta.', inputSchema: object(), _meta: { 'example.test/kind': 1 } },
  { name: 'fails', description: 'Fails as a tool.', inputSchema: object() },
  { name: 'empty', description: 'No content at all.', inputSchema: object() },
  { name: 'slow', description: 'Waits.', inputSchema: object() },
  { name: 'undescribed', inputSchema: object() },
  {
    name: 'draft_07',
    description: 'A schema of draft-07.',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { size: { type: 'integer', exclusiveMinimum: 0 } },
      type: 'object',
      properties: { size: { $ref: '#/definitions/size' }, pair: { items: [{ type: 'string' }, { type: 'number' }] } },
      dependencies: { pair: ['size'] },
    },
  },
  {
    name: 'region',
    description: 'Takes an argument that is repeated in a header.',
    inputSchema: object(
      {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        zone: object({ number: { type: 'integer', 'x-mcp-header': 'Zone' } }),
        open: { type: 'boolean', 'x-mcp-header': 'Open' },
      },
      ['region'],
    ),
  },
  {
    name: 'Отчёт.за год/2026',
    description: 'A name that is not allowed in tool names.',
    inputSchema: object(),
  },
]

/** Tools that return every kind of result and report their calls. A test may change the list. */
export function specimenTools() {
  const waiting: SlowCall[] = []
  let moved = Promise.withResolvers<void>()

  return {
    list: structuredClone(TOOLS) as Tool[],
    /** The calls of all tools, in order. */
    calls: [] as SpecimenCall[],
    /** Waits for the next call of `slow`. */
    async slow(): Promise<SlowCall> {
      for (;;) {
        const call = waiting.shift()
        if (call !== undefined) return call
        await moved.promise
      }
    },
    /** Throws for an unknown tool. */
    async call(call: SpecimenCall): Promise<CallToolResult> {
      this.calls.push(call)
      const { name, args, headers, meta } = call
      switch (name) {
        case 'echo':
          return { content: [{ type: 'text', text: JSON.stringify(args) }], structuredContent: { ...args } }
        case 'headers':
          return { content: [], structuredContent: { headers, meta } }
        case 'every_content':
          return { content: everyContent() }
        case 'structured': {
          const weather = { city: args.city, degrees: -4.5 }
          return { content: [{ type: 'text', text: JSON.stringify(weather) }], structuredContent: weather }
        }
        case 'with_meta':
          return {
            content: [{ type: 'text', text: 'seen', _meta: { 'example.test/block': [1] } }],
            _meta: { 'example.test/result': { deep: true } },
          }
        case 'fails':
          return { content: [{ type: 'text', text: 'The printer is on fire.' }], isError: true }
        case 'empty':
          return { content: [] }
        case 'slow': {
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.push({ signal: call.signal, release: resolve })
          moved.resolve()
          moved = Promise.withResolvers()
          await promise
          return { content: [{ type: 'text', text: 'at last' }] }
        }
        default:
          if (!this.list.some(tool => tool.name === name)) throw new Error(`Unknown tool: ${name}`)
          return { content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] }
      }
    },
  }
}

export type SpecimenTools = ReturnType<typeof specimenTools>

/** Calls whose results do not depend on the caller. */
export const SPECIMEN_CALLS: readonly { name: string; arguments: Record<string, unknown> }[] = [
  { name: 'echo', arguments: { text: 'ünïcode 🙂 \u2028', deep: { list: [1, null, false, -0.5, 'x'] } } },
  { name: 'text', arguments: { text: 'hello' } },
  { name: 'every_content', arguments: {} },
  { name: 'structured', arguments: { city: 'Oslo' } },
  { name: 'with_meta', arguments: {} },
  { name: 'fails', arguments: {} },
  { name: 'empty', arguments: {} },
  { name: 'undescribed', arguments: {} },
  { name: 'draft_07', arguments: { size: 3, pair: ['a', 1] } },
  { name: 'region', arguments: { region: 'Zürich, north', zone: { number: 12 }, open: true } },
  { name: 'Отчёт.за год/2026', arguments: {} },
]

function everyContent(): CallToolResult['content'] {
  const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-07-28T00:00:00Z' }
  return [
    { type: 'text', text: 'A text.', annotations },
    { type: 'image', data: PIXEL, mimeType: 'image/png', annotations },
    { type: 'audio', data: SILENCE, mimeType: 'audio/wav' },
    {
      type: 'resource_link',
      uri: 'file:///report.csv',
      name: 'report.csv',
      title: 'Report',
      description: 'All of it.',
      mimeType: 'text/csv',
      size: 12,
      annotations,
    },
    { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'embedded' } },
    { type: 'resource', resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: PIXEL, _meta: { page: 1 } } },
  ]
}
