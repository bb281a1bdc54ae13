import { GatewayError } from '../../../../lib/errors/errors.ts'
import { type ConversionState, htmlToMarkdown } from './html-to-markdown.ts'
import { markdownToHtml } from './markdown.ts'

/** An email as a model writes it. */
interface Email {
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly bcc?: readonly string[]
  readonly subject: string
  /** Markdown, or plain text. */
  readonly body: string
  readonly format?: 'markdown' | 'text'
  /** The Message-ID of the answered message, and its References. */
  readonly in_reply_to?: string
  readonly references?: string
}

const ADDRESS = /^(?:([^<>]*?)\s*<)?([\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(>?)$/
/** The maximum number of bytes in an encoded word of at most 75 characters (RFC 2047, section 2). */
const MAX_WORD_BYTES = 45
/** It cannot be in the parts, because Base64 has no underscore. */
const BOUNDARY = 'part_of_the_message'
/** A longer chain keeps its beginning and its end (RFC 5536, section 3.4.4). */
const MAX_REFERENCES = 20

/**
 * Builds an RFC 5322 message and encodes it as base64url, from an `Email` as JSON. The sender adds From, Date and
 * Message-ID. Markdown becomes text and HTML. Every value of a header is encoded, so that none can add another header.
 * Throws invalid_request for an invalid address.
 */
export function writeEmail(json: string): string {
  const { to, cc, bcc, subject, body, format = 'markdown', in_reply_to = '', references = '' }: Email = JSON.parse(json)
  const answered = messageIds(in_reply_to).slice(0, 1)
  const lines = [
    ...addressLines('To', to),
    ...addressLines('Cc', cc),
    ...addressLines('Bcc', bcc),
    `Subject: ${encodedText(subject)}`,
    ...idLines('In-Reply-To', answered),
    ...idLines('References', [...messageIds(references).filter(id => !answered.includes(id)), ...answered]),
    'MIME-Version: 1.0',
    ...(format === 'text' ? part('plain', body) : alternatives(body)),
  ]
  return Buffer.from(lines.join('\r\n')).toString('base64url')
}

function addressLines(name: string, addresses: readonly string[] | undefined): string[] {
  if (addresses === undefined || addresses.length === 0) return []
  return [`${name}: ${addresses.map(encodedAddress).join(',\r\n ')}`]
}

/** Encodes `ada@example.com` or `Ada Lovelace <ada@example.com>`. */
function encodedAddress(written: string): string {
  const [, name, address, end] = ADDRESS.exec(written.trim()) ?? []
  if (address === undefined || (name === undefined) !== (end === ''))
    throw new GatewayError(
      'invalid_request',
      `${JSON.stringify(written)} is not an email address. Write ada@example.com or Ada Lovelace <ada@example.com>.`,
    )
  const called = name?.replace(/^"(.*)"$/, '$1').trim() ?? ''
  return called === '' ? address : `${encodedWords(called)} <${address}>`
}

/** Encodes a text unless it is short ASCII that cannot be taken for an encoded word. */
function encodedText(text: string): string {
  return /^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?') ? text : encodedWords(text)
}

/** Encodes a text as words (RFC 2047), each with whole characters. Control characters become spaces. */
function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed().replace(/\p{Cc}+/gu, ' ')) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map(part => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')
}

/** Returns the message IDs in a header. */
function messageIds(header: string): string[] {
  return [...new Set(header.match(/<[!-;=?-~]{1,900}>/g))]
}

function idLines(name: string, ids: readonly string[]): string[] {
  const kept = ids.length > MAX_REFERENCES ? [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)] : ids
  return kept.length === 0 ? [] : [`${name}: ${kept.join('\r\n ')}`]
}

function alternatives(markdown: string): string[] {
  return [
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    '',
    ...[part('plain', markdown), part('html', markdownToHtml(markdown))].flatMap(lines => [`--${BOUNDARY}`, ...lines]),
    `--${BOUNDARY}--`,
    '',
  ]
}

function part(type: 'plain' | 'html', text: string): string[] {
  const content = Buffer.from(text.toWellFormed().replace(/\r\n?|\n/g, '\r\n')).toString('base64')
  return [
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(content.match(/.{1,76}/g) ?? []),
    '',
  ]
}

/** A part of a message as Gmail parses it (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#MessagePart). */
interface Part {
  readonly mimeType?: unknown
  readonly filename?: unknown
  readonly headers?: unknown
  readonly body?: { readonly data?: unknown; readonly attachmentId?: unknown; readonly size?: unknown }
  readonly parts?: unknown
}

