import { converted, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { linksOf, needsRecord, readScopes, searchActivities, writeScopes } from '../activities.ts'
import { id, listPages, OBJECTS, owner_id } from '../arguments.ts'

const noteFields = 'id createdAt updatedAt properties { hs_note_body|html-to-markdown hs_timestamp hubspot_owner_id }'
const taskFields = `id createdAt updatedAt properties { hs_task_subject hs_task_body|html-to-markdown hs_task_status
  hs_task_priority hs_task_type hs_timestamp hubspot_owner_id }`
const body = (description: string) => converted('markdown-to-html', named('body', text(description, 60_000)))
const subject = text('The title.', 1000)
const due = instant('When it is due.')
const details = {
  hs_task_body: converted('markdown-to-html', named('body', optional(text('What to do. Markdown.', 60_000)))),
  hs_task_priority: named('priority', optional(oneOf(['LOW', 'MEDIUM', 'HIGH']))),
  hs_task_type: named('type', optional(oneOf(['TODO', 'CALL', 'EMAIL'], 'What kind of task it is.'))),
  hubspot_owner_id: owner_id,
}

const searchNotes = tool(`search_notes: POST ${OBJECTS}/notes/search`, {
  title: 'Search notes',
  description:
    'List the notes on a contact, company, deal or ticket, newest first, or search all notes. Returns text (Markdown), time and owner.',
  annotations: reads,
  scopes: readScopes,
  json: searchActivities(['hs_note_body', 'hs_timestamp', 'hubspot_owner_id']),
  pagination: listPages,
  keep: noteFields,
})

const createNote = tool(`create_note: POST ${OBJECTS}/notes`, {
  title: 'Create a note',
  description: 'Write a note on a contact, company, deal or ticket, or on several of them. Returns its ID.',
  scopes: writeScopes,
  json: {
    properties: {
      hs_note_body: body('The text. Markdown.'),
      hs_timestamp: named('time', instant('The time of the note, usually now.')),
      hubspot_owner_id: owner_id,
    },
    associations: linksOf({ contact: 202, company: 190, deal: 214, ticket: 228 }),
  },
  needsOneOf: needsRecord,
  keep: 'id createdAt',
})

const searchTasks = tool(`search_tasks: POST ${OBJECTS}/tasks/search`, {
  title: 'Search tasks',
  description:
    'List the tasks for a contact, company, deal or ticket, or all tasks, by their due dates. Returns title, text (Markdown), status and owner.',
  annotations: reads,
  scopes: readScopes,
  json: searchActivities(
    'hs_task_subject hs_task_body hs_task_status hs_task_priority hs_task_type hs_timestamp hubspot_owner_id'.split(
      ' ',
    ),
  ),
  pagination: listPages,
  keep: taskFields,
})

const createTask = tool(`create_task: POST ${OBJECTS}/tasks`, {
  title: 'Create a task',
  description:
    'Create a task for an owner of list_owners, about a contact, company, deal or ticket if you give them. Returns its ID. Nobody is notified.',
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
})

const updateTask = tool(`update_task: PATCH ${OBJECTS}/tasks/{task_id}`, {
  title: 'Update a task',
  description: 'Complete a task, or change its title, text, due date, priority or owner. Omitted ones stay unchanged.',
  scopes: writeScopes,
  path: { task_id: id('The ID of the task, from search_tasks.') },
  json: {
    properties: {
      hs_task_subject: named('subject', optional(subject)),
      hs_timestamp: named('due', optional(due)),
      hs_task_status: named(
        'status',
        optional(oneOf(['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'COMPLETED', 'DEFERRED'])),
      ),
      ...details,
    },
  },
  keep: taskFields,
})

/** HubSpot's tools for notes and tasks. */
export const noteTools = [searchNotes, createNote, searchTasks, createTask, updateTask]
