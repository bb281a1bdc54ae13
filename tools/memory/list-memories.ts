import { Type } from '@sinclair/typebox'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__list_memories`: lists all memories, one page at a time. */
export function listMemories(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__list_memories',
    title: 'List memories',
    description:
      'List the memories of this user and the memories shared in their organization, newest first. Use it to review ' +
      'or clean up; to find something specific, use memory__search_memory. If the result has next_cursor, call again ' +
      'with it as cursor for the next page.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        scope: Type.Optional(MemoryScope),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            default: 20,
            description: 'The maximum number of memories on a page.',
          }),
        ),
        cursor: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'next_cursor of the previous page, unchanged.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      memories: Type.Array(Memory),
      next_cursor: Type.Optional(Type.String({ description: 'The cursor of the next page; absent on the last page.' })),
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
