import sniffEncoding from 'html-encoding-sniffer'

/** Decodes a body by its byte order mark, its Content-Type, its `meta` element, or the usual encoding (WHATWG HTML). */
export function decode(body: Uint8Array, contentType: string | undefined, isHtml: boolean): string {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
  const encoding = isHtml
    ? sniffEncoding(body, {
        ...(label !== undefined && { transportLayerEncodingLabel: label }),
        defaultEncoding: 'UTF-8',
      })
    : (label ?? 'utf-8')
  return decoderOf(encoding).decode(body)
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}

/** How a body is read. */
type BodyKind = 'html' | 'markdown' | 'text' | 'pdf'

/** The media type of a body, and how it is read; `kind` is undefined if it is not text. */
export function mediaTypeOf(
  contentType: string | undefined,
  body: Uint8Array,
): { type: string; kind: BodyKind | undefined } {
  const declared = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const type = declared === '' || declared === 'application/octet-stream' ? sniff(body) : declared
  return { type, kind: kindOf(type) }
}

function kindOf(type: string): BodyKind | undefined {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown'
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf'
  if (type.startsWith('text/') || /^application\/(?:[\w.+-]+\+)?(?:json|xml|yaml)$/.test(type)) return 'text'
  if (/^application\/(?:x-)?(?:ndjson|javascript|toml|yaml|sql|rtf)$/.test(type) && type !== 'application/rtf')
    return 'text'
  return undefined
}

/** The first bytes decide, as in the WHATWG MIME Sniffing Standard. */
function sniff(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 1_024))
  if (head.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf'
  if (head.includes(0)) return 'application/octet-stream'
  return /^\s*<(?:!doctype html|html|head|body|!--|div|p|h1|title|table|a)\b/i.test(head.toString('latin1'))
    ? 'text/html'
    : 'text/plain'
}
