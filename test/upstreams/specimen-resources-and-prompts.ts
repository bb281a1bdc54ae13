import type { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import {
  GetPromptRequestSchema,
  type GetPromptResult,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  type Prompt,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import { type Server as ModernServer, ProtocolError } from '@modelcontextprotocol/server'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const RESOURCES: readonly Resource[] = [
  { uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain', size: 46 },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    title: 'Static binary',
    mimeType: 'image/png',
    annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T00:00:00Z' },
  },
  {
    uri: 'ui://specimens/panel?a=1#top',
    name: 'A panel',
    mimeType: 'text/html;profile=mcp-app',
    _meta: { ui: { prefersBorder: true } },
  },
]

const TEMPLATES: readonly ResourceTemplate[] = [
  { uriTemplate: 'test://template/{id}/data', name: 'Data', description: 'By ID.', mimeType: 'application/json' },
]

const argument = (name: string, required: boolean) => ({ name, description: `The ${name}.`, required })

const PROMPTS: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments.' },
  {
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'Repeats its arguments.',
    arguments: [argument('arg1', true), argument('arg2', true)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Embeds a resource.',
    arguments: [argument('resourceUri', true)],
  },
  { name: 'test_prompt_with_image', description: 'Shows an image.' },
]

/** Resources and prompts of an upstream. A test may change the lists; `asked` has the requests. */
export function specimenOffers() {
  return {
    resources: structuredClone(RESOURCES) as Resource[],
    templates: structuredClone(TEMPLATES) as ResourceTemplate[],
    prompts: structuredClone(PROMPTS) as Prompt[],
    asked: [] as { of: string; meta: unknown }[],

    /** Undefined for an unknown resource. */
    read(uri: string): ReadResourceResult | undefined {
      if (uri === 'test://static-text')
        return { contents: [{ uri, mimeType: 'text/plain', text: 'The text of a static resource.' }] }
      if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] }
      if (uri === 'test://unlisted')
        return { contents: [{ uri: 'test://unlisted/part', text: 'A part.' }], _meta: { 'example.test/kind': 1 } }
      if (uri === 'ui://specimens/panel?a=1#top')
        return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>A panel.</p>' }] }
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
      return id === undefined
        ? undefined
        : { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] }
    },

    /** Undefined for an unknown prompt. */
    get(name: string, args: Readonly<Record<string, string>> = {}): GetPromptResult | undefined {
      const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })
      switch (name) {
        case 'test_simple_prompt':
          return { description: 'Simple.', messages: [user({ type: 'text', text: 'This is a simple prompt.' })] }
        case 'test_prompt_with_arguments':
          return { messages: [user({ type: 'text', text: `arg1='${args.arg1}', arg2='${args.arg2}'` })] }
        case 'test_prompt_with_embedded_resource': {
          const resource = { uri: args.resourceUri ?? '', mimeType: 'text/plain', text: 'Embedded.' }
          return { messages: [user({ type: 'resource', resource }), user({ type: 'text', text: 'Read it.' })] }
        }
        case 'test_prompt_with_image':
          return { messages: [user({ type: 'image', data: PIXEL, mimeType: 'image/png' })] }
        default:
          return undefined
      }
    },
  }
}

export type SpecimenOffers = ReturnType<typeof specimenOffers>

/** The capabilities of a server with the specimens. */
export const OFFER_CAPABILITIES = { resources: {}, prompts: {} }

/** Serves them on a server of the v1 SDK. */
export function serveLegacyOffers(server: LegacyServer, offers: SpecimenOffers): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: offers.resources }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: offers.templates }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: offers.prompts }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    offers.asked.push({ of: params.uri, meta: params._meta })
    const found = offers.read(params.uri)
    if (found === undefined) throw new McpError(-32_002, 'There is nothing here', { uri: params.uri })
    return found
  })
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    offers.asked.push({ of: params.name, meta: params._meta })
    const found = offers.get(params.name, params.arguments)
    if (found === undefined) throw new McpError(-32_602, 'There is no such prompt')
    return found
  })
}

/** Serves them on a server of the v2 SDK. */
export function serveModernOffers(server: ModernServer, offers: SpecimenOffers): void {
  server.setRequestHandler('resources/list', () => ({ resources: offers.resources }) as never)
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: offers.templates }) as never)
  server.setRequestHandler('prompts/list', () => ({ prompts: offers.prompts }) as never)
  server.setRequestHandler('resources/read', ({ params }) => {
    offers.asked.push({ of: params.uri, meta: params._meta })
    const found = offers.read(params.uri)
    if (found === undefined) throw new ProtocolError(-32_602, 'There is nothing here', { uri: params.uri })
    return { ...found, ttlMs: 600_000, cacheScope: 'public' } as never
  })
  server.setRequestHandler('prompts/get', ({ params }) => {
    offers.asked.push({ of: params.name, meta: params._meta })
    const found = offers.get(params.name, params.arguments)
    if (found === undefined) throw new ProtocolError(-32_602, 'There is no such prompt')
    return found as never
  })
}
