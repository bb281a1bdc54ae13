import { createRequire } from 'node:module'
import { readBounded } from '../../../../lib/egress/bodies.ts'
import type { EgressAnswer, EgressStream } from '../../../../lib/egress/egress.ts'
import { numberOf, retryAfter, secondsUntil } from '../../../../lib/http/headers.ts'
import { parseUpstream } from '../../../../lib/http/json.ts'
import type { Redact } from '../../../../lib/redaction/redactor.ts'
import type { RateLimitHeaders } from '../../../definitions/connector-types.ts'

/** An answer of a provider. All text that leaves the gateway must go through `redact`. */
export interface ProviderAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** A PDF, for tools that return a file as a text; the body is empty then. */
  readonly pdf?: Buffer
  /** The parsed body, if it is JSON, or XML of a host that answers in it. */
  readonly json: unknown
  /** Replaces the account's secrets in a text. */
  readonly redact: Redact
}

/** The bytes to read of an error response in place of a file. The message is near its beginning. */
const MAX_ERROR_BYTES = 262_144

/** Converts an egress answer. It parses the body if the caller asks for it or the body is short. */
export function readAnswer(
  { status, headers, body }: Pick<EgressAnswer, 'status' | 'headers' | 'body'>,
  redact: Redact,
  { json: wanted, xml = false }: { json: boolean; xml?: boolean },
): ProviderAnswer {
  // An error body is only searched for a message.
  const parse = xml ? readXml : parseUpstream
  const json = (wanted && status < 300) || body.length <= MAX_ERROR_BYTES ? parse(body) : undefined
  return { status, headers, body, json, redact }
}

/** Reads the beginning of a streamed error response in place of a file. */
export async function readStream({ status, headers, body }: EgressStream, redact: Redact): Promise<ProviderAnswer> {
  const { bytes } = await readBounded(body, MAX_ERROR_BYTES)
  return readAnswer({ status, headers, body: bytes.toString() }, redact, { json: false })
}

/** The wait if the provider states none. Most providers count per minute. */
const DEFAULT_WAIT_S = 60
const MAX_WAIT_S = 86_400

/** Whether a status and its headers mean that there were too many calls. */
export function isRateLimited(
  status: number,
  headers: Readonly<Record<string, string>>,
  declared: RateLimitHeaders | undefined,
): boolean {
  if (status === 429) return true
  if (status !== 403) return false
  // GitHub's secondary limits are a 403 with Retry-After, although calls remain.
  if (headers['retry-after'] !== undefined) return true
  return declared?.remaining !== undefined && headers[declared.remaining.toLowerCase()]?.trim() === '0'
}

/**
 * Returns the whole seconds to wait, from 1 to a day: from `Retry-After`, else from the provider's own header, else a
 * minute.
 */
export function secondsToWait(
  headers: Readonly<Record<string, string>>,
  declared: RateLimitHeaders | undefined,
  now: number,
): number {
  const asked = retryAfter(headers['retry-after'], now) ?? ownReset(headers, declared, now) ?? DEFAULT_WAIT_S
  return Math.min(Math.max(Math.ceil(asked), 1), MAX_WAIT_S)
}

function ownReset(
  headers: Readonly<Record<string, string>>,
  declared: RateLimitHeaders | undefined,
  now: number,
): number | undefined {
  const value = declared === undefined ? undefined : headers[declared.reset.toLowerCase()]
  if (declared === undefined || value === undefined) return undefined
  if (declared.unit === 'iso') return secondsUntil(value, now)
  const number = numberOf(value)
  if (number === undefined || declared.unit === 'seconds') return number
  return ((declared.unit === 'epoch-s' ? number * 1_000 : number) - now) / 1_000
}

const require = createRequire(import.meta.url)

/** An element: its attributes and children by name, and its text as `_content`. */
interface Element {
  [member: string]: unknown
}

/** Deeper elements make an answer unreadable. */
const MAX_DEPTH = 50

/**
 * Reads an answer in XML as the members of its root element: attributes as texts, children as objects, several of one
 * name as a list, and text as `_content`. Returns undefined for other texts. The parser is loaded at the first use.
 */
export function readXml(text: string): Element | undefined {
  if (!/^\s*</.test(text)) return undefined
  const { Parser }: typeof import('htmlparser2') = require('htmlparser2')
  const root = newElement()
  const open = [root]
  let tooDeep = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = Object.assign(newElement(), attributes)
        const parent = open.at(-1)
        if (parent !== undefined) add(parent, name, element)
        open.push(element)
        tooDeep ||= open.length > MAX_DEPTH
      },
      ontext(part) {
        const element = open.at(-1)
        if (element !== undefined && element !== root) element._content = `${element._content ?? ''}${part}`
      },
      onclosetag() {
        const element = open.pop()
        if (typeof element?._content === 'string' && element._content.trim() === '') delete element._content
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  const [first] = Object.values(root)
  return tooDeep || typeof first !== 'object' || Array.isArray(first) ? undefined : (first as Element)
}

/** Has no prototype: the provider chooses the names. */
function newElement(): Element {
  return Object.create(null)
}

function add(parent: Element, name: string, child: Element): void {
  const there = parent[name]
  if (Array.isArray(there)) there.push(child)
  else parent[name] = there === undefined ? child : [there, child]
}
