import { isUtf8 } from 'node:buffer'

/** How much of a file's beginning is looked at. */
export const HEAD_BYTES = 64 * 1024

/** What a browser would run; a file is never called that, whatever a detector comes to know. */
const ACTIVE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/(?:java|ecma)script)\b/

/** What a file says that it is, by its first bytes; what a provider says is not asked. */
export async function mediaTypeOf(head: Buffer, whole: boolean): Promise<string> {
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
    // A file that is cut off where its detector reads on.
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

/** Where the last character begins: it may be cut. */
function lastBoundary(head: Buffer): number {
  let end = head.length - 1
  while (end > head.length - 4 && ((head[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

/** An object or an array; of a file that was not seen whole, by how it begins. */
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
