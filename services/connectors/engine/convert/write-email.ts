import { GatewayError } from '../../../../lib/errors/errors.ts'
import { markdownToMessageHtml } from './markdown-to-message-html.ts'

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
    ...[part('plain', markdown), part('html', markdownToMessageHtml(markdown))].flatMap(lines => [
      `--${BOUNDARY}`,
      ...lines,
    ]),
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
