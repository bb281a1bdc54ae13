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
import { reads, tool, triggers } from '../../../../services/definitions/tool.ts'
import { graphList, graphPages, searchFor, searchPages } from '../../microsoft.ts'
import { cursor, dayOrInstant, instant, replace_all } from '../../shared-arguments.ts'
import { addresses, body, comment, id, inTimeZone, recurrence, rezoned, time_zone, zoned } from '../arguments.ts'

const readScopes = ['Calendars.Read']
const time = '{ dateTime timeZone }'
const SUMMARY =
  'id,subject,bodyPreview,isAllDay,start,end,location,isCancelled,isOrganizer,organizer,responseStatus,onlineMeeting,showAs,type,seriesMasterId'
const summaryFields = `id subject bodyPreview isAllDay start ${time} end ${time} location { displayName } isCancelled isOrganizer
  organizer { emailAddress { name address } } responseStatus { response } onlineMeeting { joinUrl } showAs type seriesMasterId`
const calendar_id = id('The ID of the calendar, from list_calendars.')
const view = {
  startDateTime: named('from', instant('Only events that end after this time.')),
  endDateTime: named('to', instant('Only events that start before this time.')),
  $orderby: 'start/dateTime',
  $select: SUMMARY,
  ...graphList(50, 250),
}

const hours = optional(
  oneOf(['work', 'personal', 'unrestricted'], 'Default: work, in the hours that are set in Outlook.'),
)
const attendees = each(named('attendees', addresses('The email addresses of the other people.', { max: 20 })), {
  type: 'required',
  emailAddress: { address: '{item}' },
})

const writeScopes = ['Calendars.ReadWrite']
const eventFields = `id subject isAllDay start { dateTime timeZone } end { dateTime timeZone } location { displayName } isCancelled
  isOrganizer organizer { emailAddress { name address } } attendees { type emailAddress { name address } status { response } }
  responseStatus { response } onlineMeeting { joinUrl } showAs type seriesMasterId webLink`
const path = {
  event_id: id('The ID of the event, from list_events or create_event; of a whole series its seriesMasterId.'),
}
const guests = (description: string, min = 1) => named('attendees', optional(addresses(description, { min })))
const guest = { type: 'required', emailAddress: { address: '{item}' } }
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
  attendees: each(guests('The email addresses of the guests, who are invited by email.'), guest),
  isOnlineMeeting: named(
    'online_meeting',
    optional(flag('Whether to add an online meeting link, for Teams if available.')),
  ),
  recurrence: optional(recurrence),
  ...settings,
}

