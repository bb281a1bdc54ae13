import { Type } from '@sinclair/typebox'
import { Id } from '../../schemas/ids.ts'
import { MemoryScope } from '../../schemas/limits.ts'
import { Timestamp } from '../../schemas/time.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { MEMORY_LENGTH } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__remember`: stores a text for later conversations. */
export function remember(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__remember',
    title: 'Remember',
    description:
      'Save a fact, preference, decision or instruction for later conversations. Use it when the user asks to remember ' +
      'something or says something of lasting value. Write one self-contained statement per call, with names and dates ' +
      'instead of "they" or "tomorrow". Never save passwords or other secrets. Returns the ID of the new memory. To ' +
      'correct an existing memory, find it and use memory__update_memory.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: Type.Object(
      {
        memory: Type.String({
          minLength: 1,
          maxLength: MEMORY_LENGTH,
          description: 'The text to remember, in any language.',
        }),
        scope: Type.Optional({
          ...MemoryScope,
          default: 'private',
          description:
            'private (default): only this user finds the memory. shared: every member of the organization finds it; ' +
            'use it when the user wants others to know.',
        }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Id('mem'), memory: Type.String(), scope: MemoryScope, created_at: Timestamp }),

    async run({ memory: text, scope = 'private' }, { caller }) {
      const { id, memory, created_at } = await store.remember(caller, text, scope)
      return {
        content: [{ type: 'text', text: `Remembered as ${id} (${scope}).` }],
        structuredContent: { id, memory, scope, created_at },
      }
    },
  })
}
