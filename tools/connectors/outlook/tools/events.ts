import {
  converted,
  each,
  flag,
  integer,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { dayOrInstant } from '../../times.ts'
import { addresses, body, id, inTimeZone, recurrence, time_zone, zoned } from '../arguments.ts'

const scopes = ['Calendars.ReadWrite']
const keep = `id subject isAllDay start { dateTime timeZone } end { dateTime timeZone } location { displayName } isCancelled
  isOrganizer organizer { emailAddress { name address } } attendees { type emailAddress { name address } status { response } }
  responseStatus { response } onlineMeeting { joinUrl } showAs type seriesMasterId webLink`
const path = {
  event_id: id('The ID of the event, from list_events or create_event; of a whole series its seriesMasterId.'),
}
const attendees = (description: string, min = 1) =>
  each(named('attendees', optional(addresses(description, { min }))), {
    type: 'required',
    emailAddress: { address: '{item}' },
  })
const [start, end] = [dayOrInstant('The start.'), dayOrInstant('The end.')]
const [newStart, newEnd] = [
  optional(dayOrInstant('The new start. Give end too.')),
  optional(dayOrInstant('The new end.')),
]
const settings = {
  showAs: optional(oneOf(['free', 'tentative', 'busy', 'oof', 'workingElsewhere'], 'How others see the time.')),
  reminderMinutesBeforeStart: named(
    'reminder_minutes',
    optional(integer('The reminder, in minutes before.', 0, 40_320)),
  ),
}
const newEvent = {
  subject: named('title', text('The title.', 255)),
  start: zoned('start', start),
  end: zoned('end', end),
  isAllDay: converted('is-day', named('start', start)),
  body: body('The description.', { required: false }),
  location: { displayName: named('location', optional(text('The place.', 255))) },
  attendees: attendees('The email addresses of the guests, who are invited by email.'),
  isOnlineMeeting: named(
    'online_meeting',
    optional(flag('Whether to add a meeting link, of Teams where there is Teams.')),
  ),
  recurrence: optional(recurrence),
  ...settings,
}

const getEvent = tool('get_event: GET /me/events/{event_id}', {
  title: 'Get an event',
  description: 'Read one event: title, times, place, description as Markdown, guests and their answers, meeting link.',
  scopes: ['Calendars.Read'],
  path: { ...path, time_zone },
  headers: inTimeZone,
  keep: `${keep} body|body-to-markdown recurrence`,
})

const createEvent = tool('create_event: POST /me/events', {
  title: 'Create an event',
  description:
    'Create an event in the default calendar, and invite guests. Find a free time with find_meeting_times or ' +
    'find_busy_times first. The end of an all-day event is the day after its last one.',
  scopes,
  headers: inTimeZone,
  json: newEvent,
  keep,
})

const createCalendarEvent = tool('create_calendar_event: POST /me/calendars/{calendar_id}/events', {
  title: 'Create an event in another calendar',
  description: 'Create an event as with create_event, but in another calendar.',
  scopes,
  path: { calendar_id: id('The ID of the calendar, from list_calendars.') },
  headers: inTimeZone,
  json: newEvent,
  keep,
})

const updateEvent = tool('update_event: PATCH /me/events/{event_id}', {
  title: 'Update an event',
  description:
    'Update an event. Outlook notifies the guests. Omitted fields stay unchanged. attendees replaces the guest list and makes ' +
    'each guest a required one: give all guests from get_event. A new body removes the meeting link from the text and can ' +
    'end the online meeting.',
  scopes,
  path,
  headers: inTimeZone,
  json: {
    subject: named('title', optional(text('The title.', 255))),
    start: zoned('start', newStart),
    end: zoned('end', newEnd),
    isAllDay: converted('is-day', named('start', newStart)),
    body: body('The description. Empty removes it.', { required: false, min: 0 }),
    location: { displayName: named('location', optional(text('The place. Empty removes it.', 255, { min: 0 }))) },
    attendees: attendees('The email addresses of all guests.', 0),
    ...settings,
  },
  needsOneOf: ['title', 'start', 'end', 'body', 'location', 'attendees', 'show_as', 'reminder_minutes'],
  keep,
})

const cancelEvent = tool('cancel_event: POST /me/events/{event_id}/cancel', {
  title: 'Cancel a meeting',
  description: 'Cancel a meeting that you organize, with a message to its guests. For other events, use delete_event.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scopes,
  path,
  json: { comment: optional(text('The message to the guests, plain text.', 2000)) },
  returns: done('The meeting was cancelled.'),
})

const deleteEvent = tool('delete_event: DELETE /me/events/{event_id}', {
  title: 'Delete an event',
  description:
    'Delete an event from your calendar; a series with its seriesMasterId. Guests of a meeting that you organize get a ' +
    'cancellation.',
  scopes,
  path,
  returns: done('The event was deleted.'),
})

const answerInvitation = tool('answer_invitation: POST /me/events/{event_id}/{answer}', {
  title: 'Answer an invitation',
  description:
    'Accept, decline or tentatively accept a meeting to which you were invited. Declining removes the meeting from your ' +
    'calendar.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scopes,
  path: { ...path, answer: oneOf(['accept', 'decline', 'tentativelyAccept']) },
  json: {
    comment: optional(text('A message to the organizer, plain text.', 2000)),
    sendResponse: named('notify', {
      ...optional(flag('Whether to notify the organizer. Default: true.')),
      default: true,
    }),
  },
  returns: done('The invitation was answered.'),
})

/** Outlook's tools for single events. */
export const eventTools = [
  getEvent,
  createEvent,
  createCalendarEvent,
  updateEvent,
  cancelEvent,
  deleteEvent,
  answerInvitation,
]
