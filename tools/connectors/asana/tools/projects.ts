import { clearable, flag, named, oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day } from '../../times.ts'
import {
  asked,
  customFields,
  gid,
  listOf,
  listPages,
  markdown,
  name,
  person,
  project,
  scopes,
  workspace,
} from '../arguments.ts'

const listFields = 'gid name archived due_on owner { gid name } team { gid name } permalink_url'
const wholeFields = `${listFields} notes completed start_on privacy_setting default_view members { gid name } created_at modified_at
  current_status_update { gid title } custom_fields { gid name type display_value }`
const archived = optional(flag('true for archived projects, false for others. Default: both.'))
const result = { at: '/data', keep: wholeFields } as const
const query = { opt_fields: asked(wholeFields) }

const listProjects = tool('list_projects: GET /workspaces/{workspace}/projects', {
  title: 'List projects',
  description:
    'List the projects of a workspace. In large organizations, search_objects or list_team_projects is faster.',
  scopes,
  path: { workspace },
  query: { archived, ...listOf(listFields) },
  pagination: listPages,
  keep: listFields,
})

const listTeamProjects = tool('list_team_projects: GET /teams/{team}/projects', {
  title: 'List projects of a team',
  description: 'List the projects of a team.',
  scopes,
  path: { team: gid('The gid of the team, from list_teams or search_objects.') },
  query: { archived, ...listOf(listFields) },
  pagination: listPages,
  keep: listFields,
})

const getProject = tool('get_project: GET /projects/{project}', {
  title: 'Get a project',
  description: 'Read one project: notes, owner, members, dates and latest status. Its tasks: list_project_tasks.',
  scopes,
  path: { project },
  query,
  ...result,
})

const createProject = tool('create_project: POST /projects', {
  title: 'Create a project',
  description: 'Create a project in a workspace. An organization requires a team too.',
  scopes,
  query,
  json: {
    data: {
      workspace,
      team: optional(gid('The gid of the team, from list_teams. Required in organizations.')),
      name,
      ...details(),
      due_on: optional(day('The day when it is due.')),
      start_on: optional(day('Its first day. Give due_on too.')),
      default_view: optional(oneOf(['list', 'board', 'calendar', 'timeline'])),
      privacy_setting: named('privacy', optional(oneOf(['public_to_workspace', 'private']))),
    },
  },
  ...result,
})

const updateProject = tool('update_project: PUT /projects/{project}', {
  title: 'Update a project',
  description:
    'Change the name, notes, owner or dates of a project, archive or restore it. Omitted fields stay unchanged.',
  scopes,
  path: { project },
  query,
  json: {
    data: {
      name: optional(name),
      ...details(),
      owner: clearable(person('The owner.')),
      due_on: clearable(day('The day when it is due.')),
      start_on: clearable(day('Its first day. Give due_on too.')),
      archived: optional(flag('true archives the project, false restores it.')),
    },
  },
  ...result,
})

/** What creating and updating share. */
function details() {
  return { html_notes: markdown('notes', 'The description.', false), custom_fields: customFields }
}

/** Asana's tools for projects. */
export const projectTools = [listProjects, listTeamProjects, getProject, createProject, updateProject]
