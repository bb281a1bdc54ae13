import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A model that a coding agent can use instead of its vendor's, on loopback. */
export interface ScriptedModel {
  readonly url: string
}

interface Request {
  model?: string
  tools?: { name?: string; functionDeclarations?: { name: string }[] }[]
  messages?: { content: unknown }[]
  contents?: { parts: unknown[] }[]
}

/**
 * A model in the APIs of Anthropic and Gemini, closed with the test. If it has a tool, it calls it once. Then it answers with
 * the result as it got it, or that it has no such tool. It is a substitute for a vendor's service, not for the client.
 */
export async function scriptedModel(t: Test, tool: string, args: object): Promise<ScriptedModel> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isAnthropic = pathname === '/v1/messages'
    if (!isAnthropic && !pathname.endsWith(':streamGenerateContent')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not scripted."}}')
      return
    }
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Request
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end((isAnthropic ? anthropic : gemini)(asked))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  function anthropic({ model, tools = [], messages = [] }: Request): string {
    const turn = next(
      tools.map(({ name = '' }) => name),
      find(messages.at(-1)?.content, 'tool_result'),
    )
    const block =
      turn.call === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: 'toolu_1', name: turn.call, input: {} }
    const delta =
      turn.call === undefined
        ? { type: 'text_delta', text: turn.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(args) }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: turn.call === undefined ? 'end_turn' : 'tool_use' }, usage },
      { type: 'message_stop' },
    ]
    return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  }

  function gemini({ tools = [], contents = [] }: Request): string {
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name))
    const turn = next(names, find(contents.at(-1)?.parts, 'functionResponse'))
    const part = turn.call === undefined ? { text: turn.text } : { functionCall: { name: turn.call, args } }
    const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }]
    return `data: ${JSON.stringify({ candidates, usageMetadata: { totalTokenCount: 2 } })}\n\n`
  }

  function next(names: readonly string[], result: unknown): { call?: string; text: string } {
    if (result !== undefined) return { text: JSON.stringify(result) }
    const call = names.find(name => name.endsWith(tool))
    return call === undefined ? { text: `There is no tool ${tool}.` } : { call, text: '' }
  }

  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The part of a message that is a tool's result. */
function find(parts: unknown, kind: string): unknown {
  if (!Array.isArray(parts)) return undefined
  return parts.find(part => part.type === kind || kind in part)
}
