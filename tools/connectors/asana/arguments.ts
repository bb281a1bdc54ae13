import { type TSchema, type TString, Type } from '@sinclair/typebox'
import {
  converted,
  list,
  members,
  type NamedArgument,
  named,
  optional,
  text,
} from '../../../services/definitions/arguments.ts'
import { keptFields } from '../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart } from '../shared-arguments.ts'

/** The only scope of apps with full permissions. Single scopes do not cover sections and status updates. */
export const scopes = ['default'] as const

/**
 * The fields that a request asks for: those that its result keeps, because Asana returns few others. IDs come with their
 * objects.
 */
export function asked(keep: string): string {
  const fields = keptFields(keep).map(field => field.replace(/\.?gid$/, ''))
  return fields.filter(field => field !== '' && !fields.some(other => other.startsWith(`${field}.`))).join(',')
}

/** The paging of all lists. */
export const listQuery = { limit: pageSize(50, 100), offset: pageStart } as const
export const listPages = { style: 'cursor', items: '/data', next: '/next_page/offset' } as const

/** The query of a list whose items have these fields. */
export function listOf(keep: string) {
  return { ...listQuery, opt_fields: asked(keep) }
}

/** An ID of Asana, which it calls gid. */
export function gid(description: string): TString {
  return text(description, 30, { pattern: '^[0-9]+$' })
}

/** Several IDs or people. */
export function several(item: TSchema, description: string) {
  return list(item, description, 30)
}

/** A person. */
export function person(description: string): TString {
  return text(`${description} me, an email address, or a gid from search_objects or list_users.`, 320, {
    pattern: '^(me|[0-9]+|[^@\\s]+@[^@\\s]+)$',
  })
}

export const workspace = gid('The gid of the workspace or organization, from list_workspaces or get_me.')
export const project = gid('The gid of the project, from search_objects, list_projects or get_task.')
export const section = gid('The gid of the section, from list_sections.')
export const tag = gid('The gid of the tag, from list_tags.')
export const task = gid('The gid of the task, from search_objects, search_tasks or list_project_tasks and other lists.')
/** Several tasks. */
export const tasks = several(
  gid(''),
  'The gids of the tasks, from search_objects, list_project_tasks or list_dependencies.',
)
export const people = several(person(''), 'People: me, email addresses, or gids from search_objects or list_users.')

/** A short text, such as a name. */
export const name = text('The name.', 1024)

/** A long text, sent as rich text. A text that is the whole argument may be empty. */
export function markdown(argument: string, description: string, required: boolean) {
  const schema = text(
    `${description} Markdown. [Ada](asana:1234) mentions the person, task or project with the gid 1234.`,
    60_000,
    required ? {} : { min: 0 },
  )
  return converted('markdown-to-asana', named(argument, required ? schema : optional(schema)))
}

/** A time in UTC. */
export function utc(description: string): TString {
  return Type.String({ ...instant(`${description} In UTC.`), pattern: 'Z$' })
}

/** Values of custom fields. */
export const customFields: NamedArgument = named(
  'custom_fields',
  optional(
    members(
      'Values by the gid of the field, from list_custom_fields: {"1234": "text"}, a number, the gid of an option (enum), a list of ' +
        'gids of options (multi_enum) or of people, {"date": "2026-03-31"}. null clears a field.',
      50,
    ),
  ),
)

/** The fields of a task in a list. */
export const taskFields =
  'gid name completed assignee { gid name } due_on due_at memberships { section { gid name } } num_subtasks permalink_url'

/** All fields of a task. */
export const wholeTask = `gid name resource_subtype approval_status notes completed completed_at assignee { gid name } due_on due_at start_on
  parent { gid name } memberships { project { gid name } section { gid name } } tags { gid name } followers { gid name }
  custom_fields { gid name type display_value } dependencies { gid } num_subtasks created_at modified_at permalink_url`
