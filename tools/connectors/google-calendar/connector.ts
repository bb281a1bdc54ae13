import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { googleApp, googleErrors, googleOAuth } from '../google.ts'
import { calendarTools } from './tools.ts'

/** The Google Calendar API, version 3. An account is one person, named by their primary calendar. */
export const googleCalendar = defineConnector({
  id: 'google-calendar',
  name: 'Google Calendar',
  category: 'productivity',
  description:
    'Search, read, create, update, move and delete events; answer invitations; find free times; list calendars.',
  icon: { simpleIcon: 'googlecalendar' },
  baseUrl: 'https://www.googleapis.com/calendar/v3',
  auth: {
    ...googleOAuth,
    scopes: {
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly': 'See the list of your calendars.',
      'https://www.googleapis.com/auth/calendar.events': 'See, create, change and delete events on your calendars.',
      'https://www.googleapis.com/auth/calendar.freebusy': 'See when people are busy, without their events.',
    },
  },
  oauthApp: googleApp('Google Calendar API', 'sensitive'),
  identity: { request: { url: '/users/me/calendarList/primary' }, label: '{/id}' },
  errors: googleErrors,
  tools: calendarTools,
})
