import { parse } from 'secure-json-parse'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { FieldConverter, LossyForm } from '../../../definitions/http-tool-types.ts'
import type { Converter } from '../../../definitions/template.ts'
import { adfToMarkdown } from './adf-to-markdown.ts'
import { readGmailMessage, readGmailMessages, writeEmail } from './emails.ts'
import { requireText } from './file-text.ts'
import { type ConversionState, htmlToMarkdown } from './html-to-markdown.ts'
import { lossesOf } from './losses.ts'
import { answerHtml, markdownToHtml } from './markdown.ts'
import { appendToAdf, markdownToAdf } from './markdown-to-adf.ts'
import { markdownToAsana } from './markdown-to-asana.ts'
import { markdownToMrkdwn, mrkdwnToMarkdown } from './mrkdwn.ts'
import { uploadType } from './text-type.ts'
import { isDay, zonedTime } from './zoned-time.ts'

/** Converts an argument, or an object of arguments as its JSON. Null stays null, so that it clears the value. */
export const CONVERTERS: Readonly<Record<Converter, (value: string) => unknown>> = {
  'markdown-to-adf': markdownToAdf,
  'markdown-to-asana': markdownToAsana,
  'markdown-to-mrkdwn': markdownToMrkdwn,
  'markdown-to-html': markdownToHtml,
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  text: text => text,
  number: Number,
  'next-number': text => Number(text) + 1,
  'epoch-seconds': text => Math.floor(Date.parse(text) / 1000),
  'time-with-plain-offset': text => new Date(text).toISOString().replace('Z', '+0000'),
  'date-or-time': text => (isDay(text) ? { date: text } : { dateTime: text }),
  'date-or-time-only': text => (isDay(text) ? { date: text, dateTime: null } : { dateTime: text, date: null }),
  null: () => null,
  'camel-case': text => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  'id-or-key': text => (/^\d+$/.test(text) ? { id: text } : { key: text.toUpperCase() }),
  'answer-html': answerHtml,
  'is-day': isDay,
  'append-to-adf': appendToAdf,
  'upload-type': uploadType,
  'zoned-time': zonedTime,
  odata,
  email: writeEmail,
}

/** Converts a kept field. Returns undefined for a value that has another form than the provider documents. */
export type ConvertField = (value: unknown, state: ConversionState) => unknown

/** The converters of kept fields by name. */
export const FIELD_CONVERTERS: Readonly<Record<FieldConverter, ConvertField>> = {
  'adf-to-markdown': noting('adf', value => adfToMarkdown(typeof value === 'string' ? parsed(value) : value)),
  'notion-markdown': noting('notion', value => (typeof value === 'string' ? value : undefined)),
  'mrkdwn-to-markdown': mrkdwnToMarkdown,
  'html-to-markdown': (value, state) => (typeof value === 'string' ? markdownOf(value, state) : undefined),
  'body-to-markdown': bodyToMarkdown,
  // Accepts both alphabets.
  'base64-to-text': (value, { pdfs }) =>
    typeof value === 'string' ? (pdfs.get(value) ?? requireText(Buffer.from(value, 'base64').toString())) : undefined,
  'epoch-seconds-to-time': value => timeOf(Number(value) * 1000),
  'gmail-message': readGmailMessage,
  'gmail-messages': readGmailMessages,
}

/** Notes what the Markdown of a document lacks. The HTML of messages is not checked, because most of it has images. */
function noting(form: LossyForm, convert: ConvertField): ConvertField {
  return function noted(value, state) {
    const markdown = convert(value, state)
    if (markdown !== undefined) for (const what of lossesOf(form, value)) state.lost.add(what)
    return markdown
  }
}

function markdownOf(text: string, state: ConversionState): string {
  return state.htmlLeft === 0 && text !== '' ? LEFT_OUT : htmlToMarkdown(text, state)
}

const LEFT_OUT = '(omitted: the result has too much HTML; request fewer items)'

/** A body of Microsoft Graph: its text, and whether it is HTML. */
function bodyToMarkdown(body: unknown, state: ConversionState): string | undefined {
  const { contentType, content } = Object(body)
  if (typeof content !== 'string') return undefined
  return /^html$/i.test(contentType) ? markdownOf(content, state) : content
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

/** The positions of the value in a condition: a text, the end of a search clause, or a literal. */
const PLACES = /'\?'|"([^"?]*)\?"|\?/g
/** The literals that OData writes without quotes: times, numbers, true and false. */
const LITERAL = /^[\w.:+-]+$/

/**
 * Joins conditions of OData with `and`, from an object of values by condition as JSON. In a condition, `'?'` is its value
 * as a text, `"name:?"` a clause of a search, and `?` the value as it is. Throws invalid_request for a value that needs
 * quotes and has none.
 */
function odata(json: string): string {
  const conditions: Readonly<Record<string, unknown>> = JSON.parse(json)
  return Object.entries(conditions)
    .map(([condition, value]) => condition.replace(PLACES, (place, name) => written(String(value), place, name)))
    .join(' and ')
}

function written(value: string, place: string, name: string | undefined): string {
  if (name !== undefined) return `"${name}${value.replace(/["\\]/g, '\\$&')}"`
  if (place !== '?') return `'${value.replaceAll("'", "''")}'`
  if (LITERAL.test(value)) return value
  throw new GatewayError('invalid_request', `A filter cannot compare with ${JSON.stringify(value)}. Correct it.`)
}
