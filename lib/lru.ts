import type { LRUCache } from 'lru-cache'

/**
 * The options of an LRU cache that holds at most `entries` and takes memory only for what it holds. With the `max`
 * option, lru-cache allocates its arrays in full at once: about 24 bytes for each entry that may ever come.
 */
export function atMost<K extends {}, V extends {}>(entries: number): LRUCache.Options<K, V, unknown> {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
