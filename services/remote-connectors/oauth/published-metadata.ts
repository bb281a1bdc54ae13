import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { isJsonObject, parseUpstream, withoutNulls } from '../../../lib/http/json.ts'

/** The deadline for one document. */
const DOCUMENT_DEADLINE_MS = 8_000

/** The maximum size of a document in bytes, ten times the largest real one. */
const MAX_DOCUMENT_BYTES = 128 * 1024

/** Why a published document is unusable. The message continues after the document's name and contains no path or query. */
export class MetadataFault extends Error {
  override readonly name = 'MetadataFault'
  /** Whether there is no document, so that another location may have it. */
  readonly missing: boolean

  constructor(message: string, options: { cause?: unknown; missing?: boolean } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.missing = options.missing === true
  }
}

/** Reads the JSON object at a URL, without members that are null. Throws MetadataFaults. */
export type ReadDocument = (url: URL) => Promise<Readonly<Record<string, unknown>>>

/** Creates a reader of published documents. It follows no redirects, and one signal ends all its requests. */
export function createReadDocument(egress: Pick<Egress, 'request'>, signal: AbortSignal): ReadDocument {
  return async function readDocument(url) {
    const { status, body } = await answerOf(egress, url, signal)
    if (status !== 200) throw new MetadataFault(`${url.host} answered ${status}`, { missing: status < 500 })
    const json = withoutNulls(parseUpstream(body))
    // Many web applications answer every unknown path with their start page.
    if (!isJsonObject(json))
      throw new MetadataFault(`${url.host} answered with something other than a JSON object`, { missing: true })
    return json
  }
}

async function answerOf(egress: Pick<Egress, 'request'>, url: URL, signal: AbortSignal) {
  try {
    return await egress.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      deadlineMs: DOCUMENT_DEADLINE_MS,
      maxBytes: MAX_DOCUMENT_BYTES,
      signal,
    })
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause
    throw new MetadataFault(`cannot read it: ${cause.message.replace(/\.$/, '')}`, { cause })
  }
}

/**
 * Returns the first usable document. If none is usable, throws the fault of the first unusable document, otherwise a fault
 * that says that no document exists.
 */
export async function firstOf<T>(urls: readonly URL[], read: (url: URL) => Promise<T>): Promise<T> {
  let fault: MetadataFault | undefined
  for (const url of urls) {
    try {
      return await read(url)
    } catch (error) {
      // Do not try other locations on a server that does not answer.
      if (!(error instanceof MetadataFault) || error.cause !== undefined) throw error
      if (fault === undefined || fault.missing) fault = error
    }
  }
  throw fault ?? new MetadataFault('it does not exist', { missing: true })
}

/** The maximum length of a stored URL. Members and models read these URLs in entries. */
const MAX_LENGTH = 2_048
const VISIBLE = /^[\x21-\x7e]+$/

/**
 * A published http or https URL that can be stored and displayed unchanged: visible ASCII, without credentials and fragment.
 * Otherwise undefined.
 */
export function publishedUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !VISIBLE.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.hash === '' && url.username === '' && url.password === '' ? url : undefined
}

/** The maximum number of scopes of an authorization, and the maximum length of a scope. */
const MAX_SCOPES = 64
const MAX_SCOPE = 256

/** The syntax of a scope (RFC 6749, section 3.3). */
const SCOPE = new RegExp(`^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,${MAX_SCOPE}}$`)

export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value)
}

/** The valid scopes of a published list, without duplicates, in its order; empty if it is not a list. */
export function scopesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  const scopes = list.filter(isScope)
  return [...new Set(scopes)].slice(0, MAX_SCOPES)
}
