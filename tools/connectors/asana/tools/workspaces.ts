import { integer, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { asked, gid, listOf, listPages, project, scopes, workspace } from '../arguments.ts'

const userFields = 'gid name email'
const meFields = 'gid name email workspaces { gid name }'
const teamFields = 'gid name permalink_url'
const fieldFields = 'gid name type description precision enum_options { gid name enabled }'
const settingFields = `is_important custom_field { ${fieldFields} }`

const getMe = tool('get_me: GET /users/me', {
  title: 'Get own user',
  description: 'Read who is connected: gid, name, email address, and the workspaces with their gids.',
  scopes,
  query: { opt_fields: asked(meFields) },
  at: '/data',
  keep: meFields,
})

const listWorkspaces = tool('list_workspaces: GET /workspaces', {
  title: 'List workspaces',
  description: 'List the workspaces and organizations of the connected person. Most tools need the gid of one.',
  scopes,
  query: listOf('gid name is_organization'),
  pagination: listPages,
  keep: 'gid name is_organization',
})

const searchObjects = tool('search_objects: GET /workspaces/{workspace}/typeahead', {
  title: 'Find by name',
  description:
    'Find tasks, projects, people, teams or tags by the beginning of words of their name. Returns gids and names; for filters ' +
    'use search_tasks.',
  scopes,
  path: { workspace },
  query: {
    resource_type: oneOf(['task', 'project', 'user', 'team', 'tag', 'portfolio', 'goal', 'custom_field']),
    query: text('Words of the name.', 500),
    count: optional(integer('The maximum number of results. Default: 20.', 1, 100)),
  },
  at: '/data',
  keep: 'gid name',
})

const listUsers = tool('list_users: GET /users', {
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
})

const listTeams = tool('list_teams: GET /workspaces/{workspace}/teams', {
  title: 'List teams',
  description: 'List the teams of an organization. create_project and list_team_projects take their gids.',
  scopes,
  path: { workspace },
  query: listOf(teamFields),
  pagination: listPages,
  keep: teamFields,
})

const listCustomFields = tool('list_custom_fields: GET /projects/{project}/custom_field_settings', {
  title: 'List custom fields',
  description:
    'List the custom fields of a project with their gids, types and options, for custom_fields of create_task and update_task.',
  scopes,
  path: { project },
  query: listOf(settingFields),
  pagination: listPages,
  keep: settingFields,
})

const listWorkspaceCustomFields = tool('list_workspace_custom_fields: GET /workspaces/{workspace}/custom_fields', {
  title: 'List custom fields of a workspace',
  description:
    'List the custom fields that all projects of a workspace may use. For one project use list_custom_fields.',
  scopes,
  path: { workspace },
  query: listOf(fieldFields),
  pagination: listPages,
  keep: fieldFields,
})

/** Asana's tools for workspaces, their people, and custom fields. */
export const workspaceTools = [
  getMe,
  listWorkspaces,
  searchObjects,
  listUsers,
  listTeams,
  listCustomFields,
  listWorkspaceCustomFields,
]
