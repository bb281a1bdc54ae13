import { type HtmlAllowance, htmlToMarkdown } from './html-to-markdown.ts'

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
  readonly html: HtmlAllowance
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
export function readGmailMessage(payload: unknown, html: HtmlAllowance): Record<string, unknown> | undefined {
  if (!isPart(payload)) return undefined
  const reading: Reading = { attachments: [], html }
  const text = textOf(payload, reading, 0).trim()
  return { ...headersOf(payload), text, ...(reading.attachments.length > 0 && { attachments: reading.attachments }) }
}

/** Converts the messages of a thread. Messages whose HTML is too much keep their `snippet` instead of their text. */
export function readGmailMessages(
  messages: unknown,
  html: HtmlAllowance,
): readonly Record<string, unknown>[] | undefined {
  if (!Array.isArray(messages)) return undefined
  return messages.map(message => {
    const { id, threadId, labelIds, snippet, payload } = Object(message)
    const read = readGmailMessage(payload, html)
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
  if (type === 'text/html') return htmlToMarkdown(decoded(part), reading.html)
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
