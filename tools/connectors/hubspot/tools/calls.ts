import { converted, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { linksOf, needsRecord, readScopes, searchActivities, writeScopes } from '../activities.ts'
import { listPages, OBJECTS, owner_id } from '../arguments.ts'

const title = named('title', text('The title.', 1000))
const body = converted('markdown-to-html', named('body', optional(text('What was said. Markdown.', 60_000))))
const start = named('start', instant('The start.'))

const searchCalls = tool(`search_calls: POST ${OBJECTS}/calls/search`, {
  title: 'Search calls',
  description:
    'List the calls with a contact or about a company, deal or ticket, newest first, or search all calls. The duration is in milliseconds.',
  annotations: reads,
  scopes: readScopes,
  json: searchActivities(
    'hs_call_title hs_call_body hs_call_direction hs_call_duration hs_call_status hs_timestamp hubspot_owner_id'.split(
      ' ',
    ),
  ),
  pagination: listPages,
  keep: `id createdAt properties { hs_call_title hs_call_body|html-to-markdown hs_call_direction hs_call_duration
    hs_call_status hs_timestamp hubspot_owner_id }`,
})

const logCall = tool(`log_call: POST ${OBJECTS}/calls`, {
  title: 'Log a call',
  description: 'Log a call that took place, on a contact, company, deal or ticket. Calls nobody. Returns its ID.',
  scopes: writeScopes,
  json: {
    properties: {
      hs_call_title: title,
      hs_call_body: body,
      hs_timestamp: start,
      hs_call_direction: named(
        'direction',
        optional(oneOf(['INBOUND', 'OUTBOUND'], 'Who called: the contact or you.')),
      ),
      hs_call_duration: named(
        'duration_ms',
        optional(text('The duration in milliseconds: 900000 for 15 minutes.', 9, { pattern: '^[0-9]+$' })),
      ),
      hs_call_status: 'COMPLETED',
      hubspot_owner_id: owner_id,
    },
    associations: linksOf({ contact: 194, company: 182, deal: 206, ticket: 220 }),
  },
  needsOneOf: needsRecord,
  keep: 'id createdAt',
})

const searchMeetings = tool(`search_meetings: POST ${OBJECTS}/meetings/search`, {
  title: 'Search meetings',
  description:
    'List the meetings with a contact or about a company, deal or ticket, newest first, or search all meetings.',
  annotations: reads,
  scopes: readScopes,
  json: searchActivities(
    'hs_meeting_title hs_meeting_body hs_meeting_start_time hs_meeting_end_time hs_meeting_location hs_meeting_outcome hubspot_owner_id'.split(
      ' ',
    ),
  ),
  pagination: listPages,
  keep: `id createdAt properties { hs_meeting_title hs_meeting_body|html-to-markdown hs_meeting_start_time hs_meeting_end_time
    hs_meeting_location hs_meeting_outcome hubspot_owner_id }`,
})

const logMeeting = tool(`log_meeting: POST ${OBJECTS}/meetings`, {
  title: 'Log a meeting',
  description:
    'Log a past or planned meeting on a contact, company, deal or ticket. It invites nobody and is in no calendar. Returns its ID.',
  scopes: writeScopes,
  json: {
    properties: {
      hs_meeting_title: title,
      hs_meeting_body: body,
      hs_timestamp: start,
      hs_meeting_start_time: start,
      hs_meeting_end_time: named('end', instant('The end.')),
      hs_meeting_location: named('location', optional(text('Where it takes place.', 1000))),
      hs_meeting_outcome: named(
        'outcome',
        optional(oneOf(['SCHEDULED', 'COMPLETED', 'RESCHEDULED', 'NO_SHOW', 'CANCELED'])),
      ),
      hubspot_owner_id: owner_id,
    },
    associations: linksOf({ contact: 200, company: 188, deal: 212, ticket: 226 }),
  },
  needsOneOf: needsRecord,
  keep: 'id createdAt',
})

/** HubSpot's tools for calls and meetings. */
export const callTools = [searchCalls, logCall, searchMeetings, logMeeting]
