import { createHash, randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'

export const MIB = 1024 ** 2

/** Random blocks, each different, without all of them in memory. */
export function largeContent(size: number) {
  const block = randomBytes(MIB)
  const hash = createHash('sha256')
  async function* blocks() {
    for (let sent = 0; sent < size; sent += MIB) {
      block.writeUInt32BE(sent / MIB)
      hash.update(block)
      yield Buffer.from(block)
    }
  }
  return { blocks, sha256: () => hash.digest('hex') }
}

/** Reads a file of any size, and keeps none of it. */
export async function download(url: string): Promise<{ bytes: number; sha256: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => get(url, resolve).once('error', reject))
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}
