import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Id } from '../../schemas/ids.ts'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { MEMORY_LENGTH, Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__update_memory`: changes a memory, or who sees it. */
export function updateMemory(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__update_memory',
    title: 'Update a memory',
    description:
      'Correct a memory or change who sees it. Use it when a memory is outdated or wrong, instead of saving a second ' +
      'one. The new text replaces the whole old text. Only its author, or an owner or admin of the organization, can ' +
      'change a shared memory. Returns the changed memory.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        id: Id('mem'),
        memory: Type.Optional(
          Type.String({ minLength: 1, maxLength: MEMORY_LENGTH, description: 'The complete new text.' }),
        ),
        scope: Type.Optional(MemoryScope),
      },
      { additionalProperties: false },
    ),
    output: Memory,

    async run({ id, memory: text, scope }, { caller }) {
      if (text === undefined && scope === undefined)
        throw new GatewayError('invalid_request', 'Nothing to change: send memory, scope, or both.')
      const memory = await store.update(caller, id, { memory: text, scope })
      return { content: [{ type: 'text', text: memoryText(memory) }], structuredContent: { ...memory } }
    },
  })
}
