import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'

/** A tool that a scenario of the runner calls. */
export interface FixtureTool extends Tool {
  run(args: Readonly<Record<string, unknown>>): CallToolResult
}

type Block = CallToolResult['content'][number]

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAABErAAABAAgAZGF0YQAAAAA='
const image: Block = { type: 'image', data: PIXEL, mimeType: 'image/png' }

function text(words: string): Block {
  return { type: 'text', text: words }
}

function embedded(uri: string, mimeType: string, words: string): Block {
  return { type: 'resource', resource: { uri, mimeType, text: words } }
}

/** A tool without arguments that always has the same result. */
function fixed(name: string, content: Block[], more: Partial<CallToolResult> = {}): FixtureTool {
  return {
    name,
    description: `Has the result that the scenario of ${name} expects.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    run: () => ({ content, ...more }),
  }
}

/** The tools that the runner's scenarios call, as their descriptions require. */
export const FIXTURE_TOOLS: readonly FixtureTool[] = [
  fixed('test_simple_text', [text('This is a simple text response for testing.')]),
  fixed('test_image_content', [image]),
  fixed('test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  fixed('test_embedded_resource', [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  fixed('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  fixed('test_error_handling', [text('This tool intentionally returns an error for testing')], { isError: true }),
  fixed('test_tool_with_progress', [text('It ran, without progress.')]),
  fixed('test_tool_with_logging', [text('It ran, without logging.')]),
  {
    name: 'test_x_mcp_header',
    description: 'Takes an argument that a header repeats.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
      required: ['query'],
    },
    run: ({ region }) => ({ content: [text(`The region is ${region}.`)] }),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has keywords of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: () => ({ content: [text('It is valid.')] }),
  },
]
