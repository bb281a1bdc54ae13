import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Id } from '../../schemas/ids.ts'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { MEMORY_LENGTH, Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__update_memory`: corrects a memory, or changes who sees it. */
export function updateMemory(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__update_memory',
    title: 'Update a memory',
    description:
      'Correct a memory or change who sees it. Use it when something remembered is outdated or wrong, instead of ' +
      'remembering it a second time. The new text replaces the old one whole. A shared memory is changed by its author ' +
      'or by an owner or admin of the organization. Answers with the memory as it now is.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        id: Id('mem'),
        memory: Type.Optional(
          Type.String({ minLength: 1, maxLength: MEMORY_LENGTH, description: 'The whole new text.' }),
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
