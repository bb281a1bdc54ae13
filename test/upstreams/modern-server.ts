import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  type JsonSchemaType,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Test } from 'tap'
import { fetchServer } from './fetch-server.ts'
import { OFFER_CAPABILITIES, type SpecimenOffers, serveModernOffers } from './specimen-resources-and-prompts.ts'
import { type SpecimenTools, specimenTools } from './specimen-tools.ts'

interface ModernServerOptions {
  /** How legacy clients are answered. */
  legacy?: 'stateless' | 'reject'
  answers?: 'json' | 'sse' | 'auto'
  tools?: SpecimenTools
  /** Resources and prompts; none if absent. */
  offers?: SpecimenOffers
}

/** An upstream of 2026-07-28 on the v2 SDK with the specimen tools and `ask`, which requests input. */
export async function modernServer(
  t: Test,
  { legacy = 'reject', answers = 'auto', tools = specimenTools(), offers }: ModernServerOptions = {},
) {
  const handler = createMcpHandler(() => mcpServer(t, tools, offers), { legacy, responseMode: answers, keepAliveMs: 0 })
  t.teardown(() => handler.close())
  const server = await fetchServer(t, request => handler.fetch(request))
  return { url: `${server.origin}/mcp`, requests: server.requests, tools }
}

function mcpServer(t: Test, tools: SpecimenTools, offers?: SpecimenOffers): McpServer {
  // The SDK warns about unusual names.
  const warnings = t.capture(console, 'warn')
  const server = new McpServer(
    { name: 'specimens', version: '2.0.0' },
    { capabilities: { tools: {}, ...(offers !== undefined && OFFER_CAPABILITIES) } },
  )
  if (offers !== undefined) serveModernOffers(server.server, offers)
  for (const { name, inputSchema, outputSchema, ...entry } of tools.list) {
    const config = {
      ...entry,
      inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema as JsonSchemaType),
      ...(outputSchema !== undefined && { outputSchema: fromJsonSchema(outputSchema as JsonSchemaType) }),
    }
    server.registerTool(name, config as { inputSchema: typeof config.inputSchema }, (args, context) =>
      tools.call({
        name,
        args,
        headers: Object.fromEntries(context.http?.req?.headers ?? []),
        meta: { ...context.mcpReq._meta, ...context.mcpReq.envelope },
        signal: context.mcpReq.signal,
      }),
    )
  }
  server.registerTool(
    'ask',
    {
      description: 'Asks for a color, and then answers with it.',
      inputSchema: fromJsonSchema<{ thing: string }>({
        type: 'object',
        properties: { thing: { type: 'string' } },
        required: ['thing'],
      }),
    },
    ({ thing }, context) => askForColor(thing, context),
  )
  warnings.restore()
  return server
}

const COLOR = { type: 'object' as const, properties: { color: { type: 'string' as const } }, required: ['color'] }

function askForColor(thing: string, { mcpReq }: ServerContext) {
  const answer = acceptedContent<{ color: string }>(mcpReq.inputResponses, 'color')
  if (answer === undefined) {
    return inputRequired({
      inputRequests: {
        color: inputRequired.elicit({ message: `Which color has ${thing}?`, requestedSchema: COLOR }),
      },
      requestState: `asked about ${thing}`,
    })
  }
  return { content: [{ type: 'text' as const, text: `${mcpReq.requestState()}: ${answer.color}` }] }
}
