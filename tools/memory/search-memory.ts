import { Type } from '@sinclair/typebox'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__search_memory`: finds memories by their words. */
export function searchMemory(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__search_memory',
    title: 'Search memory',
    description:
      'Search the memories of this user and the memories shared in their organization. Use it before answering ' +
      'whenever earlier decisions, preferences or facts could matter. Finds memories that contain words of the query, ' +
      'also as the start of a longer word or with a typo, in any language; the best match comes first. It compares ' +
      'words, not meanings: send a few distinctive words, and try synonyms if nothing is found. Each result has the ID ' +
      'for memory__update_memory and memory__forget.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        query: Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: 'The words to search for, in any language.',
        }),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            default: 10,
            description: 'The maximum number of memories to return.',
          }),
        ),
        scope: Type.Optional(MemoryScope),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ memories: Type.Array(Memory) }),

    async run({ query, limit = 10, scope }, { caller }) {
      const memories = await store.search(caller, query, { limit, scope })
      return {
        content:
          memories.length === 0
            ? [{ type: 'text', text: 'No memory has these words.' }]
            : memories.map(memory => ({ type: 'text', text: memoryText(memory) })),
        structuredContent: { memories },
      }
    },
  })
}
