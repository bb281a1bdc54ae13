import { Type } from '@sinclair/typebox'
import { integer, list, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../paging.ts'

/** The scopes of all tools. */
export const scopes = ['api'] as const

/** The paging of all lists: GitLab names the next page in a header. */
export const listQuery = { per_page: pageSize(20, 100), page: pageStart } as const
export const listPages = { style: 'link', items: '' } as const

/** The project of most tools. */
export const project = text(
  'The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.',
  500,
  {
    // GitLab has no names that end in a dot.
    pattern: '[^./]$',
  },
)

/** The number of an issue or a merge request within its project, which these tools return. */
export function number(of: string, tools: string) {
  return integer(`The number (iid) of the ${of}, from ${tools}.`, 1, 2_147_483_647)
}

/** A user by login. */
export function username(description: string) {
  return text(description, 255, { pattern: '^[^@\\s]+$' })
}

/** Users by ID. */
export function users(description: string) {
  return list(Type.Integer({ minimum: 0 }), `${description} IDs from list_members.`, 50)
}

/** Labels by name. GitLab separates them by commas. */
export function labels(description: string) {
  return { $join: optional(list(text('', 255, { pattern: '^[^,]+$' }), description, 50)), separator: ',' } as const
}

/** A long text. */
export function markdown(description: string, { min = 1 } = {}) {
  return text(`${description} GitLab Flavored Markdown.`, 200_000, { min })
}

/** A branch, by name. */
export function branch(description: string) {
  return text(description, 255)
}

/** A branch, a tag or a commit. */
export const ref = optional(text('A branch, a tag or a commit. Default: the default branch.', 255))

/** The order of lists. */
export const order = {
  order_by: optional(oneOf(['created_at', 'updated_at'], 'Default: created_at.')),
  sort: optional(oneOf(['asc', 'desc'], 'Default: desc, the newest first.')),
}

/** Whose issues and merge requests a search finds. */
export const searchScope = optional({
  ...oneOf(
    ['assigned_to_me', 'created_by_me', 'all'],
    'Default: assigned_to_me. all includes every public project of gitlab.com, and may be slow.',
  ),
  default: 'assigned_to_me',
})

/** A milestone by ID. */
export const milestone_id = optional(integer('A milestone by ID, from list_milestones. 0 for none.', 0, 2_147_483_647))

/** The fields of comments that are kept. */
export const noteFields = 'id body author { username name } created_at updated_at system resolvable resolved'
