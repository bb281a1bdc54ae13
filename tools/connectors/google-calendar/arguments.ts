import { named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'

/** The path of the events of a calendar. */
export const EVENTS = '/calendars/{calendar_id}/events'

/** A calendar. */
export const calendar_id = {
  ...optional(text('The ID of the calendar, from list_calendars. Default: primary, your own calendar.', 320)),
  default: 'primary',
}

/** An event. A recurring event and each of its instances have their own IDs. */
export const event_id = text(
  'The ID of the event, from list_events, or of one occurrence, from list_instances.',
  1024,
  { pattern: '^[^/]+$' },
)

/** Whom Google sends emails about a change. */
export const sendUpdates = named('notify', {
  ...optional(
    oneOf(
      ['all', 'externalOnly', 'none'],
      'Who is notified by email: all guests, guests elsewhere, or none. Default: none.',
    ),
  ),
  default: 'none',
})

/** A time zone of the IANA database. */
export const timeZone = optional(
  text('The time zone of the event: Europe/Berlin. Required for recurring events.', 64, {
    pattern: '^[A-Za-z0-9_+/-]+$',
  }),
)
