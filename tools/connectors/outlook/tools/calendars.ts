import { each, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { graphList, graphPages, searchFor, searchPages } from '../../microsoft.ts'
import { cursor } from '../../paging.ts'
import { instant } from '../../times.ts'
import { addresses, id, inTimeZone, time_zone, zoned } from '../arguments.ts'

const scopes = ['Calendars.Read']
const time = '{ dateTime timeZone }'
const SUMMARY =
  'id,subject,bodyPreview,isAllDay,start,end,location,isCancelled,isOrganizer,organizer,responseStatus,onlineMeeting,showAs,type,seriesMasterId'
const keep = `id subject bodyPreview isAllDay start ${time} end ${time} location { displayName } isCancelled isOrganizer
  organizer { emailAddress { name address } } responseStatus { response } onlineMeeting { joinUrl } showAs type seriesMasterId`
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
const guests = each(named('attendees', addresses('The email addresses of the others.', { max: 20 })), {
  type: 'required',
  emailAddress: { address: '{item}' },
})

const listCalendars = tool('list_calendars: GET /me/calendars', {
  title: 'List calendars',
  description: 'List the calendars of the mailbox: IDs, names, owners, and whether you may change their events.',
  scopes,
  path: { cursor },
  query: graphList(50, 250),
  pagination: graphPages,
  keep: 'id name isDefaultCalendar canEdit owner { name address }',
})

const listEvents = tool('list_events: GET /me/calendarView', {
  title: 'List events',
  description:
    'List the events of the default calendar between two times, in the order of their start; recurring events as their ' +
    'single occurrences. Returns IDs, times, organizers and your answers; guests are in get_event.',
  scopes,
  path: { cursor, time_zone },
  headers: inTimeZone,
  query: view,
  pagination: graphPages,
  keep,
})

const listCalendarEvents = tool('list_calendar_events: GET /me/calendars/{calendar_id}/calendarView', {
  title: 'List the events of another calendar',
  description:
    'List events as list_events does, but of another calendar. Their IDs are for get_event and update_event too.',
  scopes,
  path: { calendar_id: id('The ID of the calendar, from list_calendars.'), cursor, time_zone },
  headers: inTimeZone,
  query: view,
  pagination: graphPages,
  keep,
})

const searchEvents = tool('search_events: POST /search/query', {
  title: 'Search events',
  description:
    'Search the events of the default calendar by words, at any time; accounts of an organization only. Returns titles and ' +
    'times in UTC without IDs: take those from list_events around the start.',
  annotations: reads,
  scopes,
  json: searchFor('event', text('Words in title, text, place and guests.', 500)),
  pagination: searchPages,
  keep: `summary resource { subject start ${time} end ${time} isAllDay location { displayName } organizer { emailAddress { name address } } }`,
})

const findMeetingTimes = tool('find_meeting_times: POST /me/findMeetingTimes', {
  title: 'Find meeting times',
  description:
    'Suggest times at which you and others can meet, the best first; accounts of an organization only. Pass one of them ' +
    'to create_event.',
  annotations: reads,
  scopes: ['Calendars.Read.Shared'],
  path: { minutes: integer('The length of the meeting.', 5, 1440) },
  headers: inTimeZone,
  json: {
    attendees: guests,
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
})

const findBusyTimes = tool('find_busy_times: POST /me/calendar/getSchedule', {
  title: 'Find busy times',
  description:
    'List when people, rooms or lists of your organization are busy between two times; everything else is free. ' +
    'Accounts of an organization only.',
  annotations: reads,
  scopes,
  headers: inTimeZone,
  json: {
    schedules: named('people', addresses('Their email addresses; yours too, if you take part.', { max: 20 })),
    startTime: zoned('from', instant('The start.')),
    endTime: zoned('to', instant('The end, at most about two months later.')),
  },
  at: '/value',
  keep: `scheduleId scheduleItems { status subject start ${time} end ${time} } workingHours { daysOfWeek startTime endTime timeZone { name } } error { message }`,
})

/** Outlook's tools for calendars and free times. */
export const calendarTools = [
  listCalendars,
  listEvents,
  listCalendarEvents,
  searchEvents,
  findMeetingTimes,
  findBusyTimes,
]
