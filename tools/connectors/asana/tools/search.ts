import { either, flag, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import {
  asked,
  gid,
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

/** Without it, lists have only open tasks. */
const completedSince = either(
  named('completed_since', optional(instant('Include tasks completed since this time. Default: only open tasks.'))),
  'now',
)

const userFields = 'gid name email'
const meFields = 'gid name email workspaces { gid name }'
const teamFields = 'gid name permalink_url'
const fieldFields = 'gid name type description precision enum_options { gid name enabled }'
const settingFields = `is_important custom_field { ${fieldFields} }`

const assignedFields = `${taskFields} projects { gid name }`
const joined = (argument: string, item: ReturnType<typeof gid>) => named(argument, optional(item))

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
    is_blocked: optional(flag('true for tasks that depend on open tasks.')),
    is_subtask: optional(flag('true for subtasks, false for other tasks. Default: both.')),
  }
}

/** Asana's tools that find workspaces, people, custom fields and tasks. */
export const searchTools = [
  tool('get_me: GET /users/me', {
    title: 'Get own user',
    description: 'Read who is connected: gid, name, email address, and the workspaces with their gids.',
    scopes,
    query: { opt_fields: asked(meFields) },
    at: '/data',
    keep: meFields,
  }),

  tool('list_workspaces: GET /workspaces', {
    title: 'List workspaces',
    description: 'List the workspaces and organizations of the connected person. Most tools need the gid of one.',
    scopes,
    query: listOf('gid name is_organization'),
    pagination: listPages,
    keep: 'gid name is_organization',
  }),

  tool('search_objects: GET /workspaces/{workspace}/typeahead', {
    title: 'Find by name',
    description:
      'Find tasks, projects, people, teams or tags by the beginnings of words in their names. Returns gids and ' +
      'names; for filters use search_tasks.',
    scopes,
    path: { workspace },
    query: {
      resource_type: oneOf(
        ['task', 'project', 'user', 'team', 'tag', 'portfolio', 'goal', 'custom_field'],
        'What to find.',
      ),
      query: text('Words of the name.', 500),
      count: optional(integer('The maximum number of results. Default: 20.', 1, 100)),
    },
    at: '/data',
    keep: 'gid name',
  }),

  tool('list_users: GET /users', {
    title: 'List people',
    description: 'List the people of a workspace or of a team, with their gids and email addresses.',
    scopes,
    query: {
      workspace: optional(workspace),
      team: optional(gid('The gid of the team, from list_teams or search_objects.')),
      ...listOf(userFields),
    },
    needsOneOf: ['workspace', 'team'],
    pagination: listPages,
    keep: userFields,
  }),

  tool('list_teams: GET /workspaces/{workspace}/teams', {
    title: 'List teams',
    description: 'List the teams of an organization. create_project and list_team_projects take their gids.',
    scopes,
    path: { workspace },
    query: listOf(teamFields),
    pagination: listPages,
    keep: teamFields,
  }),

  tool('list_custom_fields: GET /projects/{project}/custom_field_settings', {
    title: 'List custom fields',
    description:
      'List the custom fields of a project with their gids, types and options, for custom_fields of create_task and update_task.',
    scopes,
    path: { project },
    query: listOf(settingFields),
    pagination: listPages,
    keep: settingFields,
  }),

  tool('list_workspace_custom_fields: GET /workspaces/{workspace}/custom_fields', {
    title: 'List custom fields of a workspace',
    description:
      'List the custom fields that all projects of a workspace may use. For one project use list_custom_fields.',
    scopes,
    path: { workspace },
    query: listOf(fieldFields),
    pagination: listPages,
    keep: fieldFields,
  }),

  tool('list_assigned_tasks: GET /tasks', {
    title: 'List assigned tasks',
    description:
      'List the tasks of a person in a workspace, by default your own open ones, with projects and due dates.',
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
  }),

  tool('list_project_tasks: GET /projects/{project}/tasks', {
    title: 'List tasks of a project',
    description: 'List the tasks of a project in their order, by default the open ones, with sections and assignees.',
    scopes,
    path: { project },
    query: { completed_since: completedSince, ...listOf(taskFields) },
    pagination: listPages,
    keep: taskFields,
  }),

  tool('list_section_tasks: GET /sections/{section}/tasks', {
    title: 'List tasks of a section',
    description: 'List the tasks of one section, which is a column on a board, by default the open ones.',
    scopes,
    path: { section },
    query: { completed_since: completedSince, ...listOf(taskFields) },
    pagination: listPages,
    keep: taskFields,
  }),

  tool('list_tagged_tasks: GET /tags/{tag}/tasks', {
    title: 'List tasks with a tag',
    description: 'List the tasks with a tag, open and completed ones.',
    scopes,
    path: { tag },
    query: listOf(taskFields),
    pagination: listPages,
    keep: taskFields,
  }),

  tool('search_tasks: GET /workspaces/{workspace}/tasks/search', {
    title: 'Search tasks',
    description:
      'Search tasks by words, people, dates and state, at most 100 at once. Requires a paid Asana plan; without one, ' +
      'use search_objects or the lists. New tasks may be missing for a minute.',
    scopes,
    path: { workspace },
    query: {
      text: optional(text('Words in the name or the description.', 500)),
      ...searchFilters(),
      sort_by: optional(
        oneOf(
          ['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance'],
          'The order. Default: modified_at.',
        ),
      ),
      sort_ascending: optional(flag('Default: false.')),
      limit: { ...optional(integer('The maximum number of results. Default: 50.', 1, 100)), default: 50 },
      opt_fields: asked(assignedFields),
    },
    at: '/data',
    keep: assignedFields,
  }),
]