/** What is read of the parts of a message, and how much HTML may still be converted. */
interface Reading {
  readonly attachments: Record<string, unknown>[]
  readonly state: ConversionState
}

/** The headers that a message keeps, by their lower-case names. */
const HEADERS: Readonly<Record<string, string>> = {
  from: 'from',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  'reply-to': 'reply_to',
  date: 'date',
  subject: 'subject',
  'message-id': 'message_id',
  references: 'references',
}
/** Deeper parts are left out, so that a hostile message does not exhaust the stack. */
const MAX_DEPTH = 20
const MAX_ATTACHMENTS = 50
/** The text of a longer part is cut, in characters of Base64. Results keep less. */
const MAX_DATA = 200_000

/**
 * Converts the `payload` of a message: `from`, `to`, `date` and other headers, `text` (plain, or Markdown of a message
 * that has only HTML) and `attachments`. Returns undefined for another value.
 */
export function readGmailMessage(payload: unknown, state: ConversionState): Record<string, unknown> | undefined {
  if (!isPart(payload)) return undefined
  const reading: Reading = { attachments: [], state }
  const text = textOf(payload, reading, 0).trim()
  return { ...headersOf(payload), text, ...(reading.attachments.length > 0 && { attachments: reading.attachments }) }
}

/** Converts the messages of a thread. Messages whose HTML is too much keep their `snippet` instead of their text. */
export function readGmailMessages(
  messages: unknown,
  state: ConversionState,
): readonly Record<string, unknown>[] | undefined {
  if (!Array.isArray(messages)) return undefined
  return messages.map(message => {
    const { id, threadId, labelIds, snippet, payload } = Object(message)
    const read = readGmailMessage(payload, state)
    return { id, threadId, labelIds, ...(!read?.text && { snippet }), payload: read }
  })
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && ('mimeType' in value || 'headers' in value)
}

function headersOf({ headers }: Part): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const header of Array.isArray(headers) ? headers : []) {
    const name = HEADERS[String(header?.name).toLowerCase()]
    if (name !== undefined && kept[name] === undefined && typeof header.value === 'string')
      kept[name] = header.value.replace(/\s+/g, ' ').trim()
  }
  return kept
}

/** Returns the text of a part and its parts, and collects the attachments. */
function textOf(part: Part, reading: Reading, depth: number): string {
  const type = String(part.mimeType).toLowerCase()
  if (typeof part.filename === 'string' && part.filename !== '') {
    const { attachmentId: attachment_id, size } = part.body ?? {}
    const attachment = { filename: part.filename, type, size, attachment_id }
    if (reading.attachments.length < MAX_ATTACHMENTS) reading.attachments.push(attachment)
    return ''
  }
  if (type.startsWith('multipart/')) return textOfParts(part, type, reading, depth + 1)
  if (type === 'text/html') return htmlToMarkdown(decoded(part), reading.state)
  return type === 'text/plain' ? decoded(part) : ''
}

function textOfParts({ parts }: Part, type: string, reading: Reading, depth: number): string {
  if (depth > MAX_DEPTH || !Array.isArray(parts)) return ''
  const present = parts.filter(isPart)
  const read = (part: Part) => textOf(part, reading, depth)
  if (type !== 'multipart/alternative') return present.map(read).filter(isWritten).join('\n\n')
  const plain = present
    .filter(({ mimeType }) => mimeType === 'text/plain')
    .map(read)
    .find(isWritten)
  // HTML is converted only if it is needed; other alternatives may have attachments.
  const others = present.filter(({ mimeType }) => mimeType !== 'text/plain' && (!plain || mimeType !== 'text/html'))
  const written = others.map(read).find(isWritten)
  return plain ?? written ?? ''
}

function isWritten(text: string): boolean {
  return text.trim() !== ''
}

/** Decodes a text: Gmail usually gives UTF-8, whatever the headers say. */
function decoded({ body, headers }: Part): string {
  if (typeof body?.data !== 'string') return ''
  const bytes = Buffer.from(body.data.slice(0, MAX_DATA), 'base64url')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decodedAs(charsetOf(headers), bytes)
  }
}

function charsetOf(headers: unknown): string {
  const found = (Array.isArray(headers) ? headers : []).find(header => /^content-type$/i.test(String(header?.name)))
  return /charset="?([\w.:-]{1,40})/i.exec(String(found?.value))?.[1] ?? 'utf-8'
}

function decodedAs(charset: string, bytes: Buffer): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
