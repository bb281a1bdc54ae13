import { type Agent, request } from 'node:http'

/** The messages to measure. */
export const LIST = { method: 'tools/list' }
export const CALL = { method: 'tools/call', params: { name: 'memory__list_memories', arguments: {} } }

interface TimedRequest {
  agent: Agent
  port: number
  key: string
  message: object
  gzip?: boolean
}

/** Sends a message and reads the whole answer. Resolves with the duration in milliseconds and the size in bytes. */
export function timeRequest({
  agent,
  port,
  key,
  message,
  gzip = true,
}: TimedRequest): Promise<{ ms: number; bytes: number }> {
  const headers = {
    'x-api-key': key,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(gzip && { 'accept-encoding': 'gzip' }),
  }
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, response => {
      let bytes = 0
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ ms: performance.now() - started, bytes }))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }))
  })
}
