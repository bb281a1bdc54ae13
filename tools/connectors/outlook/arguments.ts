import { type TOptional, type TString, Type } from '@sinclair/typebox'
import {
  converted,
  each,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../services/definitions/arguments.ts'
import { day } from '../times.ts'

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

/** People as Outlook names them, of email addresses. */
export function people(name: string, schema: ReturnType<typeof addresses> | TOptional<ReturnType<typeof addresses>>) {
  return each(named(name, schema), { emailAddress: { address: '{item}' } })
}

/** The text of a message or an event, written in Markdown. */
export function body(description: string, { required = true, min = 1 } = {}) {
  const markdown = text(`${description} Markdown.`, 100_000, { min })
  const content = named('body', required ? markdown : optional(markdown))
  return { contentType: 'HTML', content: converted('markdown-to-message-html', content) }
}

/** The time zone in which times are returned and days begin. */
export const time_zone = {
  ...optional(
    text("A time zone of the IANA database, best the person's own: Europe/Berlin. Default: UTC.", 64, {
      pattern: '^[A-Za-z0-9_+/-]+$',
    }),
  ),
  default: 'UTC',
}

/** The header for times in that zone. */
export const inTimeZone = { prefer: `${PREFER}, outlook.timezone="{time_zone}"` }

/** A time, on the clocks of the zone. */
export function zoned(name: string, schema: Parameters<typeof named>[1]) {
  return converted('zoned-time', { time: named(name, schema), timeZone: named('time_zone', time_zone) })
}

const weekday = oneOf(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'])
const closed = { additionalProperties: false }

/** How an event repeats (https://learn.microsoft.com/graph/api/resources/patternedrecurrence). */
export const recurrence = Type.Object(
  {
    pattern: Type.Object(
      {
        type: oneOf(['daily', 'weekly', 'absoluteMonthly', 'relativeMonthly', 'absoluteYearly', 'relativeYearly']),
        interval: integer('Every how many days, weeks, months or years.', 1, 99),
        daysOfWeek: optional(list(weekday, 'For weekly and relative ones.', 7)),
        dayOfMonth: optional(integer('For absolute ones.', 1, 31)),
        month: optional(integer('For yearly ones.', 1, 12)),
        index: optional(oneOf(['first', 'second', 'third', 'fourth', 'last'], 'For relative ones.')),
      },
      closed,
    ),
    range: Type.Object(
      {
        type: oneOf(['endDate', 'noEnd', 'numbered']),
        startDate: day('The day of the first event, as in start.'),
        endDate: optional(day('The last day, for endDate.')),
        numberOfOccurrences: optional(integer('How many, for numbered.', 1, 999)),
      },
      closed,
    ),
  },
  { ...closed, description: 'Repeats the event. Give time_zone too.' },
)
