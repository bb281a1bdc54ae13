import { open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { GatewayError } from '../../lib/errors/errors.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'

/**
 * Writes a stream to a new file that only its owner reads, synced to the disk; answers its size and what it is. On a failure the
 * stream is destroyed, and what was written is left for the caller. Throws invalid_request past the size, the signal's
 * reason, and what `count` throws, which is told of bytes as they come.
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
        // A copy: the chunk may be a view of a buffer that is written again.
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
  return new GatewayError('invalid_request', `The file is larger than the ${size} that are stored. Ask for less of it.`)
}
