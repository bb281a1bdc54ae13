import { crc32 } from 'node:zlib'
import { acceptsEncoding } from '../../lib/http/headers.ts'
import { after } from '../../lib/process/event-loop.ts'
import type { RequestId } from '../../schemas/tools/mcp.ts'
import type { ListBytes, ListCache } from './list-bytes.ts'
import { CACHE_TTL_MS, type ProtocolGeneration, SERVER_INFO_KEY } from './protocol.ts'

/** The name and version of this server, for clients. */
export interface ServerInfo {
  name: string
  version: string
  title?: string
}

/**
 * The answer to `tools/list` for all callers who see the same tools: cached bytes, completed with the id of a request. The
 * first request for the list builds the bytes.
 */
export interface ToolList {
  /**
   * The complete message in pieces. All requests share the cached pieces, which are never copied. A promise until a large
   * list is built.
   */
  plain(generation: ProtocolGeneration, id: RequestId): readonly Buffer[] | Promise<readonly Buffer[]>
  /**
   * The same message in gzip, also in pieces; undefined if compression is not worthwhile, for a long id or a short list. A
   * promise until the list is deflated.
   */
  gzip(
    generation: ProtocolGeneration,
    id: RequestId,
  ): readonly Buffer[] | undefined | Promise<readonly Buffer[] | undefined>
}

interface ToolListOptions {
  serverInfo: ServerInfo
  /** Caches the bytes of lists, by content. */
  lists: ListCache
  /** Identifies the entries of the list: lists of equal content share their bytes. */
  content: string
}

/** A cached list, to be completed with the request's id. */
export interface ListBody {
  list: ToolList
  generation: ProtocolGeneration
  id: RequestId
}

/** The parts of a message before and after the tools. The request's id follows. */
interface Ends {
  head: Buffer
  tail: Buffer
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** The header of a stored block (RFC 1951, 3.2.4), and the gzip trailer (RFC 1952, 2.3.1). */
const STORED_HEADER = 5
const TRAILER = 8
const LONGEST_ID = 1024
const SHORTEST_GZIP = 1024

/** Creates the list of a surface's tools from the JSON of each tool, in order. */
export function createToolList(
  entriesJson: readonly string[],
  { serverInfo, lists, content }: ToolListOptions,
): ToolList {
  const generations = { legacy: legacyEnds(), modern: modernEnds(serverInfo) }

  return {
    plain(generation, id) {
      const { head, tail } = generations[generation]
      const end = Buffer.concat([tail, Buffer.from(`${JSON.stringify(id)}}`)])
      return after(lists.bytesOf(content, entriesJson), ({ tools }) => [head, tools, end])
    },

    gzip(generation, id) {
      const end = Buffer.from(`${JSON.stringify(id)}}`)
      if (end.length > LONGEST_ID) return undefined
      return after(lists.bytesOf(content, entriesJson), bytes => {
        if (bytes.tools.length < SHORTEST_GZIP) return undefined
        const { head, tail } = generations[generation]
        return after(lists.deflatedOf(content, bytes), deflated =>
          gzipOf(
            { head, deflated, tail, end },
            crc32(end, crcOf(bytes, generation, generations[generation])),
            bytes.tools.length,
          ),
        )
      })
    },
  }
}

function legacyEnds(): Ends {
  return ends('{"jsonrpc":"2.0","result":{"tools":', '},"id":')
}

function modernEnds(serverInfo: ServerInfo): Ends {
  const meta = JSON.stringify({ [SERVER_INFO_KEY]: serverInfo })
  const fields = `"resultType":"complete","ttlMs":${CACHE_TTL_MS},"cacheScope":"private"`
  return ends(`{"jsonrpc":"2.0","result":{${fields},"tools":`, `,"_meta":${meta}},"id":`)
}

function ends(head: string, tail: string): Ends {
  return { head: Buffer.from(head), tail: Buffer.from(tail) }
}

/** The checksum of a message up to the id, computed once per protocol generation. */
function crcOf({ tools, crc }: ListBytes, generation: ProtocolGeneration, { head, tail }: Ends): number {
  let known = crc.get(generation)
  if (known === undefined) {
    known = crc32(tail, crc32(tools, crc32(head)))
    crc.set(generation, known)
  }
  return known
}

/** The gzip stream of a message. Parts that differ by generation or request are stored blocks around the deflated tools. */
function gzipOf(
  { head, deflated, tail, end }: Ends & { deflated: Buffer; end: Buffer },
  crc: number,
  toolsLength: number,
): readonly Buffer[] {
  const trailer = Buffer.allocUnsafe(TRAILER)
  trailer.writeUInt32LE(crc)
  trailer.writeUInt32LE(head.length + toolsLength + tail.length + end.length, 4)
  return [
    Buffer.concat([GZIP_HEADER, storedHeader(head.length, false), head]),
    deflated,
    Buffer.concat([storedHeader(tail.length + end.length, true), tail, end, trailer]),
  ]
}

function storedHeader(length: number, final: boolean): Buffer {
  const header = Buffer.allocUnsafe(STORED_HEADER)
  header.writeUInt8(final ? 1 : 0)
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(~length & 0xffff, 3)
  return header
}

/** The bytes of a list on the wire. */
export interface EncodedBody {
  pieces: readonly Buffer[]
  /** The `Content-Encoding`, if any. In both cases the answer varies by `Accept-Encoding`. */
  encoding: 'gzip' | undefined
}

/** Completes a cached list in an encoding that the client accepts; a promise until the list is ready. */
export function encodeList(
  { list, generation, id }: ListBody,
  acceptEncoding: string | undefined,
): EncodedBody | Promise<EncodedBody> {
  return after<readonly Buffer[] | undefined, EncodedBody>(
    acceptsEncoding(acceptEncoding, 'gzip') ? list.gzip(generation, id) : undefined,
    gzip =>
      gzip === undefined
        ? after(list.plain(generation, id), pieces => ({ pieces, encoding: undefined }))
        : { pieces: gzip, encoding: 'gzip' },
  )
}
