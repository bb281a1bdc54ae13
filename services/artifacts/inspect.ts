import { isUtf8 } from 'node:buffer'
import { addAbortSignal, type Readable } from 'node:stream'
import { GatewayError } from '../../lib/errors/errors.ts'

/** A stream that is inspected while it is read. */
interface Inspected {
  /** The content. Throws invalid_request above the maximum size, the signal's reason, and what the limits throw. */
  readonly content: AsyncIterable<Uint8Array>
  /** The size and the media type, after the content was read to its end. */
  result(): Promise<{ bytes: number; mediaType: string }>
}

interface Limits {
  maxBytes: number
  /** The error above that size. */
  tooLarge: 'invalid_request' | 'body_too_large'
  /** What the caller says the file is. It only refines text. */
  mediaType?: string | undefined
  /** Receives the number of bytes of each chunk. */
  count(bytes: number): void
  /** Called at the end of the content, before a store keeps it. */
  confirm(): Promise<void>
  signal?: AbortSignal | undefined
}

/** Measures and types a stream while a store reads it, and limits it. A failure destroys the stream. */
export function inspect(body: Readable, { maxBytes, tooLarge, mediaType, count, confirm, signal }: Limits): Inspected {
  const head: Buffer[] = []
  let headBytes = 0
  let bytes = 0

  async function* inspected() {
    try {
      if (signal !== undefined) addAbortSignal(signal, body)
      for await (const chunk of body) {
        const data: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        bytes += data.length
        if (bytes > maxBytes) throw largerThan(maxBytes, tooLarge)
        count(data.length)
        if (headBytes < HEAD_BYTES) {
          // A copy, because the chunk may be a view of a reused buffer.
          head.push(Buffer.from(data.subarray(0, HEAD_BYTES - headBytes)))
          headBytes = Math.min(bytes, HEAD_BYTES)
        }
        yield data
      }
      await confirm()
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error
    } finally {
      body.destroy()
    }
  }

  return {
    content: inspected(),
    result: async () => ({
      bytes,
      mediaType: refined(await mediaTypeOf(Buffer.concat(head), bytes <= HEAD_BYTES), mediaType),
    }),
  }
}

function largerThan(maxBytes: number, code: Limits['tooLarge']): GatewayError {
  const size = maxBytes >= 1024 ** 2 ? `${Math.floor(maxBytes / 1024 ** 2)} MiB` : `${maxBytes} bytes`
  return new GatewayError(code, `The file is larger than the limit of ${size}. Send or request a smaller file.`)
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

/** Text may be CSV or Markdown, which its bytes do not show. No other type is taken from outside. */
function refined(detected: string, given: string | undefined): string {
  const type = given?.toLowerCase().split(';')[0]?.trim() ?? ''
  return detected === 'text/plain' && /^text\/[a-z0-9.+-]+$/.test(type) && !ACTIVE.test(type) ? type : detected
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
