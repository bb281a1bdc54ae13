import { foreignLine } from '../../../lib/egress/private-addresses.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import { type MessageBounds, parseMessage, type RpcFault } from './rpc-message.ts'
import { UpstreamError } from './upstream.ts'

/** The maximum length of a body that is searched. A sentence about a refusal is at the beginning of it. */
const MAX_BODY = 65_536
const MAX_QUOTED = 300
/** The maximum length of the path of a redirect. */
const MAX_PATH = 200
const BOUNDS: MessageBounds = { levels: 16, elements: 1_000, letsProto: false }

/** The parts of an answer that may say why a request was rejected. */
interface RejectedAnswer {
  readonly status: number
  readonly body: string
  readonly fault?: RpcFault | undefined
}

/**
 * Finds what an upstream says about its refusal: the message of a JSON error, the title or first text of an HTML page, or
 * plain text. The result is neither redacted nor bounded in length: `serverSays` comes last, because half a secret would
 * not be recognized.
 */
export function refusalWords({ status, body, fault }: RejectedAnswer): string | undefined {
  // A 5xx is a crash, whose text can have internals of the upstream. A redirect says nothing.
  if (status < 400 || status >= 500) return undefined
  if (fault !== undefined) return fault.message
  const text = body.slice(0, MAX_BODY).trim()
  if (text.startsWith('{')) return messageIn(parseMessage(text, BOUNDS) ?? {})
  if (text.startsWith('[')) return undefined
  return (text.startsWith('<') ? pageText(text) : text) || undefined
}

/**
 * Where a redirect leads, instead of words: without user, query and fragment, which can have secrets. Not cut, because
 * half a secret would not be recognized: too long a path is left out.
 */
export function redirectTarget(location: string | undefined, from: URL): string | undefined {
  const target = location === undefined ? null : URL.parse(location, from.href)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const { pathname } = target
  // Its own origin may be a private address, which would be redacted.
  const origin = target.origin === from.origin ? '' : target.origin
  return pathname.length > MAX_PATH ? origin || undefined : origin + pathname
}

/** Whether an answer begins like an HTML page. */
export function isPage(body: string): boolean {
  return /^\s{0,100}<(?:!doctype html|html|head|body)\b/i.test(body.slice(0, 200))
}

/** Quotes an upstream's words as a sentence, sanitized and bounded. Empty without words. */
export function serverSays(words: string | undefined): string {
  const line = foreignLine(words ?? '', MAX_QUOTED)
    .replaceAll(/[“”]/g, '"')
    .replace(/\.$/, '')
  return line === '' ? '' : ` The server says: “${line}”.`
}

function messageIn({ error, error_description, message, detail, title }: Readonly<Record<string, unknown>>) {
  const inner = isJsonObject(error) ? error.message : undefined
  return [inner, error_description, message, detail, error, title].find(text => typeof text === 'string')
}

function pageText(page: string): string {
  for (const tag of ['title', 'h1']) {
    const [, text = ''] = new RegExp(`<${tag}(?:\\s[^>]{0,200})?>([^<]{1,1000})`, 'i').exec(page) ?? []
    if (text.trim() !== '') return text
  }
  return ['head', 'script', 'style'].reduce(without, page)
}

/** A page without the elements of a name. */
function without(page: string, name: string): string {
  const lower = page.toLowerCase()
  const kept: string[] = []
  let at = 0
  for (let begin = lower.indexOf(`<${name}`); begin >= 0; begin = lower.indexOf(`<${name}`, at)) {
    kept.push(page.slice(at, begin))
    const end = lower.indexOf(`</${name}`, begin)
    if (end < 0) return kept.join(' ')
    at = end
  }
  return kept.join(' ') + page.slice(at)
}

/** The redirects that keep the method and the body. */
const REDIRECTS = new Set([307, 308])

/**
 * The URL that a redirect leads to if it only adds or removes the slash at the end of the path; undefined for every other
 * answer. Only the path of the target counts: behind a proxy, many servers name another scheme or host than they have.
 */
export function slashRedirect(
  url: URL,
  { status, location }: { status: number | undefined; location: string | undefined },
): URL | undefined {
  if (status === undefined || !REDIRECTS.has(status) || location === undefined) return undefined
  const path = URL.parse(location, url.href)?.pathname ?? ''
  if (path !== `${url.pathname}/` && `${path}/` !== url.pathname) return undefined
  const target = new URL(url)
  target.pathname = path
  return target
}

/** The URL to use instead of `url`, whose tools were not listed because of a slashRedirect; undefined for other failures. */
export function redirectedUrl(url: string, failure: unknown): string | undefined {
  const cause = failure instanceof GatewayError ? failure.cause : undefined
  if (!(cause instanceof UpstreamError)) return undefined
  return slashRedirect(new URL(url), { status: cause.status, location: cause.words })?.href
}
