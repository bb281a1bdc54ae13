import { constants, deflateRaw } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createYield } from '../../lib/process/event-loop.ts'
import type { ProtocolGeneration } from './protocol.ts'

/** The tools of a list as bytes, and values derived from them. */
export interface ListBytes {
  readonly tools: Buffer
  /** The checksum of the message up to the request's id, by protocol generation. */
  readonly crc: Map<ProtocolGeneration, number>
  /** A raw deflate stream of `tools` that ends on a byte boundary without a final block; a promise during compression. */
  deflated: Buffer | Promise<Buffer> | undefined
}

/** The bytes of requested lists, by the content of the list. */
export interface ListCache {
  /** Builds the bytes on the first call. Builds a large list in steps, once for all concurrent callers. */
  bytesOf(content: string, entriesJson: readonly string[]): ListBytes | Promise<ListBytes>
  /** Deflates the bytes off the event loop, once for all concurrent callers. Synchronous if already done. */
  deflatedOf(content: string, bytes: ListBytes): Buffer | Promise<Buffer>
}

/** Enough for three of the largest lists with their deflated forms. */
const MAX_BYTES = 64 * 1024 * 1024
/** Larger lists are built in steps and deflated one at a time, so that they use at most one core. */
const LARGE = 512 * 1024
/** The output per step in the thread pool. Other work of the pool runs between two steps. */
const STEP = 64 * 1024

export function createListCache(): ListCache {
  const cache = new LRUCache<string, ListBytes>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf })
  const building = new Map<string, Promise<ListBytes>>()
  let lastLarge: Promise<unknown> = Promise.resolve()

  function deflateOneAtATime(tools: Buffer): Promise<Buffer> {
    if (tools.length <= LARGE) return deflate(tools)
    const done = lastLarge.then(() => deflate(tools))
    lastLarge = done.catch(() => undefined)
    return done
  }

  function keep(content: string, tools: Buffer): ListBytes {
    const bytes: ListBytes = { tools, crc: new Map(), deflated: undefined }
    cache.set(content, bytes)
    return bytes
  }

  return {
    bytesOf(content, entriesJson) {
      const known = cache.get(content) ?? building.get(content)
      if (known !== undefined) return known
      const characters = entriesJson.reduce((sum, { length }) => sum + length, 0)
      if (characters <= LARGE) return keep(content, Buffer.from(`[${entriesJson.join()}]`))
      const built = buildInSteps(entriesJson)
        .then(tools => keep(content, tools))
        .finally(() => building.delete(content))
      building.set(content, built)
      return built
    },

    deflatedOf(content, bytes) {
      bytes.deflated ??= deflateOneAtATime(bytes.tools).then(
        deflated => {
          bytes.deflated = deflated
          // The size has changed. Bytes that were evicted in the meantime stay evicted.
          if (cache.peek(content) === bytes) cache.set(content, bytes, { size: sizeOf(bytes) })
          return deflated
        },
        error => {
          bytes.deflated = undefined
          throw error
        },
      )
      return bytes.deflated
    },
  }
}

function sizeOf({ tools, deflated }: ListBytes): number {
  return tools.length + (Buffer.isBuffer(deflated) ? deflated.length : 0) + 1024
}

async function buildInSteps(entriesJson: readonly string[]): Promise<Buffer> {
  // Each entry has a bracket or comma before it; the closing bracket comes last.
  const tools = Buffer.allocUnsafe(entriesJson.reduce((sum, json) => sum + Buffer.byteLength(json) + 1, 1))
  const yieldIfDue = createYield()
  let at = 0
  for (const json of entriesJson) {
    at += tools.write(at === 0 ? '[' : ',', at)
    at += tools.write(json, at)
    await yieldIfDue()
  }
  tools.write(']', at)
  return tools
}

function deflate(tools: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  deflateRaw(tools, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: STEP }, (error, deflated) =>
    error === null ? resolve(deflated) : reject(error),
  )
  return promise
}
