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
      'Delete a memory for good. Use it when the user asks to forget something or a memory no longer holds; to correct ' +
      'one use memory__update_memory. Takes the id that memory__search_memory or memory__list_memories showed. A shared ' +
      'memory is deleted for the whole organization, by its author or by an owner or admin.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: Type.Object({ id: Id('mem') }, { additionalProperties: false }),
    output: Type.Object({ id: Id('mem') }),

    async run({ id }, { caller }) {
      await store.forget(caller, id)
      return { content: [{ type: 'text', text: `Forgot ${id}.` }], structuredContent: { id } }
    },
  })
}
