import { Type } from '@sinclair/typebox'
import { MemoryScope } from '../../schemas/limits.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { Memory, memoryText } from './memory.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__search_memory`: finds what was remembered by its words. */
export function searchMemory(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__search_memory',
    title: 'Search memory',
    description:
      'Search what was remembered for this user and shared in their organization. Use it before answering whenever ' +
      'earlier decisions, preferences or facts could matter. Finds memories that contain words of the query, also as ' +
      'the start of a longer word or with a typo, in any language; the best match comes first. It compares words, not ' +
      'meanings: send the few telling words, and try synonyms when nothing comes back. Each result has the id that ' +
      'memory__update_memory and memory__forget take.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 1_000, description: 'The words to look for, in any language.' }),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many memories to return at most.' }),
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
