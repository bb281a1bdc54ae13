import { after } from './after.ts'
import type { ListBody } from './contract.ts'

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
