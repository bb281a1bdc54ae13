import type { Kysely } from 'kysely'
import type { Database } from '../../plugins/database/tables.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { AnyTool } from '../define-tool.ts'
import { forget } from './forget.ts'
import { listMemories } from './list-memories.ts'
import { createMemoryStore } from './memory-store.ts'
import { remember } from './remember.ts'
import { searchMemory } from './search-memory.ts'
import { updateMemory } from './update-memory.ts'

/** The memory family on its store. */
export function memoryTools(options: { db: Kysely<Database>; clock: Clock; ids: IdSource }): AnyTool[] {
  const store = createMemoryStore(options)
  return [remember(store), searchMemory(store), listMemories(store), updateMemory(store), forget(store)]
}
