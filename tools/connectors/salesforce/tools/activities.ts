import { integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../times.ts'
import { about, DATA, field, otherFields, owner_id, scopes } from '../arguments.ts'

const keep = 'id success'

const createTask = tool(`create_task: POST ${DATA}/sobjects/Task`, {
  title: 'Create a task',
  description:
    'Create a task for you or another user, about a contact, an account or another record. Complete it with update_record. Returns its ID.',
  scopes,
  json: {
    Subject: text('What to do.', 255),
    ActivityDate: named('due', optional(day('When it is due.'))),
    Priority: field('The priority, a value of describe_object: High, Normal, Low.', 40),
    Description: field('Details.', 32_000),
    ...about,
    OwnerId: owner_id,
    '...': otherFields,
  },
  keep,
})

const logCall = tool(`log_call: POST ${DATA}/sobjects/Task`, {
  title: 'Log a call',
  description:
    'Log a call that took place with a contact or lead, or about a record: a completed task. Returns its ID.',
  scopes,
  json: {
    TaskSubtype: 'Call',
    Status: 'Completed',
    Subject: text('What the call was about.', 255),
    Description: named('notes', field('What was said.', 32_000)),
    ActivityDate: named('date', day('The day of the call.')),
    CallType: named('direction', optional(oneOf(['Inbound', 'Outbound', 'Internal']))),
    CallDurationInSeconds: named('duration_seconds', optional(integer('The duration in seconds.', 0, 86_400))),
    ...about,
    '...': otherFields,
  },
  needsOneOf: ['who_id', 'what_id'],
  keep,
})

const createEvent = tool(`create_event: POST ${DATA}/sobjects/Event`, {
  title: 'Create an event',
  description:
    'Create an event in the calendar of Salesforce, about a contact, an account or another record. It invites nobody. Returns its ID.',
  scopes,
  json: {
    Subject: text('The title.', 255),
    StartDateTime: named('start', instant('The start.')),
    EndDateTime: named('end', instant('The end.')),
    Location: field('The place.'),
    Description: field('Details.', 32_000),
    ...about,
    OwnerId: owner_id,
    '...': otherFields,
  },
  keep,
})

/** Salesforce's tools for tasks, calls and events. */
export const activityTools = [createTask, logCall, createEvent]
