import { clearable, flag, named, oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { day } from '../../times.ts'
import {
  asked,
  customFields,
  gid,
  markdown,
  name,
  people,
  person,
  project,
  scopes,
  several,
  task,
  utc,
  wholeTask,
  workspace,
} from '../arguments.ts'

const query = { opt_fields: asked(wholeTask) }
const result = { at: '/data', keep: wholeTask } as const
const TYPES = ['default_task', 'milestone', 'approval'] as const
const ANSWERS = ['pending', 'approved', 'rejected', 'changes_requested'] as const
const dueAt = optional(utc('The time when it is due, in place of due_on.'))

const getTask = tool('get_task: GET /tasks/{task}', {
  title: 'Get a task',
  description:
    'Read one task: notes, assignee, dates, projects and sections, tags, custom fields and dependencies. Its comments: list_comments; ' +
    'its files: list_attachments.',
  scopes,
  path: { task },
  query,
  ...result,
})

/** What creating and updating share. */
const details = { html_notes: markdown('notes', 'The description.', false), due_at: dueAt, custom_fields: customFields }
const places = {
  workspace: optional(workspace),
  projects: [named('project', optional(project))],
  followers: named('followers', optional(people)),
  tags: optional(several(gid(''), 'The gids of tags, from list_tags.')),
}

const createTask = tool('create_task: POST /tasks', {
  title: 'Create a task',
  description:
    'Create a task in a project, or without project in a workspace. Put it into a section with move_task_to_section. For a subtask ' +
    'use create_subtask.',
  scopes,
  query,
  json: {
    data: {
      name,
      resource_subtype: named('type', optional(oneOf(TYPES, 'Default: default_task.'))),
      ...places,
      ...details,
      assignee: optional(person('The assignee.')),
      due_on: optional(day('The day when it is due.')),
      start_on: optional(day('The first day of work. Give due_on too.')),
    },
  },
  needsOneOf: ['workspace', 'project'],
  ...result,
})

const updateTask = tool('update_task: PUT /tasks/{task}', {
  title: 'Update a task',
  description:
    'Change the name, notes, assignee, dates or custom fields of a task, complete or reopen it. Omitted fields stay unchanged; notes ' +
    'replaces the whole description.',
  scopes,
  path: { task },
  query,
  json: {
    data: {
      name: optional(name),
      ...details,
      completed: optional(flag('true completes the task, false reopens it.')),
      assignee: clearable(person('The assignee.')),
      due_on: clearable(day('The day when it is due.')),
      start_on: clearable(day('The first day of work. Give due_on or due_at too.')),
      approval_status: optional(oneOf(ANSWERS, 'The answer to a task of the type approval.')),
    },
  },
  ...result,
})

const completeTask = tool('complete_task: PUT /tasks/{task}', {
  title: 'Complete a task',
  description: 'Mark a task as completed. update_task reopens it.',
  annotations: sets,
  scopes,
  path: { task },
  query: { opt_fields: 'name,completed,completed_at,permalink_url' },
  json: { data: { completed: true } },
  at: '/data',
  keep: 'gid name completed completed_at permalink_url',
})

const assignTask = tool('assign_task: PUT /tasks/{task}', {
  title: 'Assign a task',
  description: 'Assign a task to a person, who is notified. To remove the assignee, use update_task.',
  scopes,
  path: { task },
  query: { opt_fields: 'name,assignee.name,permalink_url' },
  json: { data: { assignee: person('The assignee.') } },
  at: '/data',
  keep: 'gid name assignee { gid name } permalink_url',
})

const deleteTask = tool('delete_task: DELETE /tasks/{task}', {
  title: 'Delete a task',
  description: 'Move a task to your trash, from where it can be restored for 30 days.',
  scopes,
  path: { task },
  returns: done('The task was deleted.'),
})

const addFollowers = tool('add_followers: POST /tasks/{task}/addFollowers', {
  title: 'Add followers',
  description: 'Let people follow a task, so that they are notified of its changes and comments.',
  annotations: sets,
  scopes,
  path: { task },
  json: { data: { followers: people } },
  returns: done('The followers were added.'),
})

const removeFollowers = tool('remove_followers: POST /tasks/{task}/removeFollowers', {
  title: 'Remove followers',
  description: 'Remove people from the followers of a task.',
  annotations: overwrites,
  scopes,
  path: { task },
  json: { data: { followers: people } },
  returns: done('The followers were removed.'),
})

/** Asana's tools for single tasks. */
export const taskTools = [
  getTask,
  createTask,
  updateTask,
  completeTask,
  assignTask,
  deleteTask,
  addFollowers,
  removeFollowers,
]
