import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { RequestId } from '../../schemas/mcp.ts'
import type { Era } from './era.ts'
import { CACHE_TTL_MS, SERVER_INFO_KEY } from './protocol.ts'

/** How this server names itself to clients. */
export interface ServerInfo {
  name: string
  version: string
  title?: string
}

/** The answer to `tools/list` for all callers who see the same tools: stored bytes that a request's id completes. */
export interface ToolList {
  /** What the list may come to hold, in bytes; for bounded caches. */
  readonly size: number
  /** The whole message in pieces: the stored ones are shared by all requests and never copied. */
  plain(era: Era, id: RequestId): readonly Buffer[]
  /** The same message in gzip; undefined where plain is the better answer: a long id, or a list too short to gain. */
  gzip(era: Era, id: RequestId): Buffer | undefined
}

/** What `plain` is made of, and the same deflated with its checksum. */
interface Stored {
  head: Buffer
  tail: Buffer
  deflated: Buffer | undefined
  crc: number
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** The header of a final stored block (RFC 1951, 3.2.4), then the gzip trailer (RFC 1952, 2.3.1). */
const STORED_HEADER = 5
const TRAILER = 8
const LONGEST_ID = 1024
const SHORTEST_GZIP = 1024

/** Makes the list of a surface's tools, of each tool's JSON in the order of the list. */
export function createToolList(entriesJson: readonly string[], { serverInfo }: { serverInfo: ServerInfo }): ToolList {
  const tools = Buffer.from(`[${entriesJson.join()}]`)
  const eras = { legacy: legacyEnds(), modern: modernEnds(serverInfo) }

  return {
    // The tools once, and their deflated forms for both eras, which come to far less than half of them.
    size: Math.ceil(tools.length * 1.5) + 1024,

    plain(era, id) {
      const { head, tail } = eras[era]
      return [head, tools, tail, Buffer.from(`${JSON.stringify(id)}}`)]
    },

    gzip(era, id) {
      const end = Buffer.from(`${JSON.stringify(id)}}`)
      if (end.length > LONGEST_ID || tools.length < SHORTEST_GZIP) return undefined
      const stored = eras[era]
      const deflated = stored.deflated ?? deflate(stored, tools)
      return complete(deflated, end, crc32(end, stored.crc), stored.head.length + tools.length + stored.tail.length)
    },
  }
}

function legacyEnds(): Stored {
  return ends('{"jsonrpc":"2.0","result":{"tools":', '},"id":')
}

function modernEnds(serverInfo: ServerInfo): Stored {
  const meta = JSON.stringify({ [SERVER_INFO_KEY]: serverInfo })
  const fields = `"resultType":"complete","ttlMs":${CACHE_TTL_MS},"cacheScope":"private"`
  return ends(`{"jsonrpc":"2.0","result":{${fields},"tools":`, `,"_meta":${meta}},"id":`)
}

function ends(head: string, tail: string): Stored {
  return { head: Buffer.from(head), tail: Buffer.from(tail), deflated: undefined, crc: 0 }
}

/** The gzip stream up to the id: a sync flush ends it on a byte's edge, so that another block can follow. */
function deflate(stored: Stored, tools: Buffer): Buffer {
  const body = Buffer.concat([stored.head, tools, stored.tail])
  stored.crc = crc32(body)
  stored.deflated = Buffer.concat([GZIP_HEADER, deflateRawSync(body, { finishFlush: constants.Z_SYNC_FLUSH })])
  return stored.deflated
}

/** Ends a stored gzip stream with the request's own bytes, which follow undeflated. */
function complete(deflated: Buffer, end: Buffer, crc: number, before: number): Buffer {
  const stream = Buffer.allocUnsafe(deflated.length + STORED_HEADER + end.length + TRAILER)
  let at = deflated.copy(stream)
  at = stream.writeUInt8(1, at)
  at = stream.writeUInt16LE(end.length, at)
  at = stream.writeUInt16LE(~end.length & 0xffff, at)
  at += end.copy(stream, at)
  at = stream.writeUInt32LE(crc, at)
  stream.writeUInt32LE(before + end.length, at)
  return stream
}
