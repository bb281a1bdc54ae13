import { flag, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../times.ts'
import {
  asked,
  completedSince,
  type gid,
  listOf,
  listPages,
  person,
  project,
  scopes,
  section,
  tag,
  taskFields,
  workspace,
} from '../arguments.ts'

const assignedFields = `${taskFields} projects { gid name }`
const joined = (argument: string, item: ReturnType<typeof gid>) => named(argument, optional(item))

const listAssignedTasks = tool('list_assigned_tasks: GET /tasks', {
  title: 'List assigned tasks',
  description: 'List the tasks of a person in a workspace, by default your own open ones, with projects and due dates.',
  scopes,
  query: {
    assignee: { ...optional(person('Whose tasks. Default: me.')), default: 'me' },
    workspace,
    completed_since: completedSince,
    modified_since: optional(instant('Only tasks that changed since this time.')),
    ...listOf(assignedFields),
  },
  pagination: listPages,
  keep: assignedFields,
})

const listProjectTasks = tool('list_project_tasks: GET /projects/{project}/tasks', {
  title: 'List tasks of a project',
  description: 'List the tasks of a project in their order, by default the open ones, with sections and assignees.',
  scopes,
  path: { project },
  query: { completed_since: completedSince, ...listOf(taskFields) },
  pagination: listPages,
  keep: taskFields,
})

const listSectionTasks = tool('list_section_tasks: GET /sections/{section}/tasks', {
  title: 'List tasks of a section',
  description: 'List the tasks of one section, which is a column on a board, by default the open ones.',
  scopes,
  path: { section },
  query: { completed_since: completedSince, ...listOf(taskFields) },
  pagination: listPages,
  keep: taskFields,
})

const listTaggedTasks = tool('list_tagged_tasks: GET /tags/{tag}/tasks', {
  title: 'List tasks with a tag',
  description: 'List the tasks with a tag, open and completed ones.',
  scopes,
  path: { tag },
  query: listOf(taskFields),
  pagination: listPages,
  keep: taskFields,
})

const searchTasks = tool('search_tasks: GET /workspaces/{workspace}/tasks/search', {
  title: 'Search tasks',
  description:
    'Search tasks by words, people, dates and state, at most 100 at once. Only for people with a paid plan of Asana; others get an ' +
    'error and use search_objects or the lists. New tasks may be missing for a minute.',
  scopes,
  path: { workspace },
  query: {
    text: optional(text('Words in the name or the description.', 500)),
    ...searchFilters(),
    sort_by: optional(oneOf(['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance'])),
    sort_ascending: optional(flag('Default: false.')),
    limit: { ...optional(integer('The maximum number of results. Default: 50.', 1, 100)), default: 50 },
    opt_fields: asked(assignedFields),
  },
  at: '/data',
  keep: assignedFields,
})

function searchFilters() {
  return {
    'assignee.any': joined('assignee', person('Only tasks of this person.')),
    'created_by.any': joined('created_by', person('Only tasks that this person created.')),
    'followers.any': joined('follower', person('Only tasks that this person follows.')),
    'projects.any': joined('project', project),
    'sections.any': joined('section', section),
    'tags.any': joined('tag', tag),
    completed: optional(flag('true for completed tasks, false for open ones. Default: both.')),
    'due_on.before': named('due_before', optional(day('Only tasks that are due before this day.'))),
    'due_on.after': named('due_after', optional(day('Only tasks that are due after this day.'))),
    'modified_at.after': named('modified_after', optional(instant('Only tasks that changed after this time.'))),
    'created_at.after': named('created_after', optional(instant('Only tasks that were created after this time.'))),
    'completed_at.after': named(
      'completed_after',
      optional(instant('Only tasks that were completed after this time.')),
    ),
    is_blocked: optional(flag('true for tasks that wait for others.')),
    is_subtask: optional(flag('true for subtasks, false for others. Default: both.')),
  }
}

/** Asana's tools that list and search tasks. */
export const taskListTools = [listAssignedTasks, listProjectTasks, listSectionTasks, listTaggedTasks, searchTasks]
