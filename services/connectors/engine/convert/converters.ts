import { parse } from 'secure-json-parse'
import type { FieldConverter } from '../../../definitions/http-tool.ts'
import type { Converter } from '../../../definitions/template.ts'
import { adfToMarkdown } from './adf-to-markdown.ts'
import { type HtmlAllowance, htmlToMarkdown } from './html-to-markdown.ts'
import { markdownParser } from './markdown-parser.ts'
import { markdownToAdf } from './markdown-to-adf.ts'
import { markdownToAsana } from './markdown-to-asana.ts'
import { markdownToMessageHtml } from './markdown-to-message-html.ts'
import { markdownToMrkdwn, mrkdwnToMarkdown } from './mrkdwn.ts'
import { odata } from './odata.ts'
import { readGmailMessage, readGmailMessages } from './read-gmail-message.ts'
import { writeEmail } from './write-email.ts'
import { isDay, zonedTime } from './zoned-time.ts'

/** Converts an argument, or an object of arguments as its JSON. Null stays null, so that it clears the value. */
export const CONVERTERS: Readonly<Record<Converter, (value: string) => unknown>> = {
  'markdown-to-adf': markdownToAdf,
  'markdown-to-asana': markdownToAsana,
  'markdown-to-mrkdwn': markdownToMrkdwn,
  'markdown-to-html': text => markdownParser().render(text),
  'markdown-to-message-html': markdownToMessageHtml,
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  text: text => text,
  number: Number,
  'next-number': text => Number(text) + 1,
  'epoch-seconds': text => Math.floor(Date.parse(text) / 1000),
  'time-with-plain-offset': text => new Date(text).toISOString().replace('Z', '+0000'),
  'date-or-time': text => (isDay(text) ? { date: text } : { dateTime: text }),
  'id-or-key': text => (/^\d+$/.test(text) ? { id: text } : { key: text.toUpperCase() }),
  'is-day': isDay,
  'zoned-time': zonedTime,
  odata,
  email: writeEmail,
}

/** Converts a kept field. Returns undefined for a value that has another form than the provider documents. */
export type ConvertField = (value: unknown, html: HtmlAllowance) => unknown

/** The converters of kept fields by name. */
export const FIELD_CONVERTERS: Readonly<Record<FieldConverter, ConvertField>> = {
  'adf-to-markdown': value => adfToMarkdown(typeof value === 'string' ? parsed(value) : value),
  'mrkdwn-to-markdown': mrkdwnToMarkdown,
  'html-to-markdown': (value, html) => (typeof value === 'string' ? markdownOf(value, html) : undefined),
  'body-to-markdown': bodyToMarkdown,
  // Accepts both alphabets.
  'base64-to-text': value => (typeof value === 'string' ? Buffer.from(value, 'base64').toString() : undefined),
  'epoch-seconds-to-time': value => timeOf(Number(value) * 1000),
  'gmail-message': readGmailMessage,
  'gmail-messages': readGmailMessages,
}

function markdownOf(text: string, html: HtmlAllowance): string {
  return html.left === 0 && text !== '' ? LEFT_OUT : htmlToMarkdown(text, html)
}

const LEFT_OUT = '(left out: the result has too much HTML; request fewer items)'

/** A body of Microsoft Graph: its text, and whether it is HTML. */
function bodyToMarkdown(body: unknown, html: HtmlAllowance): string | undefined {
  const { contentType, content } = Object(body)
  if (typeof content !== 'string') return undefined
  return /^html$/i.test(contentType) ? markdownOf(content, html) : content
}

/** Parses JSON that a provider sends as text; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function timeOf(milliseconds: number): string | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
