import { Type } from '@sinclair/typebox'
import { Id } from '../../schemas/ids.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import type { MemoryStore } from './memory-store.ts'

/** `memory__forget`: deletes a memory. */
export function forget(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__forget',
    title: 'Forget',
    description:
      'Delete a memory permanently. Use it when the user asks to forget something or a memory is no longer true; to ' +
      'correct a memory, use memory__update_memory. Takes an ID from memory__search_memory or memory__list_memories. ' +
      'A shared memory is deleted for the whole organization; only its author, or an owner or admin, can delete it.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      { id: Type.String({ ...Id('mem'), description: 'As memory__list_memories returns it.' }) },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Id('mem') }),

    async run({ id }, { caller }) {
      await store.forget(caller, id)
      return { content: [{ type: 'text', text: `Forgot ${id}.` }], structuredContent: { id } }
    },
  })
}
