import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { defineTool } from '../../services/definitions/define-tool.ts'
import { serveFamily } from './serve-family.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const milliseconds = Type.Object({ ms: Type.Integer() }, { additionalProperties: false })
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })

const families = [
  defineTool({
    name: 'slow__wait',
    title: 'Wait',
    description: 'Answers after a delay.',
    annotations,
    input: milliseconds,
    async run({ ms }) {
      await delay(ms)
      return text(`took ${ms} ms`)
    },
  }),
  defineTool({
    name: 'slow__block',
    title: 'Block',
    description: 'Keeps the process busy, then answers.',
    annotations,
    input: milliseconds,
    async run({ ms }) {
      for (const until = performance.now() + ms; performance.now() < until; );
      return text(`took ${ms} ms`)
    },
  }),
  defineTool({
    name: 'slow__fill',
    title: 'Fill',
    description: 'Returns a text of this many bytes.',
    annotations,
    input: Type.Object({ bytes: Type.Integer() }, { additionalProperties: false }),
    run: async ({ bytes }) => text('x'.repeat(bytes)),
  }),
]

// Shows the client of a request as the gateway sees it behind a proxy.
await serveFamily(families, process.env, app =>
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-seen-client', `${request.protocol} ${request.ip}`)
  }),
)
