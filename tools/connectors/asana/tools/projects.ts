import { clearable, flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { day, replace_all } from '../../shared-arguments.ts'
import {
  asked,
  customFields,
  gid,
  listOf,
  listPages,
  listQuery,
  markdown,
  name,
  person,
  project,
  scopes,
  section,
  tag,
  task,
  workspace,
} from '../arguments.ts'

const projectFields = 'gid name archived due_on owner { gid name } team { gid name } permalink_url'
const wholeProject = `${projectFields} notes completed start_on privacy_setting default_view members { gid name } created_at modified_at
  current_status_update { gid title } custom_fields { gid name type display_value }`
const archived = optional(flag('true for archived projects, false for active ones. Default: both.'))
const result = { at: '/data', keep: wholeProject } as const
const query = { opt_fields: asked(wholeProject) }

/** What creating and updating share. */
function details() {
  return { html_notes: markdown('notes', 'The description.', false), custom_fields: customFields }
}

const tagFields = 'gid name color'
const SHADES = ['pink', 'green', 'blue', 'red', 'teal', 'brown', 'orange', 'purple', 'warm-gray'] as const
const COLORS = SHADES.flatMap(shade => [`dark-${shade}`, `light-${shade}`] as const)

const statusFields = 'gid title text status_type created_at created_by { gid name }'
const statusOf = named('project', project)

/** Asana's tools for projects: their sections and status updates, and tags. */
export const projectTools = [
  tool('list_projects: GET /workspaces/{workspace}/projects', {
    title: 'List projects',
    description:
      'List the projects of a workspace. In large organizations, search_objects or list_team_projects is faster.',
    scopes,
    path: { workspace },
    query: { archived, ...listOf(projectFields) },
    pagination: listPages,
    keep: projectFields,
  }),

  tool('list_team_projects: GET /teams/{team}/projects', {
    title: 'List projects of a team',
    description: 'List the projects of a team.',
    scopes,
    path: { team: gid('The gid of the team, from list_teams or search_objects.') },
    query: { archived, ...listOf(projectFields) },
    pagination: listPages,
    keep: projectFields,
  }),

  tool('get_project: GET /projects/{project}', {
    title: 'Get a project',
    description: 'Read one project: notes, owner, members, dates and latest status. Its tasks: list_project_tasks.',
    scopes,
    path: { project },
    query,
    ...result,
  }),

  tool('create_project: POST /projects', {
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
        due_on: optional(day('The due date.')),
        start_on: optional(day('The start date. Give due_on too.')),
        default_view: optional(oneOf(['list', 'board', 'calendar', 'timeline'], 'The initial view.')),
        privacy_setting: named(
          'privacy',
          optional(oneOf(['public_to_workspace', 'private'], 'Who sees it. private: only its members.')),
        ),
      },
    },
    ...result,
  }),

  tool('update_project: PUT /projects/{project}', {
    title: 'Update a project',
    description:
      'Change the name, notes, owner or dates of a project, archive or restore it. Omitted fields stay unchanged.',
    scopes,
    path: { project, replace_all },
    steps: [
      {
        step: 'now: GET /projects/{project}',
        query: { opt_fields: 'html_notes' },
        given: ['notes'],
        guard: { form: 'html', at: '/data/html_notes', unless: 'replace_all' },
      },
    ],
    query,
    json: {
      data: {
        name: optional(name),
        ...details(),
        owner: clearable(person('The owner.')),
        due_on: clearable(day('The due date.')),
        start_on: clearable(day('The start date. Give due_on too.')),
        archived: optional(flag('true archives the project, false restores it.')),
      },
    },
    ...result,
  }),

  tool('list_sections: GET /projects/{project}/sections', {
    title: 'List sections',
    description: 'List the sections of a project, which are columns on a board, in their order.',
    scopes,
    path: { project },
    query: { ...listQuery, opt_fields: 'name' },
    pagination: listPages,
    keep: 'gid name',
  }),

  tool('create_section: POST /projects/{project}/sections', {
    title: 'Create a section',
    description: 'Add a section to a project, by default at its end.',
    scopes,
    path: { project },
    json: {
      data: {
        name,
        insert_before: named(
          'before',
          optional(gid('The gid of the section to insert it before, from list_sections.')),
        ),
      },
    },
    at: '/data',
    keep: 'gid name',
  }),

  tool('rename_section: PUT /sections/{section}', {
    title: 'Rename a section',
    description: 'Change the name of a section.',
    scopes,
    path: { section },
    json: { data: { name } },
    at: '/data',
    keep: 'gid name',
  }),

  tool('move_task_to_section: POST /sections/{section}/addTask', {
    title: 'Move a task to a section',
    description:
      'Move a task to a section of its project, such as the next column of a board, by default to the top. It leaves ' +
      'its other section of that project.',
    annotations: overwrites,
    scopes,
    path: { section },
    json: {
      data: {
        task,
        insert_after: named('after', optional(gid('The gid of the task to insert it after, from list_section_tasks.'))),
      },
    },
    returns: done('The task was moved.'),
  }),

  tool('add_task_to_project: POST /tasks/{task}/addProject', {
    title: 'Add a task to a project',
    description:
      'Add a task to a project, in addition to its other projects. A task that is already in the project moves to the section.',
    annotations: overwrites,
    scopes,
    path: { task },
    json: { data: { project, section: optional(section) } },
    returns: done('The task was added to the project.'),
  }),

  tool('remove_task_from_project: POST /tasks/{task}/removeProject', {
    title: 'Remove a task from a project',
    description: 'Take a task out of a project. The task and its other projects stay.',
    annotations: overwrites,
    scopes,
    path: { task },
    json: { data: { project } },
    returns: done('The task was removed from the project.'),
  }),

  tool('list_tags: GET /workspaces/{workspace}/tags', {
    title: 'List tags',
    description: 'List the tags of a workspace with their gids.',
    scopes,
    path: { workspace },
    query: listOf(tagFields),
    pagination: listPages,
    keep: tagFields,
  }),

  tool('create_tag: POST /workspaces/{workspace}/tags', {
    title: 'Create a tag',
    description:
      'Create a tag in a workspace. add_tag puts it on a task. Look for an existing one with list_tags first.',
    scopes,
    path: { workspace },
    query: { opt_fields: asked(tagFields) },
    json: { data: { name, color: optional(oneOf(COLORS, 'The color.')) } },
    at: '/data',
    keep: tagFields,
  }),

  tool('add_tag: POST /tasks/{task}/addTag', {
    title: 'Tag a task',
    description: 'Put a tag on a task, in addition to its other tags.',
    annotations: sets,
    scopes,
    path: { task },
    json: { data: { tag } },
    returns: done('The tag was added.'),
  }),

  tool('remove_tag: POST /tasks/{task}/removeTag', {
    title: 'Remove a tag from a task',
    description: 'Take a tag off a task. Other tasks keep it.',
    annotations: overwrites,
    scopes,
    path: { task },
    json: { data: { tag } },
    returns: done('The tag was removed.'),
  }),

  tool('list_status_updates: GET /status_updates', {
    title: 'List status updates',
    description: 'List the status updates of a project, the newest first.',
    scopes,
    query: { parent: statusOf, ...listOf(statusFields) },
    pagination: listPages,
    keep: statusFields,
  }),

  tool('post_status_update: POST /status_updates', {
    title: 'Post a status update',
    description:
      'Report the progress of a project. Its members are notified, and it becomes the status of the project.',
    scopes,
    query: { opt_fields: asked(statusFields) },
    json: {
      data: {
        parent: statusOf,
        status_type: named(
          'status',
          oneOf(['on_track', 'at_risk', 'off_track', 'on_hold', 'complete'], 'How it is going.'),
        ),
        title: text('The title.', 1024),
        text: text('The report, as plain text.', 60_000),
      },
    },
    at: '/data',
    keep: statusFields,
  }),
]
