import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { GatewayError } from '../../lib/errors/errors.ts'

/**
 * Writes a stream to a new file that only its owner can read, and syncs it. Returns its size and media type. On a
 * failure it destroys the stream, and the caller must remove the file. Throws invalid_request above the maximum size,
 * the signal's reason, and what `count` throws, which receives the number of bytes of each chunk.
 */
export async function ingest(
  body: Readable,
  path: string,
  { maxBytes, count, signal }: { maxBytes: number; count(bytes: number): void; signal?: AbortSignal | undefined },
): Promise<{ bytes: number; mediaType: string }> {
  const head: Buffer[] = []
  let headBytes = 0
  let bytes = 0

  async function* metered(source: AsyncIterable<Uint8Array | string>) {
    for await (const chunk of source) {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      bytes += data.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      count(data.length)
      if (headBytes < HEAD_BYTES) {
        // A copy, because the chunk may be a view of a reused buffer.
        head.push(Buffer.from(data.subarray(0, HEAD_BYTES - headBytes)))
        headBytes = Math.min(bytes, HEAD_BYTES)
      }
      yield data
    }
  }

  try {
    if (signal !== undefined) addAbortSignal(signal, body)
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(metered(body))
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    body.destroy()
    throw signal?.aborted === true ? signal.reason : error
  }
  return { bytes, mediaType: await mediaTypeOf(Buffer.concat(head), bytes <= HEAD_BYTES) }
}

function tooLarge(maxBytes: number): GatewayError {
  const size = maxBytes >= 1024 ** 2 ? `${Math.floor(maxBytes / 1024 ** 2)} MiB` : `${maxBytes} bytes`
  return new GatewayError('invalid_request', `The file is larger than the limit of ${size}. Request a smaller file.`)
}

/** How many bytes of a file's beginning are inspected. */
const HEAD_BYTES = 64 * 1024

/** Types that a browser would execute. No file gets such a type, whatever the detector returns. */
const ACTIVE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/(?:java|ecma)script)\b/

/** Detects the media type of a file by its first bytes. Ignores the provider's content type. */
async function mediaTypeOf(head: Buffer, whole: boolean): Promise<string> {
  const known = await detected(head)
  if (known !== undefined) return ACTIVE.test(known) ? 'application/octet-stream' : known
  if (!isText(head, whole)) return 'application/octet-stream'
  return isJson(head, whole) ? 'application/json' : 'text/plain'
}

async function detected(head: Buffer): Promise<string | undefined> {
  // Loaded with the first file: most processes never see one.
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // The detector reads beyond the end of a truncated file.
    return undefined
  }
}

/** UTF-8 without the bytes that only binary data has (WHATWG MIME Sniffing, binary data byte). */
function isText(head: Buffer, whole: boolean): boolean {
  const text = whole ? head : head.subarray(0, lastBoundary(head))
  return isUtf8(text) && !text.some(byte => byte < 0x20 && BINARY.has(byte))
}

const BINARY = new Set([...range(0x00, 0x08), 0x0b, ...range(0x0e, 0x1a), ...range(0x1c, 0x1f)])

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** Returns the start of the last character, which may be cut. */
function lastBoundary(head: Buffer): number {
  let end = head.length - 1
  while (end > head.length - 4 && ((head[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

/** Whether the text is a JSON object or array. For a partial file, only its beginning decides. */
function isJson(head: Buffer, whole: boolean): boolean {
  const text = head.toString('utf8').trim()
  if (!whole) return /^(?:\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*[[{"])/.test(text)
  if (!/^[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
