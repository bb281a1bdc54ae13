import { each, list, named, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { instant } from '../../times.ts'

const listCalendars = tool('list_calendars: GET /users/me/calendarList', {
  title: 'List calendars',
  description: 'List your calendars: ID, name, time zone, and whether you may write to it (accessRole).',
  scopes: ['https://www.googleapis.com/auth/calendar.calendarlist.readonly'],
  query: { maxResults: pageSize(100, 250), pageToken: pageStart },
  pagination: googlePages('/items'),
  keep: 'id summary summaryOverride description timeZone accessRole primary hidden',
})

const findBusyTimes = tool('find_busy_times: POST /freeBusy', {
  title: 'Find busy times',
  description:
    'List when calendars are busy between two times; everything else is free. Use it to find a time for a meeting. A ' +
    'person is named by their email address.',
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
})

/** Google Calendar's tools for calendars. */
export const calendarTools = [listCalendars, findBusyTimes]
