import {
  clearable,
  converted,
  each,
  flag,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../services/definitions/arguments.ts'
import { done } from '../../../services/definitions/http-tool.ts'
import { reads, tool } from '../../../services/definitions/tool.ts'
import { googlePages } from '../google.ts'
import { dayOrInstant, instant, pageSize, pageStart } from '../shared-arguments.ts'

/** The path of the events of a calendar. */
const EVENTS = '/calendars/{calendar_id}/events'

/** A calendar. */
const calendar_id = {
  ...optional(text('The ID of the calendar, from list_calendars. Default: primary, your own calendar.', 320)),
  default: 'primary',
}

/** An event. A recurring event and each of its instances have their own IDs. */
const event_id = text('The ID of the event, from list_events, or of one occurrence, from list_instances.', 1024, {
  pattern: '^[^/]+$',
})

/** Whom Google sends emails about a change. The default is that of its own pages. */
const sendUpdates = converted(
  'camel-case',
  named('notify', {
    ...optional(
      oneOf(
        ['all', 'external_only', 'none'],
        'Who gets an email: all guests, only those without Google Calendar, or none. Guests without an email ' +
          'may never learn of the change. Default: all.',
      ),
    ),
    default: 'all',
  }),
)

/** A time zone of the IANA database. */
const timeZone = optional(
  text('The time zone of the event: Europe/Berlin. Required for recurring events.', 64, {
    pattern: '^[A-Za-z0-9_+/-]+$',
  }),
)

const scopes = ['https://www.googleapis.com/auth/calendar.events']
const eventFields = `id status summary description location start end recurrence recurringEventId organizer { email displayName }
  attendees { email displayName responseStatus optional self } hangoutLink htmlLink transparency visibility updated`
const guests = (description: string) =>
  optional(list(text('', 320, { pattern: '^[^@\\s]+@[^@\\s]+$' }), description, 200, { min: 0 }))
const guest = { email: '{item}' }
const recurrence = optional(
  list(text('', 1000), 'Lines of RFC 5545: RRULE:FREQ=WEEKLY;BYDAY=TU. Repeats the event.', 20),
)
const newTime = (name: string, description: string) => ({
  '...': converted('date-or-time', named(name, dayOrInstant(description))),
  timeZone: named('time_zone', timeZone),
})
const changedTime = (name: string, description: string) => ({
  '...': converted('date-or-time-only', named(name, optional(dayOrInstant(description)))),
  timeZone: named('time_zone', timeZone),
})

/** Google Calendar's tools. */
export const calendarTools = [
  tool(`list_events: GET ${EVENTS}`, {
    title: 'List events',
    description:
      'List or search the events of a calendar, in the order of their start; recurring events as their single ' +
      'instances. Give from and to for a day or a week. Returns IDs, times, guests and their answers.',
    scopes,
    path: { calendar_id },
    query: {
      timeMin: named('from', optional(instant('Only events that end after this time.'))),
      timeMax: named('to', optional(instant('Only events that start before this time.'))),
      q: named('query', optional(text('Words in the title, description, place or guests.', 500))),
      showDeleted: optional(flag('Include deleted events, which have the status cancelled.')),
      singleEvents: true,
      orderBy: 'startTime',
      maxResults: pageSize(50, 250),
      pageToken: pageStart,
    },
    pagination: googlePages('/items'),
    keep: eventFields,
  }),

  tool(`get_event: GET ${EVENTS}/{event_id}`, {
    title: 'Get an event',
    description: 'Read one event: title, times, place, description, guests and their answers, conference link.',
    scopes,
    path: { calendar_id, event_id },
    keep: `${eventFields} conferenceData { entryPoints { entryPointType uri } } attachments { title fileUrl } reminders`,
  }),

  tool(`list_instances: GET ${EVENTS}/{event_id}/instances`, {
    title: 'List the instances of an event',
    description:
      'List the single instances of a recurring event. Pass their IDs to update_event to change one of them.',
    scopes,
    path: { calendar_id, event_id },
    query: {
      timeMin: named('from', optional(instant('Only instances that end after this time.'))),
      timeMax: named('to', optional(instant('Only instances that start before this time.'))),
      maxResults: pageSize(50, 250),
      pageToken: pageStart,
    },
    pagination: googlePages('/items'),
    keep: 'id status summary start end originalStartTime',
  }),

  tool(`create_event: POST ${EVENTS}`, {
    title: 'Create an event',
    description:
      'Create an event and invite guests, by email unless notify says otherwise. Find a free time with ' +
      'find_busy_times first. The end of an all-day event is the day after its last one.',
    scopes,
    path: { calendar_id },
    query: { sendUpdates },
    json: {
      summary: named('title', text('The title.', 1024)),
      start: newTime('start', 'The start.'),
      end: newTime('end', 'The end.'),
      description: optional(text('The description.', 8192)),
      location: optional(text('The place.', 1024)),
      attendees: each(guests('The email addresses of the guests.'), guest),
      recurrence,
    },
    keep: eventFields,
  }),

  tool(`quick_add_event: POST ${EVENTS}/quickAdd`, {
    title: 'Create an event from a sentence',
    description:
      'Create an event from a sentence with its time: Lunch with Ada tomorrow 12:30. Guests named in it get an email ' +
      'unless notify says otherwise.',
    scopes,
    path: { calendar_id },
    query: { text: text('The sentence.', 1024), sendUpdates },
    keep: eventFields,
  }),

  tool(`update_event: PATCH ${EVENTS}/{event_id}`, {
    title: 'Update an event',
    description:
      'Update an event. Guests get an email unless notify says otherwise. Omitted fields stay unchanged. attendees ' +
      'is the full list: guests who stay keep their answers. The ID of an instance changes only that instance, the ' +
      'ID of a recurring event all instances.',
    scopes,
    path: { calendar_id, event_id },
    steps: [
      {
        step: `event: GET ${EVENTS}/{event_id}`,
        given: ['attendees'],
        keep: { guests: { pointer: '/attendees', otherwise: [] }, etag: '/etag' },
      },
    ],
    query: { sendUpdates },
    // A guest may answer between the two requests.
    headers: { 'if-match': '{event.etag}' },
    json: {
      summary: named('title', optional(text('The title.', 1024))),
      start: changedTime('start', 'The new start. Give end too.'),
      end: changedTime('end', 'The new end.'),
      description: clearable(text('The description.', 8192)),
      location: clearable(text('The place.', 1024)),
      attendees: each(guests('The email addresses of all guests, including those from get_event who stay.'), guest, {
        list: 'event.guests',
        by: '/email',
      }),
      recurrence,
    },
    needsOneOf: ['title', 'start', 'end', 'description', 'location', 'attendees', 'recurrence'],
    keep: eventFields,
  }),

  tool(`move_event: POST ${EVENTS}/{event_id}/move`, {
    title: 'Move an event to another calendar',
    description:
      'Move an event to another of your calendars, which then organizes it. Guests get an email unless notify says otherwise.',
    scopes,
    path: { calendar_id, event_id },
    query: { destination: text('The ID of the other calendar, from list_calendars.', 320), sendUpdates },
    keep: 'id summary organizer { email } htmlLink',
  }),

  tool(`answer_invitation: PATCH ${EVENTS}/{event_id}`, {
    title: 'Answer an invitation',
    description:
      'Accept, decline or tentatively accept an event that you were invited to. The organizer gets an email unless ' +
      'notify says otherwise. Give the email address under which you were invited: the guest with self in get_event.',
    scopes,
    path: { calendar_id, event_id },
    query: { sendUpdates },
    json: {
      attendeesOmitted: true,
      attendees: [
        {
          email: text('Your email address in the attendees of list_events or get_event.', 320, {
            pattern: '^[^@\\s]+@[^@\\s]+$',
          }),
          responseStatus: named('answer', oneOf(['accepted', 'declined', 'tentative'], 'The answer.')),
          comment: optional(text('A message to the organizer.', 1000)),
        },
      ],
    },
    keep: 'id summary attendees { email responseStatus self }',
  }),

  tool(`delete_event: DELETE ${EVENTS}/{event_id}`, {
    title: 'Delete an event',
    description:
      'Delete an event, or with the ID of a recurring event all of its instances. Guests get an email unless notify ' +
      'says otherwise.',
    scopes,
    path: { calendar_id, event_id },
    query: { sendUpdates },
    returns: done('The event was deleted.'),
  }),

  tool('list_calendars: GET /users/me/calendarList', {
    title: 'List calendars',
    description: 'List your calendars: ID, name, time zone, and whether you may write to it (accessRole).',
    scopes: ['https://www.googleapis.com/auth/calendar.calendarlist.readonly'],
    query: { maxResults: pageSize(100, 250), pageToken: pageStart },
    pagination: googlePages('/items'),
    keep: 'id summary summaryOverride description timeZone accessRole primary hidden',
  }),

  tool('find_busy_times: POST /freeBusy', {
    title: 'Find busy times',
    description:
      'List when calendars are busy between two times; everything else is free. Use it to find a time for a meeting. ' +
      'Identify people by their email addresses.',
    annotations: reads,
    scopes: ['https://www.googleapis.com/auth/calendar.freebusy'],
    json: {
      timeMin: named('from', instant('The start.')),
      timeMax: named('to', instant('The end, at most about two months later.')),
      items: each(
        named(
          'calendars',
          list(text('', 320), 'Email addresses, or calendar IDs of list_calendars. Yours: primary.', 50),
        ),
        { id: '{item}' },
      ),
    },
    at: '/calendars',
    keep: '* { busy { start end } errors { reason } }',
  }),
]
