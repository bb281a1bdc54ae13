import { Type } from '@sinclair/typebox'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__list_memories`: all that was remembered, a page at a time. */
export function listMemories(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__list_memories',
    title: 'List memories',
    description:
      'List what was remembered for this user and shared in their organization, the newest first. Use it to review or ' +
      'tidy up; to find something particular use memory__search_memory. When next_cursor is in the answer, call again ' +
      'with it as cursor for the next page.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        scope: Type.Optional(MemoryScope),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many memories a page has at most.' }),
        ),
        cursor: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'next_cursor of the page before, unchanged.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      memories: Type.Array(Memory),
      next_cursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last.' })),
    }),

    async run({ scope, limit = 20, cursor }, { caller }) {
      const { memories, nextCursor } = await store.list(caller, { limit, scope, cursor })
      const more = nextCursor === undefined ? [] : [`More follow: cursor ${nextCursor}`]
      const texts = memories.length === 0 ? ['Nothing is remembered here.'] : [...memories.map(memoryText), ...more]
      return {
        content: texts.map(text => ({ type: 'text', text })),
        structuredContent: { memories, ...(nextCursor !== undefined && { next_cursor: nextCursor }) },
      }
    },
  })
}
