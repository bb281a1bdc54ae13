import { type TOptional, type TString, Type } from '@sinclair/typebox'
import {
  converted,
  each,
  either,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../services/definitions/arguments.ts'
import { day } from '../shared-arguments.ts'

export const readScopes = ['Mail.Read']
export const writeScopes = ['Mail.ReadWrite']
export const sendScopes = ['Mail.Send']

/** Asks for IDs that stay the same when an item moves (https://learn.microsoft.com/graph/outlook-immutable-id). */
export const PREFER = 'IdType="ImmutableId"'

/** An ID of the mailbox. */
export function id(description: string): TString {
  return text(description, 1000, { pattern: '^[^\\s/]+$' })
}

export const message_id = id('The ID of the message, from search_messages, list_messages or get_conversation.')

/** A folder: some have names that every mailbox knows. */
export function folder(description: string): TString {
  return id(`${description} An ID from list_folders, or inbox, drafts, sentitems, archive, junkemail, deleteditems.`)
}

const email = text('', 320, { pattern: '^[^@\\s<>]+@[^@\\s<>]+$' })

/** Email addresses. */
export function addresses(description: string, { min = 1, max = 500 } = {}) {
  return list(email, description, max, { min })
}

/** People as Outlook names them, of email addresses. Those in a list that a step has read keep their names. */
export function people(
  name: string,
  schema: ReturnType<typeof addresses> | TOptional<ReturnType<typeof addresses>>,
  list?: string,
) {
  const keeping = list === undefined ? undefined : { list, by: '/emailAddress/address' }
  return each(named(name, schema), { emailAddress: { address: '{item}' } }, keeping)
}

/** The text of a message or an event, written in Markdown. */
export function body(description: string, { required = true, min = 1 } = {}) {
  const markdown = text(`${description} Markdown.`, 100_000, { min })
  const content = named('body', required ? markdown : optional(markdown))
  return { contentType: 'HTML', content: converted('markdown-to-html', content) }
}

/**
 * A comment that Outlook writes above an email or into an answer. It does not say whether it reads a comment as HTML: the
 * pattern makes both the same.
 */
export function comment(description: string): TString {
  return text(`${description} One line of plain text.`, 1000, { pattern: '^[^<>&\\r\\n]+$' })
}

const zone = (otherwise: string) =>
  optional(
    text(`A time zone of the IANA database, preferably the user's: Europe/Berlin. Default: ${otherwise}.`, 64, {
      pattern: '^[A-Za-z0-9_+/-]+$',
    }),
  )

/** The time zone in which times are returned and days begin. */
export const time_zone = { ...zone('UTC'), default: 'UTC' }

/** The time zone to which an event is changed. */
const newZone = zone('that of the event')

/** The header for times in that zone. */
export const inTimeZone = { prefer: `${PREFER}, outlook.timezone="{time_zone}"` }

/** A time, on the clocks of the zone. */
export function zoned(name: string, schema: Parameters<typeof named>[1]) {
  return converted('zoned-time', { time: named(name, schema), timeZone: named('time_zone', time_zone) })
}

/** A new time of an event, in the zone that the step `event` has read unless the call gives another one. */
export function rezoned(name: string, schema: Parameters<typeof named>[1], own: string) {
  const timeZone = either(named('time_zone', newZone), own)
  return converted('zoned-time', { time: named(name, schema), timeZone })
}

const weekday = oneOf(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'])
const closed = { additionalProperties: false }

/** How an event repeats (https://learn.microsoft.com/graph/api/resources/patternedrecurrence). */
export const recurrence = Type.Object(
  {
    pattern: Type.Object(
      {
        type: oneOf(
          ['daily', 'weekly', 'absoluteMonthly', 'relativeMonthly', 'absoluteYearly', 'relativeYearly'],
          'absolute: on a date. relative: on a weekday, such as the second Tuesday.',
        ),
        interval: integer('The interval in days, weeks, months or years.', 1, 99),
        daysOfWeek: optional(list(weekday, 'For weekly and relative recurrences.', 7)),
        dayOfMonth: optional(integer('For absolute recurrences.', 1, 31)),
        month: optional(integer('For yearly recurrences.', 1, 12)),
        index: optional(oneOf(['first', 'second', 'third', 'fourth', 'last'], 'For relative recurrences.')),
      },
      { ...closed, description: 'How often.' },
    ),
    range: Type.Object(
      {
        type: oneOf(['endDate', 'noEnd', 'numbered'], 'When it ends: on a date, never, or after a number of events.'),
        startDate: day('The day of the first event, as in start.'),
        endDate: optional(day('The last day, for endDate.')),
        numberOfOccurrences: optional(integer('The number of events, for numbered.', 1, 999)),
      },
      { ...closed, description: 'How long.' },
    ),
  },
  { ...closed, description: 'Repeats the event at the same local time in time_zone, which must be given too.' },
)
