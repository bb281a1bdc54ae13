import { crc32 } from 'node:zlib'
import type { RequestId } from '../../schemas/mcp.ts'
import { after, type ListBody } from './contract.ts'
import type { ListBytes, ListCache } from './list-bytes.ts'
import { CACHE_TTL_MS, type ProtocolGeneration, SERVER_INFO_KEY } from './protocol.ts'

/** How this server names itself to clients. */
export interface ServerInfo {
  name: string
  version: string
  title?: string
}

/**
 * The answer to `tools/list` for all callers who see the same tools: stored bytes that a request's id completes. The
 * bytes are built at the first request for the list.
 */
export interface ToolList {
  /**
   * The whole message in pieces: the stored ones are shared by all requests and never copied. A promise until a large
   * list is built.
   */
  plain(generation: ProtocolGeneration, id: RequestId): readonly Buffer[] | Promise<readonly Buffer[]>
  /**
   * The same message in gzip, in pieces too; undefined where plain is the better answer: a long id, or a list too short
   * to gain. A promise until the list is deflated.
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

/** What stands before and after the tools in a message; the request's id follows. */
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

/** Makes the list of a surface's tools, of each tool's JSON in the order of the list. */
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

/** The checksum of a message up to the id; computed once for each generation. */
function crcOf({ tools, crc }: ListBytes, generation: ProtocolGeneration, { head, tail }: Ends): number {
  let known = crc.get(generation)
  if (known === undefined) {
    known = crc32(tail, crc32(tools, crc32(head)))
    crc.set(generation, known)
  }
  return known
}

/** The gzip stream of a message: what differs by generation and by request goes into stored blocks around the deflated tools. */
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

/** The bytes of a list as they go on the wire. */
export interface EncodedBody {
  pieces: readonly Buffer[]
  /** The `Content-Encoding`; undefined for none. Either way the answer varies by `Accept-Encoding`. */
  encoding: 'gzip' | undefined
}

/** Completes a stored list in the encoding that the client takes; a promise while the list is deflated. */
export function encodeList(
  { list, generation, id }: ListBody,
  acceptEncoding: string | undefined,
): EncodedBody | Promise<EncodedBody> {
  return after<readonly Buffer[] | undefined, EncodedBody>(
    acceptsGzip(acceptEncoding) ? list.gzip(generation, id) : undefined,
    gzip =>
      gzip === undefined
        ? after(list.plain(generation, id), pieces => ({ pieces, encoding: undefined }))
        : { pieces: gzip, encoding: 'gzip' },
  )
}

/** Whether an `Accept-Encoding` takes gzip: named, or covered by `*`, with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  let any = false
  for (const item of header.toLowerCase().split(',')) {
    const [coding, weight] = item.split(';', 2)
    const taken = !(weight !== undefined && /^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight))
    const name = coding?.trim()
    if (name === 'gzip' || name === 'x-gzip') return taken
    if (name === '*') any = taken
  }
  return any
}
