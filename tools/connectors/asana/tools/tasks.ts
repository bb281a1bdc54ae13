import { clearable, flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { filePart } from '../../../../services/definitions/file-argument.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { day, replace_all } from '../../shared-arguments.ts'
import {
  asked,
  customFields,
  gid,
  listOf,
  listPages,
  markdown,
  name,
  people,
  person,
  project,
  scopes,
  several,
  task,
  taskFields,
  tasks,
  utc,
  wholeTask,
  workspace,
} from '../arguments.ts'

const query = { opt_fields: asked(wholeTask) }
const result = { at: '/data', keep: wholeTask } as const
const TYPES = ['default_task', 'milestone', 'approval'] as const
const ANSWERS = ['pending', 'approved', 'rejected', 'changes_requested'] as const
const dueAt = optional(utc('The due time, in place of due_on.'))

/** What creating and updating share. */
const details = { html_notes: markdown('notes', 'The description.', false), due_at: dueAt, custom_fields: customFields }
const places = {
  workspace: optional(workspace),
  projects: [named('project', optional(project))],
  followers: named('followers', optional(people)),
  tags: optional(several(gid(''), 'The gids of tags, from list_tags.')),
}

const dependencyFields = 'gid name completed assignee { gid name } due_on permalink_url'

const commentFields = 'gid type text created_at created_by { gid name } is_edited'
const comment = gid('The gid of the comment, from list_comments or add_comment.')

const attachmentFields = 'gid name resource_subtype host size created_at'
const wholeAttachment = `${attachmentFields} permanent_url view_url download_url parent { gid name }`
const attachedTo = gid('The gid of the task or the project, from search_objects.')

/** Asana's tools for single tasks: their relations, comments and attachments. */
export const taskTools = [
  tool('get_task: GET /tasks/{task}', {
    title: 'Get a task',
    description:
      'Read one task: notes, assignee, dates, projects and sections, tags, custom fields and dependencies. Its ' +
      'comments: list_comments; its files: list_attachments.',
    scopes,
    path: { task },
    query,
    ...result,
  }),

  tool('create_task: POST /tasks', {
    title: 'Create a task',
    description:
      'Create a task in a project, or without project in a workspace. Put it into a section with ' +
      'move_task_to_section. For a subtask use create_subtask.',
    scopes,
    query,
    json: {
      data: {
        name,
        resource_subtype: named('type', optional(oneOf(TYPES, 'Default: default_task.'))),
        ...places,
        ...details,
        assignee: optional(person('The assignee.')),
        due_on: optional(day('The due date.')),
        start_on: optional(day('The first day of work. Give due_on too.')),
      },
    },
    needsOneOf: ['workspace', 'project'],
    ...result,
  }),

  tool('update_task: PUT /tasks/{task}', {
    title: 'Update a task',
    description:
      'Change the name, notes, assignee, dates or custom fields of a task, complete or reopen it. Omitted fields ' +
      'stay unchanged; notes replaces the whole description.',
    scopes,
    path: { task, replace_all },
    steps: [
      {
        step: 'now: GET /tasks/{task}',
        query: { opt_fields: 'html_notes' },
        given: ['notes'],
        guard: { form: 'html', at: '/data/html_notes', unless: 'replace_all' },
      },
    ],
    query,
    json: {
      data: {
        name: optional(name),
        ...details,
        completed: optional(flag('true completes the task, false reopens it.')),
        assignee: clearable(person('The assignee.')),
        due_on: clearable(day('The due date.')),
        start_on: clearable(day('The first day of work. Give due_on or due_at too.')),
        approval_status: optional(oneOf(ANSWERS, 'The answer to a task of the type approval.')),
      },
    },
    ...result,
  }),

  tool('complete_task: PUT /tasks/{task}', {
    title: 'Complete a task',
    description: 'Mark a task as completed. update_task reopens it.',
    annotations: sets,
    scopes,
    path: { task },
    query: { opt_fields: 'name,completed,completed_at,permalink_url' },
    json: { data: { completed: true } },
    at: '/data',
    keep: 'gid name completed completed_at permalink_url',
  }),

  tool('assign_task: PUT /tasks/{task}', {
    title: 'Assign a task',
    description: 'Assign a task to a person, who is notified. To remove the assignee, use update_task.',
    scopes,
    path: { task },
    query: { opt_fields: 'name,assignee.name,permalink_url' },
    json: { data: { assignee: person('The assignee.') } },
    at: '/data',
    keep: 'gid name assignee { gid name } permalink_url',
  }),

  tool('delete_task: DELETE /tasks/{task}', {
    title: 'Delete a task',
    description: 'Move a task to your trash. It can be restored for 30 days.',
    scopes,
    path: { task },
    returns: done('The task was deleted.'),
  }),

  tool('add_followers: POST /tasks/{task}/addFollowers', {
    title: 'Add followers',
    description: 'Let people follow a task, so that they are notified of its changes and comments.',
    annotations: sets,
    scopes,
    path: { task },
    json: { data: { followers: people } },
    returns: done('The followers were added.'),
  }),

  tool('remove_followers: POST /tasks/{task}/removeFollowers', {
    title: 'Remove followers',
    description: 'Remove people from the followers of a task.',
    annotations: overwrites,
    scopes,
    path: { task },
    json: { data: { followers: people } },
    returns: done('The followers were removed.'),
  }),

  tool('list_subtasks: GET /tasks/{task}/subtasks', {
    title: 'List subtasks',
    description: 'List the subtasks of a task, open and completed ones.',
    scopes,
    path: { task },
    query: listOf(taskFields),
    pagination: listPages,
    keep: taskFields,
  }),

  tool('create_subtask: POST /tasks/{task}/subtasks', {
    title: 'Create a subtask',
    description: 'Add a subtask to a task.',
    scopes,
    path: { task },
    query,
    json: {
      data: {
        name,
        html_notes: markdown('notes', 'The description.', false),
        assignee: optional(person('The assignee.')),
        due_on: optional(day('The due date.')),
      },
    },
    ...result,
  }),

  tool('set_parent: POST /tasks/{task}/setParent', {
    title: 'Make a task a subtask',
    description: 'Make a task a subtask of another task, or with null an independent task.',
    annotations: overwrites,
    scopes,
    path: { task },
    query: { opt_fields: 'name,parent.name,permalink_url' },
    json: { data: { parent: clearable(gid('The gid of the parent task, from search_objects.')) } },
    needsOneOf: ['parent'],
    at: '/data',
    keep: 'gid name parent { gid name } permalink_url',
  }),

  tool('list_dependencies: GET /tasks/{task}/dependencies', {
    title: 'List dependencies',
    description: 'List the tasks that a task depends on.',
    scopes,
    path: { task },
    query: listOf(dependencyFields),
    pagination: listPages,
    keep: dependencyFields,
  }),

  tool('list_dependents: GET /tasks/{task}/dependents', {
    title: 'List dependents',
    description: 'List the tasks that depend on a task.',
    scopes,
    path: { task },
    query: listOf(dependencyFields),
    pagination: listPages,
    keep: dependencyFields,
  }),

  tool('add_dependencies: POST /tasks/{task}/addDependencies', {
    title: 'Add dependencies',
    description: 'Make a task depend on other tasks: it is blocked until they are completed.',
    annotations: sets,
    scopes,
    path: { task },
    json: { data: { dependencies: named('tasks', tasks) } },
    returns: done('The dependencies were added.'),
  }),

  tool('remove_dependencies: POST /tasks/{task}/removeDependencies', {
    title: 'Remove dependencies',
    description: 'Remove dependencies, from list_dependencies, of a task.',
    annotations: overwrites,
    scopes,
    path: { task },
    json: { data: { dependencies: named('tasks', tasks) } },
    returns: done('The dependencies were removed.'),
  }),

  tool('list_comments: GET /tasks/{task}/stories', {
    title: 'List comments',
    description:
      'List the comments of a task and its recorded changes, the oldest first. Comments have the type comment, changes the type system.',
    scopes,
    path: { task },
    query: listOf(commentFields),
    pagination: listPages,
    keep: commentFields,
  }),

  tool('add_comment: POST /tasks/{task}/stories', {
    title: 'Comment on a task',
    description: 'Add a comment to a task. Its followers and those mentioned are notified.',
    scopes,
    path: { task },
    query: { opt_fields: asked(commentFields) },
    json: { data: { html_text: markdown('text', 'The comment.', true) } },
    at: '/data',
    keep: commentFields,
  }),

  tool('update_comment: PUT /stories/{comment}', {
    title: 'Edit a comment',
    description: 'Replace the text of a comment of the connected person.',
    scopes,
    path: { comment, replace_all },
    steps: [
      {
        step: 'now: GET /stories/{comment}',
        query: { opt_fields: 'html_text' },
        guard: { form: 'html', at: '/data/html_text', unless: 'replace_all', instead: 'add another comment' },
      },
    ],
    query: { opt_fields: asked(commentFields) },
    json: { data: { html_text: markdown('text', 'The whole new text.', true) } },
    at: '/data',
    keep: commentFields,
  }),

  tool('delete_comment: DELETE /stories/{comment}', {
    title: 'Delete a comment',
    description: 'Delete a comment of the connected person. It cannot be restored.',
    scopes,
    path: { comment },
    returns: done('The comment was deleted.'),
  }),

  tool('list_attachments: GET /attachments', {
    title: 'List attachments',
    description: 'List the files and links of a task or a project. Their URLs: get_attachment.',
    scopes,
    query: { parent: attachedTo, ...listOf(attachmentFields) },
    pagination: listPages,
    keep: attachmentFields,
  }),

  tool('get_attachment: GET /attachments/{attachment}', {
    title: 'Get an attachment',
    description:
      'Read one attachment with its URLs. download_url needs no login and is valid for a short time; permanent_url needs a login.',
    scopes,
    path: { attachment: gid('The gid of the attachment, from list_attachments.') },
    query: { opt_fields: asked(wholeAttachment) },
    at: '/data',
    keep: wholeAttachment,
  }),

  tool('upload_attachment: POST /attachments', {
    title: 'Attach a file',
    description: 'Attach a file of at most 100 MB to a task or a project.',
    scopes,
    query: { opt_fields: asked(attachmentFields) },
    multipart: {
      parent: attachedTo,
      file: filePart(),
    },
    at: '/data',
    keep: attachmentFields,
  }),

  tool('attach_link: POST /attachments', {
    title: 'Attach a link',
    description: 'Attach a link to a task or a project.',
    scopes,
    query: { opt_fields: asked(attachmentFields) },
    multipart: {
      resource_subtype: 'external',
      parent: attachedTo,
      url: text('The URL.', 2048, { pattern: '^https?://[^\\s]+$' }),
      name: text('The name of the link.', 1024),
    },
    at: '/data',
    keep: attachmentFields,
  }),
]
