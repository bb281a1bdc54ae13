import { Type } from '@sinclair/typebox'
import { GatewayError } from '../lib/errors/errors.ts'
import { Id } from '../schemas/primitives/ids.ts'
import { Timestamp } from '../schemas/primitives/time.ts'
import { MemoryScope } from '../schemas/tools/memory.ts'
import { type AnyTool, defineTool } from '../services/definitions/define-tool.ts'
import { MEMORY_LENGTH, Memory, memoryText } from '../services/memory/memory.ts'
import { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from '../services/memory/memory-store.ts'

/** Creates the tools of the memory family. */
export function memoryTools(options: MemoryStoreOptions): AnyTool[] {
  const store = createMemoryStore(options)
  return [remember(store), searchMemory(store), listMemories(store), updateMemory(store), forget(store)]
}

/** `memory__remember`: stores a text for later conversations. */
function remember(store: MemoryStore): AnyTool {
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

/** `memory__search_memory`: finds memories by their words. */
function searchMemory(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__search_memory',
    title: 'Search memory',
    description:
      'Search the memories of this user and the memories shared in their organization. Use it before answering ' +
      'whenever earlier decisions, preferences or facts could matter. Finds memories that contain words of the ' +
      'query, even as the start of a longer word or with a typo, in any language, best match first. The search ' +
      'compares words, not meanings: send a few distinctive words, and try synonyms if nothing is found. Returns the ' +
      'IDs for memory__update_memory and memory__forget.',
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
            ? [{ type: 'text', text: 'No memory contains these words.' }]
            : memories.map(memory => ({ type: 'text', text: memoryText(memory) })),
        structuredContent: { memories },
      }
    },
  })
}

/** `memory__list_memories`: lists all memories, one page at a time. */
function listMemories(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__list_memories',
    title: 'List memories',
    description:
      'List the memories of this user and the memories shared in their organization, newest first. Use it to review ' +
      'or clean up; to find something specific, use memory__search_memory. If the result has next_cursor, pass it as ' +
      'cursor for the next page.',
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
      const texts = memories.length === 0 ? ['There are no memories.'] : [...memories.map(memoryText), ...more]
      return {
        content: texts.map(text => ({ type: 'text', text })),
        structuredContent: { memories, ...(nextCursor !== undefined && { next_cursor: nextCursor }) },
      }
    },
  })
}

/** `memory__update_memory`: changes a memory, or who sees it. */
function updateMemory(store: MemoryStore): AnyTool {
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
        id: Type.String({ ...Id('mem'), description: 'The ID, from memory__list_memories.' }),
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

/** `memory__forget`: deletes a memory. */
function forget(store: MemoryStore): AnyTool {
  return defineTool({
    name: 'memory__forget',
    title: 'Forget',
    description:
      'Delete a memory permanently. Use it when the user asks to forget something or a memory is no longer true; to ' +
      'correct a memory, use memory__update_memory. Takes an ID from memory__search_memory or memory__list_memories. ' +
      'A shared memory is deleted for the whole organization; only its author, or an owner or admin, can delete it.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      { id: Type.String({ ...Id('mem'), description: 'The ID, from memory__list_memories.' }) },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Id('mem') }),

    async run({ id }, { caller }) {
      await store.forget(caller, id)
      return { content: [{ type: 'text', text: `Forgot ${id}.` }], structuredContent: { id } }
    },
  })
}
