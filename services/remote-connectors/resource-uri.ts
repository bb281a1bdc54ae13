import { isSlug } from '../../schemas/remotes/names.ts'

/** The scheme of interfaces of tools (MCP Apps). */
export const UI_SCHEME = 'ui://'

/** The maximum length of an upstream's URI, in characters. */
export const MAX_URI = 2_048

const GATEWAY = 'cgw+org://'
/**
 * Hosts show an interface only if its URI begins with `ui://`, so the `_meta` of a tool names it by this form. Both forms can
 * be read.
 */
const GATEWAY_UI = `${UI_SCHEME}cgw-org/`

/** The URI of an upstream's resource at this gateway. */
export function toGatewayUri(slug: string, uri: string): string {
  return `${GATEWAY}${slug}/${encode(uri)}`
}

/** The URI of an upstream's interface at this gateway. */
export function toUiUri(slug: string, uri: string): string {
  return `${GATEWAY_UI}${slug}/${encode(uri)}`
}

/** An upstream's template (RFC 6570) at this gateway: its expansions are the URIs of the upstream's expansions. */
export function toGatewayTemplate(slug: string, template: string): string {
  const parts = template.split(/(\{[^{}]*\})/)
  return `${GATEWAY}${slug}/${parts.map((part, i) => (i % 2 === 0 ? encode(part) : part)).join('')}`
}

/** An upstream's resource. */
interface NamedResource {
  readonly slug: string
  /** The upstream's URI. */
  readonly uri: string
}

/** The upstream's resource that a URI of this gateway names; undefined if it names none. */
export function fromGatewayUri(uri: string): NamedResource | undefined {
  const prefix = [GATEWAY, GATEWAY_UI].find(prefix => uri.startsWith(prefix))
  if (prefix === undefined) return undefined
  const rest = uri.slice(prefix.length)
  const end = rest.indexOf('/')
  const slug = rest.slice(0, end)
  if (end < 0 || !isSlug(slug)) return undefined
  try {
    const named = decodeURIComponent(rest.slice(end + 1))
    return named === '' || named.length > MAX_URI ? undefined : { slug, uri: named }
  } catch {
    return undefined
  }
}

function encode(uri: string): string {
  // Throws for an unpaired surrogate.
  return encodeURIComponent(uri.toWellFormed())
}
