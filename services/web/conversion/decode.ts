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