/** Outlook's tools for calendars, free times and events. */
export const calendarTools = [
  tool('list_calendars: GET /me/calendars', {
    title: 'List calendars',
    description: 'List the calendars of the mailbox: IDs, names, owners, and whether you may change their events.',
    scopes: readScopes,
    path: { cursor },
    query: graphList(50, 250),
    pagination: graphPages,
    keep: 'id name isDefaultCalendar canEdit owner { name address }',
  }),

  tool('list_events: GET /me/calendarView', {
    title: 'List events',
    description:
      'List the events of the default calendar between two times, in the order of their start; recurring events as ' +
      'single occurrences. Returns IDs, times, organizers and your answers; get_event returns guests.',
    scopes: readScopes,
    path: { cursor, time_zone },
    headers: inTimeZone,
    query: view,
    pagination: graphPages,
    keep: summaryFields,
  }),

  tool('list_calendar_events: GET /me/calendars/{calendar_id}/calendarView', {
    title: 'List the events of another calendar',
    description: 'List the events of another calendar, like list_events. get_event and update_event accept their IDs.',
    scopes: readScopes,
    path: { calendar_id, cursor, time_zone },
    headers: inTimeZone,
    query: view,
    pagination: graphPages,
    keep: summaryFields,
  }),

  tool('search_events: POST /search/query', {
    title: 'Search events',
    description:
      'Search the events of the default calendar by words, at any time; accounts of an organization only. Returns ' +
      'titles and times in UTC without IDs: take those from list_events around the start.',
    annotations: reads,
    scopes: readScopes,
    json: searchFor('event', text('Words in title, text, place and guests.', 500)),
    pagination: searchPages,
    keep: `summary resource { subject start ${time} end ${time} isAllDay location { displayName } organizer { emailAddress { name address } } }`,
  }),

  tool('find_meeting_times: POST /me/findMeetingTimes', {
    title: 'Find meeting times',
    description:
      'Suggest times at which you and others can meet, the best first; accounts of an organization only. Pass one of ' +
      'them to create_event.',
    annotations: reads,
    scopes: ['Calendars.Read.Shared'],
    path: { minutes: integer('The length of the meeting.', 5, 1440) },
    headers: inTimeZone,
    json: {
      attendees: attendees,
      timeConstraint: {
        activityDomain: named('hours', hours),
        timeSlots: [
          { start: zoned('from', instant('The earliest start.')), end: zoned('to', instant('The latest end.')) },
        ],
      },
      meetingDuration: 'PT{minutes}M',
      maxCandidates: named('limit', optional(integer('Maximum suggestions.', 1, 20))),
      returnSuggestionReasons: true,
    },
    keep: `emptySuggestionsReason meetingTimeSuggestions { confidence suggestionReason organizerAvailability
    meetingTimeSlot { start ${time} end ${time} } attendeeAvailability { availability attendee { emailAddress { address } } } }`,
  }),

  tool('find_busy_times: POST /me/calendar/getSchedule', {
    title: 'Find busy times',
    description:
      'List when people, rooms or lists of your organization are busy between two times; everything else is free. ' +
      'Accounts of an organization only.',
    annotations: reads,
    scopes: readScopes,
    headers: inTimeZone,
    json: {
      schedules: named('people', addresses('Their email addresses, including yours if you take part.', { max: 20 })),
      startTime: zoned('from', instant('The start.')),
      endTime: zoned('to', instant('The end, at most about two months later.')),
    },
    at: '/value',
    keep: `scheduleId scheduleItems { status subject start ${time} end ${time} } workingHours { daysOfWeek startTime endTime timeZone { name } } error { message }`,
  }),

  tool('get_event: GET /me/events/{event_id}', {
    title: 'Get an event',
    description:
      'Read one event: title, times, place, description as Markdown, guests and their answers, meeting link.',
    scopes: ['Calendars.Read'],
    path: { ...path, time_zone },
    headers: inTimeZone,
    keep: `${eventFields} body|body-to-markdown recurrence`,
  }),

  tool('create_event: POST /me/events', {
    title: 'Create an event',
    description:
      'Create an event in the default calendar, and invite guests. Find a free time with find_meeting_times or ' +
      'find_busy_times first. The end of an all-day event is the day after its last one.',
    scopes: writeScopes,
    headers: inTimeZone,
    json: newEvent,
    needs: { recurrence: 'time_zone' },
    keep: eventFields,
  }),

  tool('create_calendar_event: POST /me/calendars/{calendar_id}/events', {
    title: 'Create an event in another calendar',
    description: 'Create an event in another calendar, like create_event.',
    scopes: writeScopes,
    path: { calendar_id },
    headers: inTimeZone,
    json: newEvent,
    needs: { recurrence: 'time_zone' },
    keep: eventFields,
  }),

  tool('update_event: PATCH /me/events/{event_id}', {
    title: 'Update an event',
    description:
      'Update an event. Outlook notifies the guests. Omitted fields stay unchanged. attendees is the full list: ' +
      'guests who stay keep their answers. A body without the link of its online meeting can end that meeting.',
    scopes: writeScopes,
    path: { ...path, replace_all },
    steps: [
      {
        step: 'now: GET /me/events/{event_id}',
        query: { $select: 'body' },
        given: ['body'],
        guard: { form: 'html', at: '/body/content', unless: 'replace_all' },
      },
      {
        step: 'event: GET /me/events/{event_id}',
        query: { $select: 'attendees,originalStartTimeZone,originalEndTimeZone' },
        given: ['attendees', 'start', 'end'],
        keep: {
          guests: { pointer: '/attendees', otherwise: [] },
          start_zone: { pointer: '/originalStartTimeZone', otherwise: 'UTC' },
          end_zone: { pointer: '/originalEndTimeZone', otherwise: 'UTC' },
        },
      },
    ],
    headers: inTimeZone,
    json: {
      subject: named('title', optional(text('The title.', 255))),
      start: rezoned('start', newStart, '{event.start_zone}'),
      end: rezoned('end', newEnd, '{event.end_zone}'),
      isAllDay: converted('is-day', named('start', newStart)),
      body: body('The description. Empty removes it.', { required: false, min: 0 }),
      location: { displayName: named('location', optional(text('The place. Empty removes it.', 255, { min: 0 }))) },
      attendees: each(guests('The email addresses of all guests, including those from get_event who stay.', 0), guest, {
        list: 'event.guests',
        by: '/emailAddress/address',
      }),
      ...settings,
    },
    needsOneOf: ['title', 'start', 'end', 'body', 'location', 'attendees', 'show_as', 'reminder_minutes'],
    keep: eventFields,
  }),

  tool('cancel_event: POST /me/events/{event_id}/cancel', {
    title: 'Cancel a meeting',
    description:
      'Cancel a meeting that you organize, with a message to its guests. For other events, use delete_event.',
    annotations: triggers,
    scopes: writeScopes,
    path,
    json: { comment: optional(comment('The message to the guests.')) },
    returns: done('The meeting was cancelled.'),
  }),

  tool('delete_event: DELETE /me/events/{event_id}', {
    title: 'Delete an event',
    description:
      'Delete an event from your calendar; for a series, give its seriesMasterId. Guests of a meeting that you ' +
      'organize get a cancellation.',
    scopes: writeScopes,
    path,
    returns: done('The event was deleted.'),
  }),

  tool('answer_invitation: POST /me/events/{event_id}/{answer}', {
    title: 'Answer an invitation',
    description:
      'Accept, decline or tentatively accept a meeting to which you were invited. Declining removes the meeting from ' +
      'your calendar.',
    annotations: triggers,
    scopes: writeScopes,
    path: { ...path, answer: oneOf(['accept', 'decline', 'tentativelyAccept'], 'The answer.') },
    json: {
      comment: optional(comment('A message to the organizer.')),
      sendResponse: named('notify', {
        ...optional(flag('Whether to notify the organizer. Default: true.')),
        default: true,
      }),
    },
    returns: done('The invitation was answered.'),
  }),
]
