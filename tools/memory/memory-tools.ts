import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { forget } from './forget.ts'
import { listMemories } from './list-memories.ts'
import { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
import { remember } from './remember.ts'
import { searchMemory } from './search-memory.ts'
import { updateMemory } from './update-memory.ts'

/** Creates the tools of the memory family. */
export function memoryTools(options: MemoryStoreOptions): AnyTool[] {
  const store = createMemoryStore(options)
  return [remember(store), searchMemory(store), listMemories(store), updateMemory(store), forget(store)]
}
