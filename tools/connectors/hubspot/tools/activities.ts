import { converted, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { reads, tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart, replace_all } from '../../shared-arguments.ts'
import { id, linksOf, listPages, OBJECTS, owner_id, record } from '../arguments.ts'

/** HubSpot has no scopes of their own for notes, tasks, calls and meetings. */
const readScopes = ['crm.objects.contacts.read']
const writeScopes = ['crm.objects.contacts.write']

/** The records that an activity is about. It needs one: HubSpot shows it on their pages. */
const KINDS = ['contact', 'company', 'deal', 'ticket'] as const
const needsRecord = KINDS.map(kind => `${kind}_id`)

/** The tool that searches activities of one kind, newest first. `properties` are those that it returns. */
function searchActivities(many: string, description: string, fields: string, properties: string) {
  const filters = KINDS.map(kind => ({
    propertyName: `associations.${kind}`,
    operator: 'EQ',
    value: record(kind),
  }))
  return tool(`search_${many}: POST ${OBJECTS}/${many}/search`, {
    title: `Search ${many}`,
    description,
    annotations: reads,
    scopes: readScopes,
    json: {
      query: optional(text('Words in the text.', 3000)),
      filterGroups: [{ filters }],
      sorts: [{ propertyName: 'hs_timestamp', direction: 'DESCENDING' }],
      properties: properties.split(/\s+/).map(property => property.replace(/\|.*/, '')),
      limit: pageSize(20, 200),
      after: pageStart,
    },
    pagination: listPages,
    keep: `${fields} properties { ${properties} }`,
  })
}

const taskProperties = `hs_task_subject hs_task_body|html-to-markdown hs_task_status
  hs_task_priority hs_task_type hs_timestamp hubspot_owner_id`
const subject = text('The title.', 1000)
const due = instant('When it is due.')
const details = {
  hs_task_body: converted('markdown-to-html', named('body', optional(text('What to do. Markdown.', 60_000)))),
  hs_task_priority: named('priority', optional(oneOf(['LOW', 'MEDIUM', 'HIGH'], 'The priority.'))),
  hs_task_type: named('type', optional(oneOf(['TODO', 'CALL', 'EMAIL'], 'The type of the task.'))),
  hubspot_owner_id: owner_id,
}

const title = named('title', text('The title.', 1000))
const body = converted('markdown-to-html', named('body', optional(text('What was said. Markdown.', 60_000))))
const start = named('start', instant('The start.'))

/** HubSpot's tools for notes, tasks, calls and meetings. */
export const activityTools = [
  searchActivities(
    'notes',
    'List the notes on a contact, company, deal or ticket, newest first, or search all notes. Returns text (Markdown), time and owner.',
    'id createdAt updatedAt',
    'hs_note_body|html-to-markdown hs_timestamp hubspot_owner_id',
  ),

  tool(`create_note: POST ${OBJECTS}/notes`, {
    title: 'Create a note',
    description: 'Write a note on a contact, company, deal or ticket, or on several of them. Returns its ID.',
    scopes: writeScopes,
    json: {
      properties: {
        hs_note_body: converted('markdown-to-html', named('body', text('The text. Markdown.', 60_000))),
        hs_timestamp: named('time', instant('The time of the note, usually now.')),
        hubspot_owner_id: owner_id,
      },
      associations: linksOf({ contact: 202, company: 190, deal: 214, ticket: 228 }),
    },
    needsOneOf: needsRecord,
    keep: 'id createdAt',
  }),

  searchActivities(
    'tasks',
    'List the tasks for a contact, company, deal or ticket, or all tasks, by their due dates. Returns title, text (Markdown), status and owner.',
    'id createdAt updatedAt',
    taskProperties,
  ),

  tool(`create_task: POST ${OBJECTS}/tasks`, {
    title: 'Create a task',
    description:
      'Create a task for an owner of list_owners, about a contact, company, deal or ticket if you give them. Returns its ID. No one is notified.',
    scopes: writeScopes,
    json: {
      properties: {
        hs_task_subject: named('subject', subject),
        hs_timestamp: named('due', due),
        hs_task_status: 'NOT_STARTED',
        ...details,
      },
      associations: linksOf({ contact: 204, company: 192, deal: 216, ticket: 230 }),
    },
    keep: 'id createdAt',
  }),

  tool(`update_task: PATCH ${OBJECTS}/tasks/{task_id}`, {
    title: 'Update a task',
    description:
      'Complete a task, or change its title, text, due date, priority or owner. Omitted fields stay unchanged.',
    scopes: writeScopes,
    path: { task_id: id('The ID of the task, from search_tasks.'), replace_all },
    steps: [
      {
        step: `now: GET ${OBJECTS}/tasks/{task_id}`,
        query: { properties: 'hs_task_body' },
        given: ['body'],
        guard: { form: 'html', at: '/properties/hs_task_body', unless: 'replace_all' },
      },
    ],
    json: {
      properties: {
        hs_task_subject: named('subject', optional(subject)),
        hs_timestamp: named('due', optional(due)),
        hs_task_status: named(
          'status',
          optional(oneOf(['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'COMPLETED', 'DEFERRED'], 'The new status.')),
        ),
        ...details,
      },
    },
    keep: `id createdAt updatedAt properties { ${taskProperties} }`,
  }),

  searchActivities(
    'calls',
    'List the calls with a contact or about a company, deal or ticket, newest first, or search all calls. The duration is in milliseconds.',
    'id createdAt',
    `hs_call_title hs_call_body|html-to-markdown hs_call_direction hs_call_duration hs_call_status hs_timestamp
  hubspot_owner_id`,
  ),

  tool(`log_call: POST ${OBJECTS}/calls`, {
    title: 'Log a call',
    description:
      'Log a call that took place, on a contact, company, deal or ticket. Does not call anyone. Returns its ID.',
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
  }),

  searchActivities(
    'meetings',
    'List the meetings with a contact or about a company, deal or ticket, newest first, or search all meetings.',
    'id createdAt',
    `hs_meeting_title hs_meeting_body|html-to-markdown hs_meeting_start_time hs_meeting_end_time hs_meeting_location
  hs_meeting_outcome hubspot_owner_id`,
  ),

  tool(`log_meeting: POST ${OBJECTS}/meetings`, {
    title: 'Log a meeting',
    description:
      'Log a past or planned meeting on a contact, company, deal or ticket. No one is invited, and no calendar event is created. Returns its ID.',
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
          optional(oneOf(['SCHEDULED', 'COMPLETED', 'RESCHEDULED', 'NO_SHOW', 'CANCELED'], 'Whether it took place.')),
        ),
        hubspot_owner_id: owner_id,
      },
      associations: linksOf({ contact: 200, company: 188, deal: 212, ticket: 226 }),
    },
    needsOneOf: needsRecord,
    keep: 'id createdAt',
  }),
]
