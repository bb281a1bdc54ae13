import { clearable, named, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { day } from '../../times.ts'
import {
  asked,
  gid,
  listOf,
  listPages,
  markdown,
  name,
  person,
  scopes,
  task,
  taskFields,
  tasks,
  wholeTask,
} from '../arguments.ts'

const dependencyFields = 'gid name completed assignee { gid name } due_on permalink_url'

const listSubtasks = tool('list_subtasks: GET /tasks/{task}/subtasks', {
  title: 'List subtasks',
  description: 'List the subtasks of a task, open and completed ones.',
  scopes,
  path: { task },
  query: listOf(taskFields),
  pagination: listPages,
  keep: taskFields,
})

const createSubtask = tool('create_subtask: POST /tasks/{task}/subtasks', {
  title: 'Create a subtask',
  description: 'Add a subtask to a task.',
  scopes,
  path: { task },
  query: { opt_fields: asked(wholeTask) },
  json: {
    data: {
      name,
      html_notes: markdown('notes', 'The description.', false),
      assignee: optional(person('The assignee.')),
      due_on: optional(day('The day when it is due.')),
    },
  },
  at: '/data',
  keep: wholeTask,
})

const setParent = tool('set_parent: POST /tasks/{task}/setParent', {
  title: 'Make a task a subtask',
  description: 'Make a task a subtask of another one, or with null a task of its own.',
  annotations: overwrites,
  scopes,
  path: { task },
  query: { opt_fields: 'name,parent.name,permalink_url' },
  json: { data: { parent: clearable(gid('The gid of the parent task, from search_objects.')) } },
  needsOneOf: ['parent'],
  at: '/data',
  keep: 'gid name parent { gid name } permalink_url',
})

const listDependencies = tool('list_dependencies: GET /tasks/{task}/dependencies', {
  title: 'List dependencies',
  description: 'List the tasks that a task waits for.',
  scopes,
  path: { task },
  query: listOf(dependencyFields),
  pagination: listPages,
  keep: dependencyFields,
})

const listDependents = tool('list_dependents: GET /tasks/{task}/dependents', {
  title: 'List dependents',
  description: 'List the tasks that wait for a task.',
  scopes,
  path: { task },
  query: listOf(dependencyFields),
  pagination: listPages,
  keep: dependencyFields,
})

const addDependencies = tool('add_dependencies: POST /tasks/{task}/addDependencies', {
  title: 'Add dependencies',
  description: 'Let a task wait for others: it is blocked until they are completed.',
  annotations: sets,
  scopes,
  path: { task },
  json: { data: { dependencies: named('tasks', tasks) } },
  returns: done('The dependencies were added.'),
})

const removeDependencies = tool('remove_dependencies: POST /tasks/{task}/removeDependencies', {
  title: 'Remove dependencies',
  description: 'Let a task no longer wait for others, from list_dependencies.',
  annotations: overwrites,
  scopes,
  path: { task },
  json: { data: { dependencies: named('tasks', tasks) } },
  returns: done('The dependencies were removed.'),
})

/** Asana's tools for the relations of tasks. */
export const subtaskTools = [
  listSubtasks,
  createSubtask,
  setParent,
  listDependencies,
  listDependents,
  addDependencies,
  removeDependencies,
]
