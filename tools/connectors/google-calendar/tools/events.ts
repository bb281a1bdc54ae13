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
} from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { dayOrInstant, instant } from '../../times.ts'
import { calendar_id, EVENTS, event_id, sendUpdates, timeZone } from '../arguments.ts'

const scopes = ['https://www.googleapis.com/auth/calendar.events']
const keep = `id status summary description location start end recurrence recurringEventId organizer { email displayName }
  attendees { email displayName responseStatus optional self } hangoutLink htmlLink transparency visibility updated`
const attendees = (description: string) =>
  each(optional(list(text('', 320, { pattern: '^[^@\\s]+@[^@\\s]+$' }), description, 200, { min: 0 })), {
    email: '{item}',
  })
const recurrence = optional(
  list(text('', 1000), 'Lines of RFC 5545: RRULE:FREQ=WEEKLY;BYDAY=TU. Repeats the event.', 20),
)
const time = (name: string, description: string, required: boolean) => ({
  '...': converted(
    'date-or-time',
    named(name, required ? dayOrInstant(description) : optional(dayOrInstant(description))),
  ),
  timeZone: named('time_zone', timeZone),
})

const listEvents = tool(`list_events: GET ${EVENTS}`, {
  title: 'List events',
  description:
    'List or search the events of a calendar, in the order of their start; recurring events as their single instances. ' +
    'Give from and to for a day or a week. Returns IDs, times, guests and their answers.',
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
  keep,
})

const getEvent = tool(`get_event: GET ${EVENTS}/{event_id}`, {
  title: 'Get an event',
  description: 'Read one event: title, times, place, description, guests and their answers, conference link.',
  scopes,
  path: { calendar_id, event_id },
  keep: `${keep} conferenceData { entryPoints { entryPointType uri } } attachments { title fileUrl } reminders`,
})

const listInstances = tool(`list_instances: GET ${EVENTS}/{event_id}/instances`, {
  title: 'List the instances of an event',
  description: 'List the single instances of a recurring event. Pass their IDs to update_event to change one of them.',
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
})

const createEvent = tool(`create_event: POST ${EVENTS}`, {
  title: 'Create an event',
  description:
    'Create an event and invite guests. Find a free time with find_busy_times first. The end of an all-day event is the ' +
    'day after its last one. Guests receive an email if notify is all.',
  scopes,
  path: { calendar_id },
  query: { sendUpdates },
  json: {
    summary: named('title', text('The title.', 1024)),
    start: time('start', 'The start.', true),
    end: time('end', 'The end.', true),
    description: optional(text('The description.', 8192)),
    location: optional(text('The place.', 1024)),
    attendees: attendees('The email addresses of the guests.'),
    recurrence,
  },
  keep,
})

const quickAddEvent = tool(`quick_add_event: POST ${EVENTS}/quickAdd`, {
  title: 'Create an event from a sentence',
  description: 'Create an event from a sentence with its time: Lunch with Ada tomorrow 12:30.',
  scopes,
  path: { calendar_id },
  query: { text: text('The sentence.', 1024), sendUpdates },
  keep,
})

const updateEvent = tool(`update_event: PATCH ${EVENTS}/{event_id}`, {
  title: 'Update an event',
  description:
    'Update an event. Omitted fields stay unchanged; attendees replaces all guests, so give the full list from ' +
    'get_event. The ID of an instance changes only that one, the ID of a recurring event all of them.',
  scopes,
  path: { calendar_id, event_id },
  query: { sendUpdates },
  json: {
    summary: named('title', optional(text('The title.', 1024))),
    start: time('start', 'The new start. Give end too.', false),
    end: time('end', 'The new end.', false),
    description: clearable(text('The description.', 8192)),
    location: clearable(text('The place.', 1024)),
    attendees: attendees('The email addresses of all guests.'),
    recurrence,
  },
  needsOneOf: ['title', 'start', 'end', 'description', 'location', 'attendees', 'recurrence'],
  keep,
})

const moveEvent = tool(`move_event: POST ${EVENTS}/{event_id}/move`, {
  title: 'Move an event to another calendar',
  description: 'Move an event to another of your calendars, which then organizes it.',
  scopes,
  path: { calendar_id, event_id },
  query: { destination: text('The ID of the other calendar, from list_calendars.', 320), sendUpdates },
  keep: 'id summary organizer { email } htmlLink',
})

const answerInvitation = tool(`answer_invitation: PATCH ${EVENTS}/{event_id}`, {
  title: 'Answer an invitation',
  description:
    'Accept, decline or tentatively accept an event that you were invited to. Give the email address under which you ' +
    'were invited: the guest with self in get_event.',
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
        responseStatus: named('answer', oneOf(['accepted', 'declined', 'tentative'])),
        comment: optional(text('A message to the organizer.', 1000)),
      },
    ],
  },
  keep: 'id summary attendees { email responseStatus self }',
})

const deleteEvent = tool(`delete_event: DELETE ${EVENTS}/{event_id}`, {
  title: 'Delete an event',
  description:
    'Delete an event, or with the ID of a recurring event all of its instances. Guests are told if notify is all.',
  scopes,
  path: { calendar_id, event_id },
  query: { sendUpdates },
  returns: done('The event was deleted.'),
})

/** Google Calendar's tools for events. */
export const eventTools = [
  listEvents,
  getEvent,
  listInstances,
  createEvent,
  quickAddEvent,
  updateEvent,
  moveEvent,
  answerInvitation,
  deleteEvent,
]
